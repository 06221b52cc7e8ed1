import { MAX_BLOCK_ROWS } from '../../read-models/blocks/block.js';

const EVERY_ROW = Uint16Array.from({ length: MAX_BLOCK_ROWS }, (_, row) => row);

/**
 * Rows of one block that meet all conditions so far. Each condition is one pass over what is left,
 * column by column, without an object a row.
 */
export class RowFilter {
  private readonly kept = new Uint16Array(MAX_BLOCK_ROWS);
  private rows: Uint16Array = EVERY_ROW;
  private count = 0;

  /** Starts with the rows 0 to `count` − 1. */
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

  /** How many rows are left. */
  get size(): number {
    return this.count;
  }

  equal(column: Uint16Array, value: number): this {
    const { rows, kept } = this;
    let left = 0;
    for (let i = 0; i < this.count; i++) {
      const row = rows[i];
      if (column[row] === value) kept[left++] = row;
    }
    return this.keep(left);
  }

  /** from ≤ value < to. */
  within(column: Uint32Array | Float64Array | Uint8Array, from: number, to: number): this {
    const { rows, kept } = this;
    let left = 0;
    for (let i = 0; i < this.count; i++) {
      const row = rows[i];
      const value = column[row];
      if (value >= from && value < to) kept[left++] = row;
    }
    return this.keep(left);
  }

  /** Rows where `test[value]` is 1. */
  passing(column: Uint8Array, test: Uint8Array): this {
    const { rows, kept } = this;
    let left = 0;
    for (let i = 0; i < this.count; i++) {
      const row = rows[i];
      if (test[column[row]] === 1) kept[left++] = row;
    }
    return this.keep(left);
  }

  /** Rows whose two words are these. */
  equalPair(words: Uint32Array, a: number, b: number): this {
    const { rows, kept } = this;
    let left = 0;
    for (let i = 0; i < this.count; i++) {
      const row = rows[i];
      if (words[row * 2] === a && words[row * 2 + 1] === b) kept[left++] = row;
    }
    return this.keep(left);
  }

  /** What is left, as an array of its own. */
  take(): Uint16Array {
    return this.rows.slice(0, this.count);
  }

  private keep(left: number): this {
    this.rows = this.kept;
    this.count = left;
    return this;
  }
}
