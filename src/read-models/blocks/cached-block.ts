import { type BlockColumn, type BlockLocation, type BlockSummary, PACKED_BLOB, unpackColumnBlobs } from './block.js';
import type { Collection, ReadModelReader } from '../read-model-store.js';
import { Section } from './section.js';

/** Memory overhead of an entry in bytes. */
const ENTRY_BYTES = 160;

/** Where the blocks of a Grid are stored. */
export interface BlockSource<Document extends BlockSummary & BlockLocation> {
  readonly store: ReadModelReader;
  readonly blocks: Collection<Document>;
}

/** Accounts for the memory of blocks. */
export interface BlockMemoryAccounting<Document extends BlockSummary & BlockLocation> {
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

  /** A column that a query made from what blobs do not tell; undefined if none is kept under this name. */
  findDerived(name: string): unknown {
    this.usedAt = this.accounting.now;
    return this.columns.get(name);
  }

  /** Keeps a derived column like those that were read. Names of derived columns must differ from those of others. */
  keepDerived(name: string, value: unknown, bytes: number): void {
    if (this.columns.has(name)) return;
    this.columns.set(name, value);
    if (!this.detached) this.accounting.addBytes(this, bytes + ENTRY_BYTES);
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
