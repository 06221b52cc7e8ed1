import type { AnyBulkWriteOperation, BulkWriteOptions, Db, Document as Bson } from 'mongodb';
import type { DocumentChange } from '../../read-model-store.js';
import { type BlobChunk, splitIntoChunks, type StoredDocument, toStoredDocument } from './mongo-storage-format.js';
import { chunkCollectionName, documentCollectionName } from './mongo-collections.js';

/** One step of a commit as plain data. Applying all steps of a commit again, in order, leads to the same content. */
export type WriteStep =
  | { readonly kind: 'replace'; readonly into: string; readonly document: StoredDocument }
  | { readonly kind: 'remove'; readonly into: string; readonly id: string }
  | { readonly kind: 'clear'; readonly into: string; readonly ids: readonly string[] }
  | { readonly kind: 'insert'; readonly into: string; readonly document: BlobChunk };

/** Keeps the id list of one condition far below the maximum message size. */
const IDS_PER_STEP = 10_000;

/**
 * Plans the steps of a commit: of several changes to one document only the last counts, since a put replaces all of it.
 * Throws before anything is sent if a document cannot be stored.
 */
export function planWriteSteps(changes: readonly DocumentChange[]): WriteStep[] {
  const lasting = new Map<string, Map<string, DocumentChange>>();
  for (const change of changes) {
    const into = documentCollectionName(change.collection);
    const byId = lasting.get(into) ?? new Map<string, DocumentChange>();
    lasting.set(into, byId.set(change.id, change));
  }
  return [...lasting.values()].flatMap((byId) => planCollectionSteps([...byId.values()]));
}

/** Steps of one kind are adjacent, because the driver sends them together. */
function planCollectionSteps(changes: readonly DocumentChange[]): WriteStep[] {
  const [{ collection }] = changes;
  const into = documentCollectionName(collection);
  const replaced = changes.flatMap((change): WriteStep[] =>
    change.kind === 'put' ? [{ kind: 'replace', into, document: toStoredDocument(change.id, change.document) }] : [],
  );
  const removed = changes.flatMap((change): WriteStep[] =>
    change.kind === 'delete' ? [{ kind: 'remove', into, id: change.id }] : [],
  );
  return [
    ...replaced,
    ...removed,
    ...planChunkDeletions(chunkCollectionName(collection), changes),
    ...changes.flatMap(planChunkInsertions),
  ];
}

function planChunkDeletions(into: string, changes: readonly DocumentChange[]): WriteStep[] {
  const starts = Array.from({ length: Math.ceil(changes.length / IDS_PER_STEP) }, (_, page) => page * IDS_PER_STEP);
  return starts.map((from) => ({
    kind: 'clear',
    into,
    ids: changes.slice(from, from + IDS_PER_STEP).map(({ id }) => id),
  }));
}

function planChunkInsertions(change: DocumentChange): WriteStep[] {
  if (change.kind === 'delete') return [];
  const into = chunkCollectionName(change.collection);
  const chunks = Object.entries(change.blobs ?? {}).flatMap(([name, bytes]) => splitIntoChunks(change.id, name, bytes));
  return chunks.map((document) => ({ kind: 'insert', into, document }));
}

/** Applies the steps in bulk, one collection after the other. */
export async function applyWriteSteps(
  database: Db,
  writes: readonly WriteStep[],
  options: BulkWriteOptions,
): Promise<void> {
  const byCollection = new Map<string, AnyBulkWriteOperation[]>();
  for (const write of writes) {
    const operations = byCollection.get(write.into) ?? [];
    operations.push(toBulkOperation(write));
    byCollection.set(write.into, operations);
  }
  for (const [name, operations] of byCollection)
    await database.collection(name).bulkWrite(operations, { ...options, ordered: true });
}

/** Ids are wrapped in `$eq`, so that none can be read as an operator. */
function toBulkOperation(write: WriteStep): AnyBulkWriteOperation {
  switch (write.kind) {
    case 'replace': {
      const { _id, ...replacement } = write.document;
      return { replaceOne: { filter: idFilter(_id), replacement, upsert: true } };
    }
    case 'remove':
      return { deleteOne: { filter: idFilter(write.id) } };
    case 'clear':
      return { deleteMany: { filter: { id: { $in: [...write.ids] } } } };
    case 'insert':
      return { insertOne: { document: write.document } };
    default:
      return write satisfies never;
  }
}

/** The driver's types require an ObjectId; ids are strings here. */
const idFilter = (id: string): Bson => ({ _id: { $eq: id } });
