import type { ReaderForGrid } from '../sharding/shard-readers.js';
import {
  type BlockCatalogDocument,
  type BlockColumn,
  type BlockLocation,
  type BlockSummary,
  PACKED_BLOB,
  type SeqRange,
  unpackColumnBlobs,
} from './block.js';
import { and, eq, range } from '../document-filter.js';
import type { Collection, ReadModelReader } from '../read-model-store.js';
import { Section } from './section.js';
import type { ReleasableCache } from '../../thread-memory.js';

/** Bytes of decoded columns to cache per reader thread. */
export const DEFAULT_CACHE_BYTES = 384 * 1024 * 1024;

/** Catalogs of Grids to cache; the least recently used one is evicted first. */
const MAX_CATALOGS = 256;

/** Fill level after an eviction. */
const FILL_AFTER_EVICTION = 0.9;

/**
 * Blocks of one kind as one reader thread sees them: summaries of the Grids that were queried, refreshed before each
 * query, and decoded columns up to a limit in bytes.
 */
export class BlockCache<Document extends BlockSummary & BlockLocation>
  implements BlockMemoryAccounting<Document>, ReleasableCache
{
  private readonly catalogs = new Map<string, BlockCatalog<Document>>();
  private bytes = 0;
  /** Value of `now` at the last release. */
  private releasedAt = 0;
  /** Number of queries so far: the clock of the LRU eviction. */
  now = 0;

  constructor(
    private readonly readerForGrid: ReaderForGrid,
    private readonly maxBytes: number = DEFAULT_CACHE_BYTES,
  ) {}

  /** Bytes of decoded columns in memory. */
  get size(): number {
    return this.bytes;
  }

  /** All current blocks of the Grid, by sequence number. The list is a snapshot. */
  async loadBlocks(collections: BlockCollections<Document>, gridId: string): Promise<readonly CachedBlock<Document>[]> {
    this.now++;
    return this.catalog(collections, gridId).refresh();
  }

  addBytes(block: CachedBlock<Document>, bytes: number): void {
    block.bytes += bytes;
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) this.shrinkTo(this.maxBytes * FILL_AFTER_EVICTION);
  }

  /** Drops the columns that no query has read since the previous call, and the Grids that none has searched. */
  releaseUnused(): void {
    for (const [key, catalog] of this.catalogs) {
      if (catalog.usedAt <= this.releasedAt) this.dropCatalog(key, catalog);
      else for (const block of catalog.known) if (block.usedAt <= this.releasedAt) this.dropColumns(block);
    }
    this.releasedAt = this.now;
  }

  shrinkTo(bytes: number): void {
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
  /** The query that last used the catalog. */
  usedAt = 0;
  private readonly source: BlockSource<Document>;

  constructor(
    private readonly accounting: BlockMemoryAccounting<Document>,
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
  }

  /** Detaches all blocks. */
  close(): void {
    this.list.forEach((block) => this.detach(block));
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

/** Memory overhead of an entry in bytes. */
const ENTRY_BYTES = 160;

/** Where the blocks of a Grid are stored. */
interface BlockSource<Document extends BlockSummary & BlockLocation> {
  readonly store: ReadModelReader;
  readonly blocks: Collection<Document>;
}

/** Accounts for the memory of blocks. */
interface BlockMemoryAccounting<Document extends BlockSummary & BlockLocation> {
  /** Number of queries so far: the clock of the LRU eviction. */
  readonly now: number;
  /** Called by a block whose columns grew. */
  addBytes(block: CachedBlock<Document>, bytes: number): void;
  /** Stops accounting for a block that was removed from its catalog. */
  forget(block: CachedBlock<Document>): void;
}

/** A known block is no longer in the store: a merge or retention removed it. */
class BlockGoneError extends Error {
  override readonly name = 'BlockGone';
  readonly code = 'block-gone';
}

/** A block with its recently read columns. */
export class CachedBlock<Document extends BlockSummary & BlockLocation> {
  private readonly columns = new Map<string, unknown>();
  /** Size of the decoded columns, and the query that last read one. */
  bytes = 0;
  usedAt = 0;
  /** True: no catalog contains the block any more, only running queries use it. Its columns stay available to them. */
  detached = false;

  constructor(
    readonly id: string,
    readonly document: Document,
    private readonly accounting: BlockMemoryAccounting<Document>,
    private readonly source: BlockSource<Document>,
  ) {}

  /**
   * Returns a column, synchronously if it is in memory. It is shared: do not modify it. Rejects with BlockGoneError.
   */
  read<Value>(column: BlockColumn<Document, Value>): Value | Promise<Value> {
    this.usedAt = this.accounting.now;
    const known = this.columns.get(column.name) as Value | undefined;
    return known ?? this.load(column);
  }

  /** Drops the decoded columns. */
  clear(): void {
    this.columns.clear();
  }

  private async load<Value>(column: BlockColumn<Document, Value>): Promise<Value> {
    const value = column.decode(await this.sections(column.blobs(this.document)), this.document);
    if (this.columns.has(column.name)) return value;
    this.columns.set(column.name, value);
    if (!this.detached) this.accounting.addBytes(this, column.bytes(value) + ENTRY_BYTES);
    return value;
  }

  private async sections(names: readonly string[]): Promise<Section[]> {
    if (!this.document.packed) return Promise.all(names.map(async (name) => new Section(await this.blob(name))));
    const blobs = unpackColumnBlobs(true, { [PACKED_BLOB]: await this.blob(PACKED_BLOB) });
    return names.map((name) => new Section(blobs[name]));
  }

  private async blob(name: string): Promise<Uint8Array> {
    const blob = await this.source.store.readBlob(this.source.blocks, this.id, name);
    if (blob === undefined) throw new BlockGoneError(`block ${this.id} has no ${name} any more`);
    return blob;
  }
}
