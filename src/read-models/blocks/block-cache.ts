import type { ReaderOf } from '../shares/readers-by-grid.js';
import { BlockCatalog, type BlockCollections } from './block-catalog.js';
import type { BlockPlace, BlockSummary } from './block.js';
import type { Block, BlockKeeper } from './cached-block.js';

/** Decoded columns kept per reader thread. */
export const DEFAULT_CACHE_BYTES = 384 * 1024 * 1024;

/** Catalogs of Grids kept; the one that was asked for the longest ago leaves first. */
const MAX_CATALOGS = 256;

/** After an eviction this share of the bound is in use. */
const FILL_AFTER_EVICTION = 0.9;

/**
 * Blocks of one kind as one reader thread sees them: summaries of the Grids it was asked about, kept current before
 * each query, and decoded columns up to a bound in bytes.
 */
export class BlockCache<Document extends BlockSummary & BlockPlace> implements BlockKeeper<Document> {
  private readonly catalogs = new Map<string, BlockCatalog<Document>>();
  private bytes = 0;
  /** Counts queries: the clock of least recent use. */
  now = 0;

  constructor(
    private readonly readerOf: ReaderOf,
    private readonly maxBytes: number = DEFAULT_CACHE_BYTES,
  ) {}

  /** Bytes of decoded columns in memory. */
  get size(): number {
    return this.bytes;
  }

  /** All blocks of the Grid as of now, by sequence number. The list is a snapshot. */
  async blocks(collections: BlockCollections<Document>, gridId: string): Promise<readonly Block<Document>[]> {
    this.now++;
    return this.catalog(collections, gridId).current();
  }

  grew(block: Block<Document>, bytes: number): void {
    block.bytes += bytes;
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) this.evict();
  }

  forget(block: Block<Document>): void {
    this.bytes -= block.bytes;
    block.bytes = 0;
  }

  private catalog(collections: BlockCollections<Document>, gridId: string): BlockCatalog<Document> {
    const key = `${collections.blocks.name}/${gridId}`;
    const catalog = this.catalogs.get(key) ?? new BlockCatalog(this, this.readerOf(gridId), collections, gridId);
    this.catalogs.delete(key);
    this.catalogs.set(key, catalog);
    if (this.catalogs.size > MAX_CATALOGS) this.forgetOldest();
    return catalog;
  }

  private forgetOldest(): void {
    const [key, catalog] = this.catalogs.entries().next().value!;
    this.catalogs.delete(key);
    catalog.close();
  }

  private evict(): void {
    const filled = [...this.catalogs.values()].flatMap((catalog) => catalog.known.filter((block) => block.bytes > 0));
    filled.sort((a, b) => a.usedAt - b.usedAt);
    for (const block of filled) {
      if (this.bytes <= this.maxBytes * FILL_AFTER_EVICTION) return;
      this.forget(block);
      block.clear();
    }
  }
}
