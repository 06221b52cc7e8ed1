import { packAddress } from './span-location.js';

const INITIAL_CAPACITY = 1024;

/** Distinct traces, by number (see TraceNumbers), with their earliest span so far; in the order in which they came. */
export class EarliestSpanTable {
  size = 0;
  numbers = new Uint32Array(INITIAL_CAPACITY);
  startUs = new Float64Array(INITIAL_CAPACITY);
  /** Addresses. */
  private spans = new Float64Array(INITIAL_CAPACITY);
  /** More spans that start in the same µs as the earliest known one: nanoseconds and ids decide, later and seldom. */
  private readonly ties = new Map<number, number[]>();
  /** By trace number: its place here plus one, 0 while it did not come. */
  private places = new Uint32Array(INITIAL_CAPACITY);

  has(number: number): boolean {
    return number < this.places.length && this.places[number] !== 0;
  }

  /** Offers a span of a trace. */
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

  /** Appends in place: all spans of a trace of any size may start at once. */
  private addTie(place: number, span: number): void {
    const others = this.ties.get(place);
    if (others === undefined) this.ties.set(place, [span]);
    else others.push(span);
  }

  /** Addresses of all spans that may be the earliest one of the trace at this place; at least one. */
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
