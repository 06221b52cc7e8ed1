import type { Collection, ReadModelReader } from '../read-model-store.js';
import { type BlockColumn, type BlockLocation, type BlockSummary, PACKED_BLOB, unpackColumnBlobs } from './block.js';
import { Section } from './section.js';

/** What an entry costs beside its values. */
const ENTRY_BYTES = 160;

/** Where blocks of a Grid stand. */
export interface BlockSource<Document extends BlockSummary & BlockLocation> {
  readonly store: ReadModelReader;
  readonly blocks: Collection<Document>;
}

/** Who accounts for the memory of blocks. */
export interface BlockMemoryAccounting<Document extends BlockSummary & BlockLocation> {
  /** Counts queries: the clock of least recent use. */
  readonly now: number;
  /** Told by a block whose columns grew. */
  addBytes(block: CachedBlock<Document>, bytes: number): void;
  /** Counts a block no longer that left its catalog. */
  forget(block: CachedBlock<Document>): void;
}

/** A block that a reader knew is no longer in the store: a merge or retention took it away. */
export class BlockGoneError extends Error {
  override readonly name = 'BlockGone';
  readonly code = 'block-gone';
}

/** A block with those of its columns that were read lately. */
export class CachedBlock<Document extends BlockSummary & BlockLocation> {
  private readonly columns = new Map<string, unknown>();
  /** Size of the decoded columns, and the query that last read one. */
  bytes = 0;
  usedAt = 0;
  /** True: no catalog holds the block any more, only queries under way do. For them it keeps what was read of it. */
  detached = false;

  constructor(
    readonly id: string,
    readonly document: Document,
    private readonly keeper: BlockMemoryAccounting<Document>,
    private readonly source: BlockSource<Document>,
  ) {}

  /**
   * A column, from memory where it is there: then at once, without a promise. It is shared: do not change it.
   * Rejects with BlockGone.
   */
  read<Value>(column: BlockColumn<Document, Value>): Value | Promise<Value> {
    this.usedAt = this.keeper.now;
    const known = this.columns.get(column.name) as Value | undefined;
    return known ?? this.load(column);
  }

  /** Forgets the decoded columns. */
  clear(): void {
    this.columns.clear();
  }

  private async load<Value>(column: BlockColumn<Document, Value>): Promise<Value> {
    const value = column.decode(await this.sections(column.blobs(this.document)), this.document);
    if (this.columns.has(column.name)) return value;
    this.columns.set(column.name, value);
    if (!this.detached) this.keeper.addBytes(this, column.bytes(value) + ENTRY_BYTES);
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
