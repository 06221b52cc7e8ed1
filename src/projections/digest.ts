import { setImmediate } from 'node:timers/promises';
import type { BlockPlace } from '../read-models/blocks/block.js';
import type { Collection, ReadModelReader } from '../read-models/store.js';
import { BlobSums } from './blob-sums.js';
import { added, canonicalJson, hash, logicalName, printed } from './digest-sums.js';
import type { Content, Projection } from './projection.js';
import type { Reading } from './reading.js';

export type { Reading } from './reading.js';

/** A block whose rows are still to be added up. */
interface BlockRef {
  readonly content: BlockContent;
  readonly id: string;
  readonly gridId: string;
}

/** A digest half made: what changes from commit to commit is in, what stays where it is as long as nothing merges is named. */
export interface DigestDraft {
  /** By the names of collections, without their versions. */
  readonly documents: ReadonlyMap<string, bigint>;
  readonly blocks: readonly BlockRef[];
}

/** What each collection adds to a digest, by its name without the version: equal where its content is. */
export type DigestParts = ReadonlyMap<string, bigint>;

/** What a digest has read already, by collection. */
export type ReadAhead = ReadonlyMap<string, BlobSums>;

type BlockContent = Content & { readonly kind: 'blocks' };

/**
 * Hash over the canonical content of a projection's read model: equal for equal content, however it was batched,
 * merged or stored. For a store that nobody writes to meanwhile; else draft and finish. Undefined: it changed.
 */
export async function digestOf(projection: Projection, version: number, store: ReadModelReader, signal?: AbortSignal): Promise<string | undefined> {
  return finishDigest(await draftDigest(projection, version, store), store, { signal });
}

/** Reads what may be read while the projection goes on, giving the thread to it in between. */
export async function readAhead(projection: Projection, version: number, store: ReadModelReader, reading: Reading = {}): Promise<ReadAhead> {
  const ahead = new Map<string, BlobSums>();
  for (const content of projection.contents(version)) {
    if (content.kind !== 'blobs') continue;
    const sums = new BlobSums(content);
    await sums.follow(store, reading);
    ahead.set(content.collection.name, sums);
  }
  return ahead;
}

/** Reads what must be read while nothing moves, and what was not read ahead. */
export async function draftDigest(projection: Projection, version: number, store: ReadModelReader, ahead?: ReadAhead): Promise<DigestDraft> {
  const documents = new Map<string, bigint>();
  const add = (content: Content, sum: bigint) => documents.set(logicalName(content.collection), added(documents.get(logicalName(content.collection)) ?? 0n, sum));
  const blocks: BlockRef[] = [];
  for (const content of projection.contents(version)) {
    if (content.kind === 'documents') add(content, await digestDocuments(content, store));
    else if (content.kind === 'blobs') add(content, await (ahead?.get(content.collection.name) ?? new BlobSums(content)).total(store));
    else if (content.kind === 'blocks') blocks.push(...(await blocksOf(content, store)));
  }
  return { documents, blocks };
}

/** Adds the blocks up, one at a time, leaving the thread to others in between. Undefined when a block has left. */
export async function finishDigest(draft: DigestDraft, store: ReadModelReader, reading: Reading = {}): Promise<string | undefined> {
  const parts = await finishParts(draft, store, reading);
  return parts && digestOfParts(parts);
}

/** The same, collection by collection. */
export async function finishParts(draft: DigestDraft, store: ReadModelReader, { signal, giveWay }: Reading = {}): Promise<DigestParts | undefined> {
  const sums = new Map<string, { readonly name: string; sum: bigint }>();
  for (const block of draft.blocks) {
    signal?.throwIfAborted();
    await giveWay?.();
    const sum = await block.content.digest(store, block.id);
    if (sum === undefined) return undefined;
    const name = logicalName(block.content.collection);
    const key = `${name}\0${block.gridId}`;
    sums.set(key, { name, sum: BigInt.asUintN(64, (sums.get(key)?.sum ?? 0n) + sum) });
    await setImmediate();
  }
  const parts = new Map(draft.documents);
  for (const [key, { name, sum }] of sums) parts.set(name, added(parts.get(name) ?? 0n, hash(`${key}\0${sum}`)));
  return parts;
}

/** The digest that these parts make up. */
export function digestOfParts(parts: DigestParts): string {
  return printed([...parts.values()].reduce(added, 0n));
}

/** Names of the collections in which two read models of the same schema differ. */
export function differences(one: DigestParts, other: DigestParts): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => (one.get(name) ?? 0n) !== (other.get(name) ?? 0n)).sort();
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
