import { setImmediate } from 'node:timers/promises';
import type { BlockPlace } from '../read-models/blocks/block.js';
import type { Collection, ReadModelReader } from '../read-models/store.js';
import { BlobSums } from './blob-sums.js';
import { added, canonicalJson, hash, logicalName, printed } from './digest-sums.js';
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

/** What a digest has read already, by collection. */
export type ReadAhead = ReadonlyMap<string, BlobSums>;

type BlockContent = Content & { readonly kind: 'blocks' };

/**
 * Hash over the canonical content of a projection's read model: equal for equal content, however it was batched,
 * merged or stored. For a store that nobody writes to meanwhile; else draft and finish. Undefined: it changed.
 */
export async function digestOf(projection: Projection, version: number, store: ReadModelReader, signal?: AbortSignal): Promise<string | undefined> {
  return finishDigest(await draftDigest(projection, version, store), store, signal);
}

/** Reads what may be read while the projection goes on, giving the thread to it in between. */
export async function readAhead(projection: Projection, version: number, store: ReadModelReader, signal?: AbortSignal): Promise<ReadAhead> {
  const ahead = new Map<string, BlobSums>();
  for (const content of projection.contents(version)) {
    if (content.kind !== 'blobs') continue;
    const sums = new BlobSums(content);
    await sums.follow(store, signal);
    ahead.set(content.collection.name, sums);
  }
  return ahead;
}

/** Reads what must be read while nothing moves, and what was not read ahead. */
export async function draftDigest(projection: Projection, version: number, store: ReadModelReader, ahead?: ReadAhead): Promise<DigestDraft> {
  let documents = 0n;
  const blocks: BlockRef[] = [];
  for (const content of projection.contents(version)) {
    if (content.kind === 'documents') documents = added(documents, await digestDocuments(content, store));
    else if (content.kind === 'blobs') documents = added(documents, await (ahead?.get(content.collection.name) ?? new BlobSums(content)).total(store));
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
  return printed(total);
}

async function digestDocuments({ collection, canonical }: Content & { kind: 'documents' }, store: ReadModelReader): Promise<bigint> {
  const found = await store.find(collection as Collection, {});
  const name = logicalName(collection);
  return found.reduce((sum, { id, document }) => added(sum, hash(`${name}\0${id}\0${canonicalJson(canonical ? canonical(document) : document)}`)), 0n);
}

async function blocksOf(content: BlockContent, store: ReadModelReader): Promise<BlockRef[]> {
  const found = await store.find(content.collection as Collection<BlockPlace>, {});
  return found.map(({ id, document }) => ({ content, id, gridId: document.gridId }));
}
