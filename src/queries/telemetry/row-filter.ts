import {
  type BlockColumn,
  type BlockLocation,
  type BlockSummary,
  MAX_BLOCK_ROWS,
} from '../../read-models/blocks/block.js';
import type { CachedBlock } from '../../read-models/blocks/cached-block.js';
import { intersectRows } from '../../read-models/blocks/posting-lists.js';
import { TAG_BLOOM, tagCondition, type TagCondition } from '../../read-models/blocks/block-search-conditions.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';

const EVERY_ROW = Uint16Array.from({ length: MAX_BLOCK_ROWS }, (_, row) => row);

/**
 * Row numbers of one block that meet all conditions so far. Each condition is one pass over the remaining rows of one
 * column, without allocating objects per row.
 */
export class RowFilter {
  private readonly kept = new Uint16Array(MAX_BLOCK_ROWS);
  private rows: Uint16Array = EVERY_ROW;
  private count = 0;

  /** Starts with rows 0 to `count` − 1. */
  startWithAll(count: number): this {
    this.rows = EVERY_ROW;
    this.count = count;
    return this;
  }

  startWith(rows: Uint16Array): this {
    this.rows = rows;
    this.count = rows.length;
    return this;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Number of remaining rows. */
  get size(): number {
    return this.count;
  }

  equal(column: Uint16Array, value: number): this {
    const { rows, kept } = this;
    let remaining = 0;
    for (let i = 0; i < this.count; i++) {
      const row = rows[i];
      if (column[row] === value) kept[remaining++] = row;
    }
    return this.keep(remaining);
  }

  /** Keeps rows with from ≤ value < to. */
  within(column: Uint32Array | Float64Array | Uint8Array, from: number, to: number): this {
    const { rows, kept } = this;
    let remaining = 0;
    for (let i = 0; i < this.count; i++) {
      const row = rows[i];
      const value = column[row];
      if (value >= from && value < to) kept[remaining++] = row;
    }
    return this.keep(remaining);
  }

  /** Keeps rows where `test[value]` is 1. */
  passing(column: Uint8Array, test: Uint8Array): this {
    const { rows, kept } = this;
    let remaining = 0;
    for (let i = 0; i < this.count; i++) {
      const row = rows[i];
      if (test[column[row]] === 1) kept[remaining++] = row;
    }
    return this.keep(remaining);
  }

  /** Keeps rows whose two words equal `a` and `b`. */
  equalPair(words: Uint32Array, a: number, b: number): this {
    const { rows, kept } = this;
    let remaining = 0;
    for (let i = 0; i < this.count; i++) {
      const row = rows[i];
      if (words[row * 2] === a && words[row * 2 + 1] === b) kept[remaining++] = row;
    }
    return this.keep(remaining);
  }

  /** A copy of the remaining row numbers. */
  take(): Uint16Array {
    return this.rows.slice(0, this.count);
  }

  private keep(remaining: number): this {
    this.rows = this.kept;
    this.count = remaining;
    return this;
  }
}

/** A condition that one column of a block can answer. */
export interface PostingCondition<Document> {
  /** A block can only have matches if its tag Bloom filter has each of these. */
  readonly hashes: readonly number[];
  /** Rows that meet it, ascending. */
  readonly column: BlockColumn<Document, Uint16Array>;
}

export function buildTagConditions(tags: Readonly<Record<string, string>> = {}): TagCondition[] {
  return Object.entries(tags).map(([key, text]) => tagCondition(key, text));
}

/**
 * Rows that meet all conditions (at least one is required). The Bloom filter avoids reading the posting lists of most
 * blocks without matches.
 */
export async function findPostingRows<D extends BlockSummary & BlockLocation>(
  block: CachedBlock<D>,
  conditions: readonly PostingCondition<NoInfer<D>>[],
  timeSlice: TimeSlice,
): Promise<Uint16Array> {
  const bloom = await block.read(TAG_BLOOM);
  if (conditions.some(({ hashes }) => hashes.some((hash) => !bloom.has(hash)))) return new Uint16Array(0);
  let rows: Uint16Array | undefined;
  for (const { column } of conditions) {
    await timeSlice.yieldIfDue();
    const met = await block.read(column);
    rows = rows === undefined ? met : intersectRows(rows, met);
    if (rows.length === 0) break;
  }
  return rows ?? new Uint16Array(0);
}
