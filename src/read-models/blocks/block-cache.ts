import type { ReaderForGrid } from '../sharding/shard-readers.js';
import type { BlockCatalogDocument, BlockLocation, BlockSummary, SeqRange } from './block.js';
import { type BlockMemoryAccounting, type BlockSource, CachedBlock } from './cached-block.js';
import { and, eq, range } from '../document-filter.js';
import type { Collection, ReadModelReader } from '../read-model-store.js';
import type { ReleasableCache } from '../../thread-memory.js';

/** Bytes of decoded columns to cache per reader thread. */
export const DEFAULT_CACHE_BYTES = 384 * 1024 * 1024;

/** Catalogs of Grids to cache; the least recently used one is evicted first. */
const MAX_CATALOGS = 256;

/** Fill level after an eviction. */
const FILL_AFTER_EVICTION = 0.9;

/**
 * Part of the limit that lists of blocks may take; beyond it the Grid that was not searched for the longest time makes
 * room. The list of the Grid that is searched stays, however long it is: columns have the rest of the limit, and at least
 * as large a part.
 */
const LIST_FRACTION = 0.5;

/*
 * Memory of a block without columns, of a service and of a replaced range in its summary, in bytes: rounded from the heap
 * growth by thousands of them.
 */
const SUMMARY_BYTES = 700;
const SERVICE_BYTES = 90;
const RANGE_BYTES = 50;

/**
 * Blocks of one kind as one reader thread sees them: summaries of the Grids that were queried, refreshed before each
 * query, and decoded columns, up to a limit in bytes.
 */
export class BlockCache<Document extends BlockSummary & BlockLocation>
  implements BlockListAccounting<Document>, ReleasableCache
{
  private readonly catalogs = new Map<string, BlockCatalog<Document>>();
  /** Bytes of decoded columns, and of lists. */
  private bytes = 0;
  private listBytes = 0;
  /** Value of `now` at the last release. */
  private releasedAt = 0;
  /** Number of queries so far: the clock of the LRU eviction. */
  now = 0;
  private lentBytes = 0;

  constructor(
    private readonly readerForGrid: ReaderForGrid,
    private readonly sizeBytes: number = DEFAULT_CACHE_BYTES,
  ) {}

  /** Lends bytes of the limit to other uses, in place of what was lent before; drops columns that do not fit any more. */
  lend(bytes: number): void {
    this.lentBytes = Math.min(bytes, this.sizeBytes);
    if (this.size > this.maxBytes) this.shrinkTo(this.maxBytes);
  }

  private get maxBytes(): number {
    return this.sizeBytes - this.lentBytes;
  }

  /** Bytes of summaries and decoded columns in memory. */
  get size(): number {
    return this.bytes + this.listBytes;
  }

  /** All current blocks of the Grid, by sequence number. The list is a snapshot. */
  async loadBlocks(collections: BlockCollections<Document>, gridId: string): Promise<readonly CachedBlock<Document>[]> {
    this.now++;
    const catalog = this.catalog(collections, gridId);
    const blocks = await catalog.refresh();
    if (this.listBytes > this.maxBytes * LIST_FRACTION) this.evictListsExcept(catalog);
    return blocks;
  }

  addListBytes(bytes: number): void {
    this.listBytes += bytes;
  }

  addBytes(block: CachedBlock<Document>, bytes: number): void {
    block.bytes += bytes;
    this.bytes += bytes;
    const limit = Math.max(this.maxBytes - this.listBytes, this.maxBytes * (1 - LIST_FRACTION));
    if (this.bytes > limit) this.dropColumnsDownTo(limit * FILL_AFTER_EVICTION);
  }

  /** Drops the columns that no query has read since the previous call, and the Grids that none has searched. */
  releaseUnused(): void {
    for (const [key, catalog] of this.catalogs) {
      if (catalog.usedAt <= this.releasedAt) this.dropCatalog(key, catalog);
      else for (const block of catalog.known) if (block.usedAt <= this.releasedAt) this.dropColumns(block);
    }
    this.releasedAt = this.now;
  }

  /** Drops columns first, then lists of Grids. */
  shrinkTo(bytes: number): void {
    this.dropColumnsDownTo(Math.max(0, bytes - this.listBytes));
    for (const [key, catalog] of this.catalogs) {
      if (this.size <= bytes) return;
      this.dropCatalog(key, catalog);
    }
  }

  private dropColumnsDownTo(bytes: number): void {
    const filled = [...this.catalogs.values()].flatMap((catalog) => catalog.known.filter((block) => block.bytes > 0));
    filled.sort((a, b) => a.usedAt - b.usedAt);
    for (const block of filled) {
      if (this.bytes <= bytes) return;
      this.dropColumns(block);
    }
  }

  forget(block: CachedBlock<Document>): void {
    this.bytes -= block.bytes;
    block.bytes = 0;
  }

  private catalog(collections: BlockCollections<Document>, gridId: string): BlockCatalog<Document> {
    const key = `${collections.blocks.name}/${gridId}`;
    const catalog = this.catalogs.get(key) ?? new BlockCatalog(this, this.readerForGrid(gridId), collections, gridId);
    this.catalogs.delete(key);
    this.catalogs.set(key, catalog);
    catalog.usedAt = this.now;
    if (this.catalogs.size > MAX_CATALOGS) this.evictOldestCatalog();
    return catalog;
  }

  private evictListsExcept(kept: BlockCatalog<Document>): void {
    for (const [key, catalog] of this.catalogs) {
      if (this.listBytes <= this.maxBytes * LIST_FRACTION) return;
      if (catalog !== kept) this.dropCatalog(key, catalog);
    }
  }

  private evictOldestCatalog(): void {
    const [key, catalog] = this.catalogs.entries().next().value!;
    this.dropCatalog(key, catalog);
  }

  private dropCatalog(key: string, catalog: BlockCatalog<Document>): void {
    this.catalogs.delete(key);
    catalog.close();
  }

  private dropColumns(block: CachedBlock<Document>): void {
    this.forget(block);
    block.clear();
  }
}

