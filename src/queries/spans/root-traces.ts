import { TraceTable } from '../../read-models/blocks/id-tables.js';
import { copied } from './matched-traces.js';

const FIRST_CAPACITY = 1024;

/** Block (its index) and row as one number. */
export type PackedPlace = number;

const ROWS_PER_BLOCK = 2 ** 16;

export function packPlace(block: number, row: number): PackedPlace {
  return block * ROWS_PER_BLOCK + row;
}

export function unpackPlace(place: PackedPlace): { block: number; row: number } {
  return { block: Math.floor(place / ROWS_PER_BLOCK), row: place % ROWS_PER_BLOCK };
}

/** Distinct traces with their earliest span so far, numbered as they come. */
export class EarliestSpans {
  readonly ids = new TraceTable();
  startUs = new Float64Array(FIRST_CAPACITY);
  private places = new Float64Array(FIRST_CAPACITY);
  /** More spans that start in the same µs as the earliest known one: nanoseconds and ids decide, later and seldom. */
  private readonly ties = new Map<number, PackedPlace[]>();

  get size(): number {
    return this.ids.size;
  }

  /** Offers a span of the trace `words[at, at + 4)`. */
  offer(words: Uint32Array, at: number, startUs: number, place: PackedPlace): void {
    const known = this.ids.size;
    const number = this.ids.add(words, at);
    if (number >= this.startUs.length) this.grow();
    if (number === known || startUs < this.startUs[number]) {
      this.startUs[number] = startUs;
      this.places[number] = place;
      if (this.ties.size > 0) this.ties.delete(number);
    } else if (startUs === this.startUs[number]) {
      this.ties.set(number, [...(this.ties.get(number) ?? []), place]);
    }
  }

  /** All spans that may be the earliest one of the trace. */
  placesOf(number: number): PackedPlace[] {
    return [this.places[number], ...(this.ties.get(number) ?? [])];
  }

  private grow(): void {
    this.startUs = copied(this.startUs, new Float64Array(this.startUs.length * 2));
    this.places = copied(this.places, new Float64Array(this.places.length * 2));
  }
}
