import type { AnyBulkWriteOperation, BulkWriteOptions, Db, Document as Bson } from 'mongodb';
import type { Change } from '../../store.js';
import { chunksOf, type Chunk } from './blob-chunks.js';
import { chunksName, documentsName } from './collections.js';
import { storedDocument, type StoredDocument } from './stored-document.js';

/** One step of a commit as plain data. All steps of a commit, taken again in their order, lead to the same content. */
export type Write =
  | { readonly kind: 'replace'; readonly into: string; readonly document: StoredDocument }
  | { readonly kind: 'remove'; readonly into: string; readonly id: string }
  | { readonly kind: 'clear'; readonly into: string; readonly ids: readonly string[] }
  | { readonly kind: 'insert'; readonly into: string; readonly document: Chunk };

/** Bounds the list of one condition far below what a message holds. */
const IDS_AT_ONCE = 10_000;

/**
 * What changes come to: of several on one document the last, since a put replaces all of it. Throws where a document
 * cannot be written, before anything is sent.
 */
export function writesOf(changes: readonly Change[]): Write[] {
  const lasting = new Map<string, Map<string, Change>>();
  for (const change of changes) {
    const into = documentsName(change.collection);
    const byId = lasting.get(into) ?? new Map<string, Change>();
    lasting.set(into, byId.set(change.id, change));
  }
  return [...lasting.values()].flatMap((byId) => writesInto([...byId.values()]));
}

/** Each kind in a row of its own: the driver sends neighbours of one kind together. */
function writesInto(changes: readonly Change[]): Write[] {
  const [{ collection }] = changes;
  const into = documentsName(collection);
  const replaced = changes.flatMap((change): Write[] => (change.kind === 'put' ? [{ kind: 'replace', into, document: storedDocument(change.id, change.document) }] : []));
  const removed = changes.flatMap((change): Write[] => (change.kind === 'delete' ? [{ kind: 'remove', into, id: change.id }] : []));
  return [...replaced, ...removed, ...clearing(chunksName(collection), changes), ...changes.flatMap(insertions)];
}

function clearing(into: string, changes: readonly Change[]): Write[] {
  const starts = Array.from({ length: Math.ceil(changes.length / IDS_AT_ONCE) }, (_, page) => page * IDS_AT_ONCE);
  return starts.map((from) => ({ kind: 'clear', into, ids: changes.slice(from, from + IDS_AT_ONCE).map(({ id }) => id) }));
}

function insertions(change: Change): Write[] {
  if (change.kind === 'delete') return [];
  const into = chunksName(change.collection);
  const chunks = Object.entries(change.blobs ?? {}).flatMap(([name, bytes]) => chunksOf(change.id, name, bytes));
  return chunks.map((document) => ({ kind: 'insert', into, document }));
}

/** Takes the steps, in bulk, one collection after the other. */
export async function applyWrites(database: Db, writes: readonly Write[], options: BulkWriteOptions): Promise<void> {
  const byCollection = new Map<string, AnyBulkWriteOperation[]>();
  for (const write of writes) {
    const operations = byCollection.get(write.into) ?? [];
    operations.push(operationOf(write));
    byCollection.set(write.into, operations);
  }
  for (const [name, operations] of byCollection) await database.collection(name).bulkWrite(operations, { ...options, ordered: true });
}

/** Ids stand behind `$eq`, so that none can be read as an operator. */
function operationOf(write: Write): AnyBulkWriteOperation {
  switch (write.kind) {
    case 'replace': {
      const { _id, ...replacement } = write.document;
      return { replaceOne: { filter: named(_id), replacement, upsert: true } };
    }
    case 'remove':
      return { deleteOne: { filter: named(write.id) } };
    case 'clear':
      return { deleteMany: { filter: { id: { $in: [...write.ids] } } } };
    case 'insert':
      return { insertOne: { document: write.document } };
    default:
      return write satisfies never;
  }
}

/** The driver's types want an ObjectId; ours are strings. */
const named = (id: string): Bson => ({ _id: { $eq: id } });
