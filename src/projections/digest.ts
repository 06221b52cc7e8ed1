import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BlockPlace } from '../read-models/blocks/block.js';
import type { AnyCollection, Collection, Document, ReadModelReader } from '../read-models/store.js';
import type { Content, Projection } from './projection.js';

/** A block whose rows are still to be added up. */
interface BlockRef {
  readonly content: BlockContent;
  readonly id: string;
  readonly gridId: string;
}

/** A digest half made: what changes from commit to commit is in, what stays where it is as long as nothing merges is named. */
export interface DigestDraft {
  readonly documents: bigint;
  readonly blocks: readonly BlockRef[];
}

type BlockContent = Content & { readonly kind: 'blocks' };

const BITS = 128;

/**
 * Hash over the canonical content of a projection's read model: equal for equal content, however it was batched,
 * merged or stored. For a store that nobody writes to meanwhile; else draft and finish. Undefined: it changed.
 */
export async function digestOf(projection: Projection, version: number, store: ReadModelReader, signal?: AbortSignal): Promise<string | undefined> {
  return finishDigest(await draftDigest(projection, version, store), store, signal);
}

/** Reads what must be read while nothing moves. */
export async function draftDigest(projection: Projection, version: number, store: ReadModelReader): Promise<DigestDraft> {
  let documents = 0n;
  const blocks: BlockRef[] = [];
  for (const content of projection.contents(version)) {
    if (content.kind === 'documents') documents = added(documents, await digestDocuments(content, store));
    else if (content.kind === 'blobs') documents = added(documents, await digestBlobs(content, store));
    else if (content.kind === 'blocks') blocks.push(...(await blocksOf(content, store)));
  }
  return { documents, blocks };
}

/** Adds the blocks up, one at a time, leaving the thread to others in between. Undefined when a block has left. */
export async function finishDigest(draft: DigestDraft, store: ReadModelReader, signal?: AbortSignal): Promise<string | undefined> {
  const sums = new Map<string, bigint>();
  for (const block of draft.blocks) {
    signal?.throwIfAborted();
    const sum = await block.content.digest(store, block.id);
    if (sum === undefined) return undefined;
    const key = `${logicalName(block.content.collection)}\0${block.gridId}`;
    sums.set(key, BigInt.asUintN(64, (sums.get(key) ?? 0n) + sum));
    await setImmediate();
  }
  let total = draft.documents;
  for (const [key, sum] of sums) total = added(total, hash(`${key}\0${sum}`));
  return total.toString(16).padStart(BITS / 4, '0');
}

async function digestDocuments({ collection, canonical }: Content & { kind: 'documents' }, store: ReadModelReader): Promise<bigint> {
  const found = await store.find(collection as Collection, {});
  const name = logicalName(collection);
  return found.reduce((sum, { id, document }) => added(sum, hash(`${name}\0${id}\0${canonicalJson(canonical ? canonical(document) : document)}`)), 0n);
}

async function digestBlobs({ collection, blob, canonical }: Content & { kind: 'blobs' }, store: ReadModelReader): Promise<bigint> {
  const name = logicalName(collection);
  let sum = 0n;
  for (const { id, document } of await store.find(collection as Collection, {})) {
    const bytes = (await store.blob(collection, id, blob)) ?? new Uint8Array();
    sum = added(sum, hash(`${name}\0${id}\0${canonicalJson(canonical(document))}\0`, bytes));
  }
  return sum;
}

async function blocksOf(content: BlockContent, store: ReadModelReader): Promise<BlockRef[]> {
  const found = await store.find(content.collection as Collection<BlockPlace>, {});
  return found.map(({ id, document }) => ({ content, id, gridId: document.gridId }));
}

/** The collection's name without the version of the projection. */
function logicalName({ name }: AnyCollection): string {
  return name.replace(/\.v\d+$/, '');
}

function hash(text: string, bytes: Uint8Array = new Uint8Array()): bigint {
  return BigInt(`0x${createHash('sha256').update(text).update(bytes).digest('hex').slice(0, BITS / 4)}`);
}

function added(a: bigint, b: bigint): bigint {
  return BigInt.asUintN(BITS, a + b);
}

/** JSON with the members of every object in the order of their names. */
export function canonicalJson(value: Document): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
