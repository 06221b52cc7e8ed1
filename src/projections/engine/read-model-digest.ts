import { setImmediate } from 'node:timers/promises';
import type { BlockLocation } from '../../read-models/blocks/block.js';
import type { AnyCollection, Collection, Document, ReadModelReader } from '../../read-models/read-model-store.js';
import type { Projection, ProjectionContent, Stamped } from '../projection.js';
import { createHash } from 'node:crypto';
import { eq, range } from '../../read-models/document-filter.js';

/** A block whose rows are not yet in the digest. */
interface BlockRef {
  readonly content: BlockContent;
  readonly id: string;
  readonly gridId: string;
}

/**
 * An unfinished digest: content that changes with every commit is included, blocks that stay in place while nothing
 * merges are listed.
 */
export interface DigestDraft {
  /** By collection name without the version. */
  readonly documents: ReadonlyMap<string, bigint>;
  readonly blocks: readonly BlockRef[];
}

/** Partial digest of each collection, by its name without the version: equal exactly if the content is equal. */
export type DigestParts = ReadonlyMap<string, bigint>;

/** Partial digests that were computed in advance, by collection name. */
export type ReadAhead = ReadonlyMap<string, BlobDigest>;

type BlockContent = ProjectionContent & { readonly kind: 'blocks' };

/**
 * Hash over the canonical content of a projection's read model: equal for equal content, however it was batched, merged
 * or stored. For a store without concurrent writes; otherwise use `draftDigest` and `finishDigest`. Undefined if the
 * content changed meanwhile.
 */
export async function computeDigest(
  projection: Projection,
  version: number,
  store: ReadModelReader,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return finishDigest(await draftDigest(projection, version, store), store, { signal });
}

/** Reads what can be read while the projection continues, yielding the thread in between. */
export async function readAhead(
  projection: Projection,
  version: number,
  store: ReadModelReader,
  options: DigestReadOptions = {},
): Promise<ReadAhead> {
  const ahead = new Map<string, BlobDigest>();
  for (const content of projection.contents(version)) {
    if (content.kind !== 'blobs') continue;
    const sums = new BlobDigest(content);
    await sums.update(store, options);
    ahead.set(content.collection.name, sums);
  }
  return ahead;
}

/** Reads what must be read while nothing is committed, and what was not read in advance. */
export async function draftDigest(
  projection: Projection,
  version: number,
  store: ReadModelReader,
  ahead?: ReadAhead,
): Promise<DigestDraft> {
  const documents = new Map<string, bigint>();
  const add = (content: ProjectionContent, sum: bigint) =>
    documents.set(
      logicalName(content.collection),
      addHashes(documents.get(logicalName(content.collection)) ?? 0n, sum),
    );
  const blocks: BlockRef[] = [];
  for (const content of projection.contents(version)) {
    if (content.kind === 'documents') add(content, await digestDocuments(content, store));
    else if (content.kind === 'blobs')
      add(content, await (ahead?.get(content.collection.name) ?? new BlobDigest(content)).total(store));
    else if (content.kind === 'blocks') blocks.push(...(await listBlockRefs(content, store)));
  }
  return { documents, blocks };
}

/** Adds the blocks one at a time, yielding the thread in between. Undefined if a block was removed. */
export async function finishDigest(
  draft: DigestDraft,
  store: ReadModelReader,
  options: DigestReadOptions = {},
): Promise<string | undefined> {
  const parts = await finishDigestParts(draft, store, options);
  return parts && combineDigestParts(parts);
}

/** The same by collection. */
export async function finishDigestParts(
  draft: DigestDraft,
  store: ReadModelReader,
  { signal, yieldToOthers }: DigestReadOptions = {},
): Promise<DigestParts | undefined> {
  const sums = new Map<string, { readonly name: string; sum: bigint }>();
  for (const block of draft.blocks) {
    signal?.throwIfAborted();
    await yieldToOthers?.();
    const sum = await block.content.digest(store, block.id);
    if (sum === undefined) return undefined;
    const name = logicalName(block.content.collection);
    const key = `${name}\0${block.gridId}`;
    sums.set(key, { name, sum: BigInt.asUintN(64, (sums.get(key)?.sum ?? 0n) + sum) });
    await setImmediate();
  }
  const parts = new Map(draft.documents);
  for (const [key, { name, sum }] of sums)
    parts.set(name, addHashes(parts.get(name) ?? 0n, hashContent(`${key}\0${sum}`)));
  return parts;
}

/** Combines the partial digests of all collections. */
export function combineDigestParts(parts: DigestParts): string {
  return formatHash([...parts.values()].reduce(addHashes, 0n));
}

