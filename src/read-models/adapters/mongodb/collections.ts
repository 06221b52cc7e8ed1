import type { Collection as MongoCollection, Db, IndexDescription } from 'mongodb';
import type { Position } from '../../../streams/event-store.js';
import type { AnyCollection } from '../../store.js';
import type { Chunk } from './blob-chunks.js';
import { NAMESPACE_EXISTS, hasServerCode } from './failures.js';
import { fieldPath } from './filter-bson.js';
import type { StoredDocument } from './stored-document.js';

export interface StoredCheckpoint {
  readonly _id: string;
  readonly position: Position;
  /** Counts on with each commit, so that a commit always changes the document and two of them conflict. */
  readonly commits: number;
}

/** Names in the database. Prefixes keep collections apart from what is ours, and names from beginning as those of the server do. */
export function documentsName({ name }: AnyCollection): string {
  return `documents.${checked(name)}`;
}

export function chunksName({ name }: AnyCollection): string {
  return `blobs.${checked(name)}`;
}

function checked(name: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(name)) throw new TypeError(`not a collection name: ${name}`);
  return name;
}

export const documentsOf = (database: Db, collection: AnyCollection): MongoCollection<StoredDocument> => database.collection(documentsName(collection));
export const chunksIn = (database: Db, collection: AnyCollection): MongoCollection<Chunk> => database.collection(chunksName(collection));
export const checkpointsIn = (database: Db): MongoCollection<StoredCheckpoint> => database.collection('checkpoints');

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
  await createWith(database, documentsName(collection), documentIndexes(collection));
  await createWith(database, chunksName(collection), [CHUNK_INDEX]);
}

async function createWith(database: Db, name: string, wanted: readonly Index[]): Promise<void> {
  await database.createCollection(name).catch((error: unknown) => {
    if (!hasServerCode(error, NAMESPACE_EXISTS)) throw error;
  });
  const found = (await database.collection(name).listIndexes().toArray()) as Index[];
  const stale = found.filter((index) => isOurs(index.name) && !wanted.some((each) => each.name === index.name && isSame(each, index)));
  for (const { name: index } of stale) await database.collection(name).dropIndex(index);
  const missing = wanted.filter((index) => !found.some((each) => !stale.includes(each) && isSame(each, index)));
  if (missing.length > 0) await database.collection(name).createIndexes(missing);
}

/** Whether they index the same, under whatever names. */
const isSame = (a: Index, b: Index): boolean => JSON.stringify(a.key) === JSON.stringify(b.key) && (a.unique ?? false) === (b.unique ?? false);
const isOurs = (name: string): boolean => / (up|down)$/.test(name) || name === CHUNK_INDEX.name;