interface BlockCollections<Document extends BlockSummary & BlockLocation> {
  readonly blocks: Collection<Document>;
  readonly catalogs: Collection<BlockCatalogDocument>;
}

/** The blocks of one Grid, kept up to date by sequence number. */
class BlockCatalog<Document extends BlockSummary & BlockLocation> {
  private bySeq = new Map<number, CachedBlock<Document>>();
  private lastSeq = -1;
  private generation = 0;
  private list: readonly CachedBlock<Document>[] = [];
  private refreshing: Promise<void> = Promise.resolve();
  private listBytes = 0;
  private closed = false;
  /** The query that last used the catalog. */
  usedAt = 0;
  private readonly source: BlockSource<Document>;

  constructor(
    private readonly accounting: BlockListAccounting<Document>,
    private readonly store: ReadModelReader,
    private readonly collections: BlockCollections<Document>,
    private readonly gridId: string,
  ) {
    this.source = { store, blocks: collections.blocks };
  }

  /** Blocks as of the last refresh, ascending by sequence number. */
  get known(): readonly CachedBlock<Document>[] {
    return this.list;
  }

  /** Loads changes, one refresh at a time: an older result must not overwrite a newer one. */
  async refresh(): Promise<readonly CachedBlock<Document>[]> {
    const refreshed = this.refreshing.then(() => this.loadChanges());
    this.refreshing = refreshed.catch(() => undefined);
    await refreshed;
    return this.list;
  }

  /** The generation is read first: if it changes afterwards, the next refresh notices. */
  private async loadChanges(): Promise<void> {
    const generation = (await this.store.get(this.collections.catalogs, this.gridId))?.generation ?? 0;
    const startsAnew = generation !== this.generation;
    const found = await this.store.find(this.collections.blocks, {
      filter: startsAnew ? eq('gridId', this.gridId) : and(eq('gridId', this.gridId), range('seq', this.lastSeq + 1)),
      sort: [{ field: 'seq' }],
    });
    if (found.length === 0 && !startsAnew) return;
    const before = this.bySeq;
    this.bySeq = new Map(startsAnew ? [] : before);
    this.generation = generation;
    for (const { id, document } of found) this.addBlock(id, document, before);
    for (const [seq, block] of before) if (!this.bySeq.has(seq)) this.detach(block);
    this.list = [...this.bySeq.values()].sort((a, b) => a.document.seq - b.document.seq);
    // Evicted while it was refreshed: the query gets its list, and nobody counts it.
    if (this.closed) this.list.forEach((block) => this.detach(block));
    else this.countList(this.list.reduce((sum, { document }) => sum + estimateSummaryBytes(document), 0));
  }

  /** Detaches all blocks. */
  close(): void {
    this.closed = true;
    this.list.forEach((block) => this.detach(block));
    this.countList(0);
  }

  private countList(bytes: number): void {
    this.accounting.addListBytes(bytes - this.listBytes);
    this.listBytes = bytes;
  }

  private detach(block: CachedBlock<Document>): void {
    block.detached = true;
    this.accounting.forget(block);
  }

  private addBlock(id: string, document: Document, before: ReadonlyMap<number, CachedBlock<Document>>): void {
    for (const replaced of document.replaces) this.dropRange(replaced);
    this.bySeq.set(
      document.seq,
      before.get(document.seq) ?? new CachedBlock(id, document, this.accounting, this.source),
    );
    this.lastSeq = Math.max(this.lastSeq, document.seq);
  }

  private dropRange([first, last]: SeqRange): void {
    for (let seq = first; seq <= last; seq++) this.bySeq.delete(seq);
  }
}

function estimateSummaryBytes({ services, replaces }: BlockSummary): number {
  return SUMMARY_BYTES + services.length * SERVICE_BYTES + replaces.length * RANGE_BYTES;
}

/** Accounts for the memory of lists and their blocks. */
interface BlockListAccounting<Document extends BlockSummary & BlockLocation> extends BlockMemoryAccounting<Document> {
  /** Called by a Grid whose list grew, or shrank (negative bytes). */
  addListBytes(bytes: number): void;
}
