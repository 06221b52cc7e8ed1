import { packAddress } from './span-location.js';

const INITIAL_CAPACITY = 1024;

/**
 * Distinct traces by dictionary number (see TraceIdDictionary) in order of insertion, each with its earliest span so
 * far.
 */
export class EarliestSpanTable {
  size = 0;
  numbers = new Uint32Array(INITIAL_CAPACITY);
  startUs = new Float64Array(INITIAL_CAPACITY);
  /** Packed span addresses. */
  private spans = new Float64Array(INITIAL_CAPACITY);
  /**
   * Other spans that start in the same µs as the earliest one. Nanoseconds and ids, which decide, are only read if
   * needed.
   */
  private readonly ties = new Map<number, number[]>();
  /** By trace number: index of the trace in this table plus one, 0 if absent. */
  private places = new Uint32Array(INITIAL_CAPACITY);

  has(number: number): boolean {
    return number < this.places.length && this.places[number] !== 0;
  }

  /** Adds a span of a trace if it may be the earliest one. */
  offer(number: number, startUs: number, block: number, row: number): void {
    const span = packAddress(block, row);
    if (!this.has(number)) {
      this.reserve(number);
      this.places[number] = ++this.size;
      this.numbers[this.size - 1] = number;
      this.startUs[this.size - 1] = startUs;
      this.spans[this.size - 1] = span;
      return;
    }
    const place = this.places[number] - 1;
    if (startUs === this.startUs[place]) this.addTie(place, span);
    if (startUs >= this.startUs[place]) return;
    this.startUs[place] = startUs;
    this.spans[place] = span;
    if (this.ties.size > 0) this.ties.delete(place);
  }

  /** Appends in place: any number of spans of a trace may start at the same time. */
  private addTie(place: number, span: number): void {
    const others = this.ties.get(place);
    if (others === undefined) this.ties.set(place, [span]);
    else others.push(span);
  }

  /** Addresses of all spans that may be the earliest one of the trace at this index; at least one. */
  candidates(place: number): readonly number[] {
    return [this.spans[place], ...(this.ties.get(place) ?? [])];
  }

  private reserve(number: number): void {
    if (number >= this.places.length) {
      const places = new Uint32Array(Math.max(number + 1, this.places.length * 2));
      places.set(this.places);
      this.places = places;
    }
    if (this.size < this.startUs.length) return;
    const numbers = new Uint32Array(this.size * 2);
    numbers.set(this.numbers);
    this.numbers = numbers;
    this.startUs = doubleCapacity(this.startUs);
    this.spans = doubleCapacity(this.spans);
  }
}

function doubleCapacity(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2);
  larger.set(column);
  return larger;
}