/** Names of the collections in which two read models of the same schema differ, sorted. */
export function findDifferences(one: DigestParts, other: DigestParts): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => (one.get(name) ?? 0n) !== (other.get(name) ?? 0n)).sort();
}

async function digestDocuments(
  { collection, canonical }: ProjectionContent & { kind: 'documents' },
  store: ReadModelReader,
): Promise<bigint> {
  const documents = await store.find(collection as Collection, {});
  const name = logicalName(collection);
  return documents.reduce(
    (sum, { id, document }) =>
      addHashes(sum, hashContent(`${name}\0${id}\0${toCanonicalJson(canonical ? canonical(document) : document)}`)),
    0n,
  );
}

async function listBlockRefs(content: BlockContent, store: ReadModelReader): Promise<BlockRef[]> {
  const documents = await store.find(content.collection as Collection<BlockLocation>, {});
  return documents.map(({ id, document }) => ({ content, id, gridId: document.gridId }));
}

const BITS = 128;

/** Digests are sums of hashes modulo 2^128: the order of the summands does not matter. */
function addHashes(a: bigint, b: bigint): bigint {
  return BigInt.asUintN(BITS, a + b);
}

function hashContent(text: string, bytes: Uint8Array = new Uint8Array()): bigint {
  return BigInt(
    `0x${createHash('sha256')
      .update(text)
      .update(bytes)
      .digest('hex')
      .slice(0, BITS / 4)}`,
  );
}

function formatHash(sum: bigint): string {
  return sum.toString(16).padStart(BITS / 4, '0');
}

/** The collection's name without the version of the projection. */
function logicalName({ name }: AnyCollection): string {
  return name.replace(/\.v\d+$/, '');
}

/** JSON with the members of every object sorted by name. */
export function toCanonicalJson(value: Document): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

type BlobContent = ProjectionContent & { readonly kind: 'blobs' };

/** Documents that are read before the thread is yielded. */
const BLOB_PAGE_SIZE = 128;

/**
 * Digest of the stamped documents with blobs of one collection. The stamps show what has changed, so that most of it
 * can be read while the projection continues and only the rest needs an idle moment.
 */
class BlobDigest {
  private readonly hashes = new Map<string, bigint>();
  /** Everything up to this stamp is included. */
  private stamp = -1;

  constructor(private readonly content: BlobContent) {}

  /** Reads what has changed since the last call. */
  async update(store: ReadModelReader, { signal, yieldToOthers }: DigestReadOptions = {}): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      await yieldToOthers?.();
      const page = await store.find(this.collection, {
        filter: range('stamp', this.stamp + 1),
        sort: [{ field: 'stamp' }],
        limit: BLOB_PAGE_SIZE,
      });
      const last = page.at(-1)?.document.stamp;
      if (last === undefined) return;
      for (const { id, document } of page) await this.addDocument(id, document, store);
      // A page may end within a commit: read all documents of its last stamp.
      if (page.length === BLOB_PAGE_SIZE)
        for (const { id, document } of await store.find(this.collection, { filter: eq('stamp', last) }))
          await this.addDocument(id, document, store);
      this.stamp = last;
      await setImmediate();
    }
  }

  /** The digest of the collection. Call while nothing is committed. */
  async total(store: ReadModelReader): Promise<bigint> {
    await this.update(store);
    if ((await store.count(this.collection)) !== this.hashes.size) await this.removeDeleted(store);
    let sum = 0n;
    for (const each of this.hashes.values()) sum = addHashes(sum, each);
    return sum;
  }

  private get collection(): Collection<Stamped> {
    return this.content.collection as Collection<Stamped>;
  }

  private async addDocument(id: string, document: Document, store: ReadModelReader): Promise<void> {
    const { collection, blob, canonical } = this.content;
    const bytes = await store.readBlob(collection, id, blob);
    this.hashes.set(
      id,
      hashContent(`${logicalName(collection)}\0${id}\0${toCanonicalJson(canonical(document))}\0`, bytes),
    );
  }

  private async removeDeleted(store: ReadModelReader): Promise<void> {
    const ids = new Set((await store.find(this.collection, {})).map(({ id }) => id));
    for (const id of this.hashes.keys()) if (!ids.has(id)) this.hashes.delete(id);
  }
}

/** How large content is read. */
export interface DigestReadOptions {
  readonly signal?: AbortSignal;
  /** Awaited before each page or block: lets more important runs go first. */
  readonly yieldToOthers?: () => Promise<void>;
}
