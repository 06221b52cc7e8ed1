import { LINK_WINDOW_MS } from '../deduplication/batch-span-index.js';
import { SPAN_NUMBER_RANGE } from '../deduplication/recent-spans.js';

/** No span. */
export const NONE = -1;

/** Bits of `flags`. This one: the span has status ERROR. */
export const ERROR = 1;
/** Has a child with status ERROR. */
export const ERROR_BELOW = 1 << 1;
/** A call that a span answers. */
export const ANSWERED = 1 << 2;
/** A CLIENT span around another CLIENT span of the same service, which makes the call. */
export const WRAPPER = 1 << 3;
/** Counts as a call to a virtual node. */
export const VIRTUAL = 1 << 4;
/** One of the listed children is a remote call. */
export const REMOTE_BELOW = 1 << 5;
/** Its self time has to be recomputed. */
export const STALE = 1 << 6;
/** Is one of the listed children of its parent. */
export const LISTED = 1 << 7;

const MINUTE_US = 60_000_000;
const MIN_SLOTS = 1 << 10;
const LAST_NUMBER = SPAN_NUMBER_RANGE - 1;

/**
 * Spans that may still get relatives, in the order of their numbers: columns over a ring of slots, about 70 bytes per
 * span. Spans refer to each other by number.
 */
export class SpanRingBuffer {
  /** Log time of the event (ms), and spans counted before it, wrapped like span numbers. */
  time = new Float64Array(MIN_SLOTS);
  counted = new Int32Array(MIN_SLOTS);
  startUs = new Float64Array(MIN_SLOTS);
  startNs = new Uint16Array(MIN_SLOTS);
  /** At least 0. */
  durationNs = new Float64Array(MIN_SLOTS);
  /** Minute in which the span ended, since 1970. */
  minute = new Int32Array(MIN_SLOTS);
  /** See SpanSeriesInterner; NONE if the span is not in the buffer any more. */
  series = new Int32Array(MIN_SLOTS);
  /** Name id of the peer of a call. */
  peer = new Int32Array(MIN_SLOTS);
  flags = new Uint8Array(MIN_SLOTS);
  parent = new Int32Array(MIN_SLOTS);
  /** Listed child with the latest start; number of listed children; and the next child of the same parent. */
  firstChild = new Int32Array(MIN_SLOTS);
  children = new Uint8Array(MIN_SLOTS);
  nextChild = new Int32Array(MIN_SLOTS);
  /** Span that answers a CLIENT span. */
  answer = new Int32Array(MIN_SLOTS);
  /** As counted, or as it will be counted: see isNew. */
  selfNs = new Float64Array(MIN_SLOTS);
  /** No span starts before this (µs). */
  oldestUs = Infinity;
  private mask = MIN_SLOTS - 1;
  private first = 0;
  private next = 0;
  private appended = 0;

  /** `reach`: see RecentSpans. */
  constructor(private readonly reach: number) {}

  /** Removes all spans; the next one has this number. */
  clear(next: number): void {
    this.first = this.next = next & LAST_NUMBER;
    this.oldestUs = Infinity;
  }

  get size(): number {
    return (this.next - this.first) & LAST_NUMBER;
  }

  /** Number of the oldest span. */
  get oldest(): number {
    return this.first;
  }

  /** Whether a span with this number is in the buffer, or was and left a gap. */
  has(number: number): boolean {
    return this.age(number) < this.size;
  }

  slot(number: number): number {
    return number & this.mask;
  }

  /** Appends empty slots for spans with the following numbers. */
  reserve(count: number): void {
    if (this.size + count > this.mask + 1) this.grow(this.size + count);
    const from = this.next & this.mask;
    const beyond = from + count - (this.mask + 1);
    this.reset(from, from + count);
    if (beyond > 0) this.reset(0, beyond);
    this.next = (this.next + count) & LAST_NUMBER;
    this.appended = count;
  }

