import { TraceTable } from '../../read-models/blocks/id-tables.js';
import type { TraceColumn } from '../../read-models/blocks/trace-column.js';
import { MAX_BLOCK_ROWS } from '../../read-models/blocks/block.js';

const FIRST_CAPACITY = 1024;
const UNSEEN = -1;

/**
 * The distinct traces of which a span matched, numbered as they come, compared by all 128 bits.
 * Typed arrays throughout: a search may find a million.
 */
export class MatchedTraces {
  readonly ids = new TraceTable();
  /** Start of the newest span that matched, µs. */
  newestUs = new Float64Array(FIRST_CAPACITY);
  /** How many spans matched. */
  hits = new Uint32Array(FIRST_CAPACITY);
  /** Block and row of the first span that matched. */
  blocks = new Uint32Array(FIRST_CAPACITY);
  rows = new Uint16Array(FIRST_CAPACITY);
  private readonly local = new Int32Array(MAX_BLOCK_ROWS);

  get size(): number {
    return this.ids.size;
  }

  /** Takes in the matching rows of one block. `starts` count from `baseUs`. */
  add(block: number, rows: Uint16Array, column: TraceColumn, starts: Uint32Array | Float64Array, baseUs: number): void {
    const numbers = this.local.fill(UNSEEN, 0, column.ids.length >>> 2);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      const trace = column.local[row];
      let number = numbers[trace];
      if (number === UNSEEN) number = numbers[trace] = this.numberOf(column.ids, trace, block, row);
      this.hits[number]++;
      const startUs = baseUs + starts[row];
      if (startUs > this.newestUs[number]) this.newestUs[number] = startUs;
    }
  }

  private numberOf(ids: Uint32Array, trace: number, block: number, row: number): number {
    const known = this.ids.size;
    const number = this.ids.add(ids, trace * 4);
    if (number < known) return number;
    if (number >= this.hits.length) this.grow();
    this.newestUs[number] = -Infinity;
    this.blocks[number] = block;
    this.rows[number] = row;
    return number;
  }

  private grow(): void {
    const length = this.hits.length * 2;
    this.newestUs = copied(this.newestUs, new Float64Array(length));
    this.hits = copied(this.hits, new Uint32Array(length));
    this.blocks = copied(this.blocks, new Uint32Array(length));
    this.rows = copied(this.rows, new Uint16Array(length));
  }
}

export function copied<A extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
