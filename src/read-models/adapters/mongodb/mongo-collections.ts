import type { Collection as MongoCollection, Db, IndexDescription } from 'mongodb';
import type { Position } from '../../../streams/event-store.js';
import type { AnyCollection } from '../../read-model-store.js';
import type { BlobChunk, StoredDocument } from './mongo-storage-format.js';
import { NAMESPACE_EXISTS, hasServerCode } from './mongo-errors.js';
import { fieldPath } from './filter-to-bson.js';

export interface StoredCheckpoint {
  readonly _id: string;
  readonly position: Position;
  /** Counts on with each commit, so that a commit always changes the document and two of them conflict. */
  readonly commits: number;
}

/** Names in the database. Prefixes keep collections apart from what is ours, and names from beginning as those of the server do. */
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

/** Each way, since ties are broken by ascending id whichever way the last field goes, and MongoDB would sort it all for that. */
function documentIndexes({ indexes }: AnyCollection): Index[] {
  return indexes.flatMap((fields) => {
    const leading = fields.slice(0, -1).map((field): [string, 1] => [fieldPath(field), 1]);
    const last = fieldPath(fields[fields.length - 1]);
    return ([1, -1] as const).map((way) => ({
      name: `${fields.join(' ')} ${way === 1 ? 'up' : 'down'}`,
      key: Object.fromEntries([...leading, [last, way], ['_id', 1]]),
    }));
  });
}

/** The collection with the indexes that it names and no others, except those that an operator has made under names of his own. */
export async function createCollection(database: Db, collection: AnyCollection): Promise<void> {
  await createWithIndexes(database, documentCollectionName(collection), documentIndexes(collection));
  await createWithIndexes(database, chunkCollectionName(collection), [CHUNK_INDEX]);
}

async function createWithIndexes(database: Db, name: string, wanted: readonly Index[]): Promise<void> {
  await database.createCollection(name).catch((error: unknown) => {
    if (!hasServerCode(error, NAMESPACE_EXISTS)) throw error;
  });
  const found = (await database.collection(name).listIndexes().toArray()) as Index[];
  const stale = found.filter(
    (index) =>
      isManagedIndex(index.name) && !wanted.some((each) => each.name === index.name && isSameIndex(each, index)),
  );
  for (const { name: index } of stale) await database.collection(name).dropIndex(index);
  const missing = wanted.filter((index) => !found.some((each) => !stale.includes(each) && isSameIndex(each, index)));
  if (missing.length > 0) await database.collection(name).createIndexes(missing);
}

/** Whether they index the same, under whatever names. */
const isSameIndex = (a: Index, b: Index): boolean =>
  JSON.stringify(a.key) === JSON.stringify(b.key) && (a.unique ?? false) === (b.unique ?? false);
const isManagedIndex = (name: string): boolean => / (up|down)$/.test(name) || name === CHUNK_INDEX.name;