  /** Whether a span is one of those reserved last: its self time is counted when all of them are linked. */
  isNew(number: number): boolean {
    return this.age(number) < this.appended;
  }

  /** Removes spans that are more than `reach` spans or `ms` away from an event. */
  trim(time: number, counted: number, reach: number, ms: number): void {
    for (; this.first !== this.next; this.first = (this.first + 1) & LAST_NUMBER) {
      const slot = this.first & this.mask;
      if (this.series[slot] === NONE) continue;
      if (((counted - this.counted[slot]) & LAST_NUMBER) <= reach && time - this.time[slot] < ms) return;
    }
  }

  /** End of the span, whole µs since 1970. */
  endUs(slot: number): number {
    return this.startUs[slot] + Math.floor((this.startNs[slot] + this.durationNs[slot]) / 1000);
  }

  /** Start of a span relative to that of another, in ns. */
  startAfter(slot: number, other: number): number {
    return (this.startUs[slot] - this.startUs[other]) * 1000 + this.startNs[slot] - this.startNs[other];
  }

  /** Whether a span starts before another; of two that start together, the longer one comes first. */
  startsBefore(slot: number, other: number): boolean {
    const after = this.startAfter(slot, other);
    return after < 0 || (after === 0 && this.durationNs[slot] > this.durationNs[other]);
  }

  /** Whether two spans arrived within reach of each other. */
  areNear(slot: number, other: number): boolean {
    const distance = (this.counted[slot] - this.counted[other]) & LAST_NUMBER;
    return (
      Math.min(distance, SPAN_NUMBER_RANGE - distance) <= this.reach &&
      Math.abs(this.time[slot] - this.time[other]) < LINK_WINDOW_MS
    );
  }

  /** Number of spans since this one. */
  age(number: number): number {
    return (this.next - 1 - number) & LAST_NUMBER;
  }

  /** Visits all spans, oldest first. */
  forEach(visit: (number: number, slot: number) => void): void {
    this.forEachInRange(this.first, this.size, visit);
  }

  /** Visits the spans among these `count` numbers. */
  forEachInRange(from: number, count: number, visit: (number: number, slot: number) => void): void {
    for (let i = 0; i < count; i++) {
      const number = (from + i) & LAST_NUMBER;
      if (this.series[number & this.mask] !== NONE) visit(number, number & this.mask);
    }
  }

  private reset(from: number, to: number): void {
    for (const column of [this.series, this.parent, this.firstChild, this.nextChild, this.answer])
      column.fill(NONE, from, to);
    this.children.fill(0, from, to);
    this.flags.fill(0, from, to);
  }

  /**
   * Grows to hold this many spans. The slot of a number stays the same or moves up by a multiple of the old size: the
   * old content is copied to all of these places.
   */
  private grow(spans: number): void {
    const before = this.mask + 1;
    const isEmpty = this.size === 0;
    let slots = before;
    while (slots < spans) slots *= 2;
    const moved = <A extends Float64Array | Int32Array | Uint16Array | Uint8Array>(column: A): A => {
      const into = new (column.constructor as new (length: number) => A)(slots);
      if (!isEmpty) for (let at = 0; at < slots; at += before) into.set(column, at);
      return into;
    };
    this.time = moved(this.time);
    this.counted = moved(this.counted);
    this.startUs = moved(this.startUs);
    this.startNs = moved(this.startNs);
    this.durationNs = moved(this.durationNs);
    this.minute = moved(this.minute);
    this.series = moved(this.series);
    this.peer = moved(this.peer);
    this.flags = moved(this.flags);
    this.parent = moved(this.parent);
    this.firstChild = moved(this.firstChild);
    this.children = moved(this.children);
    this.nextChild = moved(this.nextChild);
    this.answer = moved(this.answer);
    this.selfNs = moved(this.selfNs);
    this.mask = slots - 1;
  }
}

export function toMinute(us: number): number {
  return Math.floor(us / MINUTE_US);
}
