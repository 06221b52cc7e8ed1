import type { Collection as MongoCollection, Db, IndexDescription } from 'mongodb';
import type { Position } from '../../../streams/event-store.js';
import type { AnyCollection } from '../../read-model-store.js';
import type { BlobChunk, StoredDocument } from './mongo-storage-format.js';
import { NAMESPACE_EXISTS, hasServerCode, isUnknownOption } from './mongo-errors.js';
import { fieldPath } from './filter-to-bson.js';

export interface StoredCheckpoint {
  readonly _id: string;
  readonly position: Position;
  /** Increases with each commit, so that a commit always changes the document and concurrent commits conflict. */
  readonly commits: number;
}

/** Names in the database. Prefixes separate collections from internal ones and from the server's reserved names. */
export function documentCollectionName({ name }: AnyCollection): string {
  return `documents.${validateName(name)}`;
}

export function chunkCollectionName({ name }: AnyCollection): string {
  return `blobs.${validateName(name)}`;
}

function validateName(name: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(name)) throw new TypeError(`not a collection name: ${name}`);
  return name;
}

export const documentCollection = (database: Db, collection: AnyCollection): MongoCollection<StoredDocument> =>
  database.collection(documentCollectionName(collection));
export const chunkCollection = (database: Db, collection: AnyCollection): MongoCollection<BlobChunk> =>
  database.collection(chunkCollectionName(collection));
export const checkpointCollection = (database: Db): MongoCollection<StoredCheckpoint> =>
  database.collection('checkpoints');
type Index = IndexDescription & { readonly name: string; readonly key: Record<string, 1 | -1> };
const CHUNK_INDEX: Index = { name: 'blob', key: { id: 1, name: 1, part: 1 }, unique: true };

/**
 * One index per direction, because ties are broken by ascending id in either direction, and MongoDB would otherwise
 * sort in memory.
 */
function documentIndexes({ indexes }: AnyCollection): Index[] {
  return indexes.flatMap((fields) => {
    const leading = fields.slice(0, -1).map((field): [string, 1] => [fieldPath(field), 1]);
    const last = fieldPath(fields[fields.length - 1]);
    return ([1, -1] as const).map((direction) => ({
      name: `${fields.join(' ')} ${direction === 1 ? 'up' : 'down'}`,
      key: Object.fromEntries([...leading, [last, direction], ['_id', 1]]),
    }));
  });
}

/**
 * Creates the collection with the indexes that it declares, and drops stale ones. Indexes that an operator created
 * under other names stay. `isReplicated`: the server is a replica set or a sharded cluster.
 */
export async function createCollection(database: Db, collection: AnyCollection, isReplicated: boolean): Promise<void> {
  await createWithIndexes(database, documentCollectionName(collection), documentIndexes(collection), isReplicated);
  await createWithIndexes(database, chunkCollectionName(collection), [CHUNK_INDEX], isReplicated);
}

async function createWithIndexes(
  database: Db,
  name: string,
  declared: readonly Index[],
  isReplicated: boolean,
): Promise<void> {
  await database.createCollection(name).catch((error: unknown) => {
    if (!hasServerCode(error, NAMESPACE_EXISTS)) throw error;
  });
  const found = (await database.collection(name).listIndexes().toArray()) as Index[];
  const stale = found.filter(
    (index) =>
      isManagedIndex(index.name) && !declared.some((each) => each.name === index.name && isSameIndex(each, index)),
  );
  for (const { name: index } of stale) await database.collection(name).dropIndex(index);
  const missing = declared.filter((index) => !found.some((each) => !stale.includes(each) && isSameIndex(each, index)));
  if (missing.length > 0) await createIndexes(database, name, missing, isReplicated);
}

/**
 * A majority of the members is enough: by default the server waits for all of them, for as long as one is down. A
 * standalone server refuses the option, and so may servers that only speak the protocol.
 */
async function createIndexes(
  database: Db,
  name: string,
  indexes: readonly Index[],
  isReplicated: boolean,
): Promise<void> {
  const collection = database.collection(name);
  if (!isReplicated) return void (await collection.createIndexes([...indexes]));
  try {
    await collection.createIndexes([...indexes], { commitQuorum: 'majority' });
  } catch (error) {
    if (!isUnknownOption(error)) throw error;
    await collection.createIndexes([...indexes]);
  }
}

/** Whether they are equal except for the name. */
const isSameIndex = (a: Index, b: Index): boolean =>
  JSON.stringify(a.key) === JSON.stringify(b.key) && (a.unique ?? false) === (b.unique ?? false);
const isManagedIndex = (name: string): boolean => / (up|down)$/.test(name) || name === CHUNK_INDEX.name;
