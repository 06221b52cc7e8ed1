import { setImmediate } from 'node:timers/promises';
import { eq, range } from '../read-models/filter.js';
import type { Collection, Document, ReadModelReader } from '../read-models/store.js';
import { added, canonicalJson, hash, logicalName } from './digest-sums.js';
import type { Content, Stamped } from './projection.js';
import type { Reading } from './reading.js';

type BlobContent = Content & { readonly kind: 'blobs' };

/** Documents that are read before others get the thread. */
const PAGE = 128;

/**
 * Sum over the documents with blobs of one collection. Their stamps tell what has changed since it was taken, so that
 * most of it can be taken while the projection goes on, and only the rest has to be read in a moment in which nothing moves.
 */
export class BlobSums {
  private readonly hashes = new Map<string, bigint>();
  /** Everything up to here is in. */
  private stamp = -1;

  constructor(private readonly content: BlobContent) {}

  /** Takes in what has changed. */
  async follow(store: ReadModelReader, { signal, giveWay }: Reading = {}): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      await giveWay?.();
      const page = await store.find(this.collection, { filter: range('stamp', this.stamp + 1), sort: [{ field: 'stamp' }], limit: PAGE });
      const last = page.at(-1)?.document.stamp;
      if (last === undefined) return;
      for (const { id, document } of page) await this.take(id, document, store);
      // Of a commit that a page cuts in two, all.
      if (page.length === PAGE) for (const { id, document } of await store.find(this.collection, { filter: eq('stamp', last) })) await this.take(id, document, store);
      this.stamp = last;
      await setImmediate();
    }
  }

  /** The sum, once nothing moves any more. */
  async total(store: ReadModelReader): Promise<bigint> {
    await this.follow(store);
    if ((await store.count(this.collection)) !== this.hashes.size) await this.forgetDeleted(store);
    let sum = 0n;
    for (const each of this.hashes.values()) sum = added(sum, each);
    return sum;
  }

  private get collection(): Collection<Stamped> {
    return this.content.collection as Collection<Stamped>;
  }

  private async take(id: string, document: Document, store: ReadModelReader): Promise<void> {
    const { collection, blob, canonical } = this.content;
    const bytes = await store.blob(collection, id, blob);
    this.hashes.set(id, hash(`${logicalName(collection)}\0${id}\0${canonicalJson(canonical(document))}\0`, bytes));
  }

  private async forgetDeleted(store: ReadModelReader): Promise<void> {
    const ids = new Set((await store.find(this.collection, {})).map(({ id }) => id));
    for (const id of this.hashes.keys()) if (!ids.has(id)) this.hashes.delete(id);
  }
}
