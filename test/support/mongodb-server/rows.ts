import { SortedIndex } from './sorted-index.js';
import type { Bson } from './wire.js';

/** The documents of one collection by id key, and its indexes. */
export class Rows {
  private readonly documents = new Map<string, Bson>();
  private readonly indexes = new Map<string, SortedIndex>();

  constructor() {
    this.index(['_id']);
  }

  get(key: string): Bson | undefined {
    return this.documents.get(key);
  }

  write(key: string, document: Bson | undefined): void {
    const before = this.documents.get(key);
    for (const index of this.indexes.values()) {
      if (before !== undefined) index.remove(key, before);
      if (document !== undefined) index.add(key, document);
    }
    if (document === undefined) this.documents.delete(key);
    else this.documents.set(key, document);
  }

  /** Idempotent. */
  index(fields: readonly string[]): void {
    const name = fields.join(' ');
    if (this.indexes.has(name)) return;
    const index = new SortedIndex(fields);
    for (const [key, document] of this.documents) index.add(key, document);
    this.indexes.set(name, index);
  }

  /** Candidates from the most selective index; all documents if the filter uses no index. */
  *candidates(filter: Bson): Iterable<Bson> {
    const found = [...this.indexes.values()].flatMap((index) => index.find(filter) ?? []);
    const [best] = found.sort((a, b) => a.size - b.size);
    if (best === undefined) yield* this.documents.values();
    else for (const key of best.keys()) yield this.documents.get(key)!;
  }
}
