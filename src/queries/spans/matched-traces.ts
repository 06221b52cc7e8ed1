import type { TraceRows } from './trace-rows.js';

const FIRST_CAPACITY = 1024;

/**
 * The distinct traces of which a span matched, in the order in which they were found. Traces come by number
 * (see TraceNumbers). Typed arrays throughout: a search may find a million.
 */
export class MatchedTraces {
  size = 0;
  /** Number of each. */
  numbers = new Uint32Array(FIRST_CAPACITY);
  /** Start of the newest span that matched, µs. */
  newestUs = new Float64Array(FIRST_CAPACITY);
  /** How many spans matched. */
  hits = new Uint32Array(FIRST_CAPACITY);
  /** Block and row of the first span that matched. */
  blocks = new Uint32Array(FIRST_CAPACITY);
  rows = new Uint16Array(FIRST_CAPACITY);
  /** By trace number: its place here plus one, 0 while it was not found. */
  private places = new Uint32Array(FIRST_CAPACITY);

  /** Takes in the rows of one block that match. */
  add(rows: Uint16Array, { block, local, numbers, starts, baseUs }: TraceRows): void {
    this.reserve(numbers);
    const { places, hits, newestUs } = this;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      const number = numbers[local[row]];
      if (places[number] === 0) this.found(number, block, row);
      const place = places[number] - 1;
      hits[place]++;
      const startUs = baseUs + starts[row];
      if (startUs > newestUs[place]) newestUs[place] = startUs;
    }
  }

  private found(number: number, block: number, row: number): void {
    const place = this.size++;
    this.places[number] = place + 1;
    this.numbers[place] = number;
    this.newestUs[place] = -Infinity;
    this.blocks[place] = block;
    this.rows[place] = row;
  }

  /** Makes room for every trace of a block, so that the arrays stay in place while its rows are taken in. */
  private reserve(numbers: Uint32Array): void {
    let largest = 0;
    for (let i = 0; i < numbers.length; i++) if (numbers[i] > largest) largest = numbers[i];
    if (largest >= this.places.length) this.places = copied(this.places, new Uint32Array(Math.max(largest + 1, this.places.length * 2)));
    const wanted = this.size + numbers.length;
    if (wanted <= this.hits.length) return;
    const length = Math.max(wanted, this.hits.length * 2);
    this.numbers = copied(this.numbers, new Uint32Array(length));
    this.newestUs = copied(this.newestUs, new Float64Array(length));
    this.hits = copied(this.hits, new Uint32Array(length));
    this.blocks = copied(this.blocks, new Uint32Array(length));
    this.rows = copied(this.rows, new Uint16Array(length));
  }
}

function copied<A extends Float64Array | Uint32Array | Uint16Array>(from: A, into: A): A {
  into.set(from);
  return into;
}
