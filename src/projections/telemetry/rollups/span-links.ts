import { REMEMBERED_MS, type RecentSpans } from '../recent-spans.js';
import { SelfTimes } from './self-times.js';
import type { SpanBookings } from './span-bookings.js';
import { SpanCalls } from './span-calls.js';
import type { SpanNames } from './span-names.js';
import { ERROR, ERROR_BELOW, LISTED, NONE, type SpanRing } from './span-ring.js';
import { WaitingChildren } from './waiting-children.js';

/**
 * How much earlier than its parent a span may start, by clocks that differ. Parents of the hour after what has expired get
 * no more children: so whoever still may has lost none.
 */
const SKEW_US = 3_600_000_000;

/**
 * Links spans with their parents, in whatever order they arrive, and notes what that changes. What is noted adds up to a
 * function of the set of spans and of which of them came within reach of each other, which the log alone decides. A
 * restart links all spans again that can still get relatives, without noting anything.
 */
export class SpanLinks {
  private readonly waiting: WaitingChildren;
  private readonly selfTimes: SelfTimes;
  private readonly calls: SpanCalls;
  private bookings: SpanBookings | undefined;
  private readonly adopted: number[] = [];
  private parentsFromUs = 0;

  constructor(
    private readonly ring: SpanRing,
    private readonly recent: RecentSpans,
    private readonly names: SpanNames,
  ) {
    this.waiting = new WaitingChildren(recent.reach);
    this.selfTimes = new SelfTimes(ring, names);
    this.calls = new SpanCalls(ring, names);
  }

  clear(): void {
    this.waiting.clear();
    this.selfTimes.clear();
  }

  /** A portion begins with an event recorded at `time`, `counted` spans into the log. Only here spans are forgotten. */
  begin(time: number, counted: number, bookings?: SpanBookings): void {
    this.ring.trim(time, counted, 2 * this.recent.reach, REMEMBERED_MS);
    this.waiting.begin(time, counted);
    this.bookings = bookings;
  }

  /** Spans of one Grid follow, of which what started before `floorUs` has expired. */
  enter(floorUs: number): void {
    this.parentsFromUs = floorUs + SKEW_US;
  }

  /**
   * Links a span of the ring whose key is (a, b). `parent`: whom RecentSpans found, NONE for nobody: then it waits under
   * the key at hand there, unless it is a root.
   */
  add(number: number, a: number, b: number, parent: number, isRoot: boolean): void {
    const { ring } = this;
    const slot = ring.slot(number);
    if (parent !== NONE && this.cameBefore(parent, number)) this.link(number, parent, true);
    else if (parent !== NONE) this.waitForRow(number, parent);
    else if (!isRoot) ring.nextChild[slot] = this.waiting.wait(this.recent.a, this.recent.b, number);
    this.adopt(number, a, b);
    this.arrive(number, slot);
  }

  /** Unlinks what a restart would not link any more, since what started before `floorUs` has expired. Nothing is noted. */
  expire(grid: number, floorUs: number): void {
    const { ring, names } = this;
    const parentsFromUs = floorUs + SKEW_US;
    if (ring.oldestUs >= parentsFromUs) return;
    ring.each((number, slot) => {
      const parent = ring.parent[slot];
      if (parent === NONE || !ring.has(parent) || ring.startUs[ring.slot(parent)] >= parentsFromUs || names.gridOfSeries(ring.series[slot]) !== grid) return;
      ring.parent[slot] = NONE;
      ring.flags[slot] &= ~LISTED;
      this.selfTimes.mark(number);
    });
    this.selfTimes.settle(undefined);
  }

  /** Brings self times up to date, and notes the calls of the portion. */
  settle(): void {
    this.selfTimes.settle(this.bookings);
    this.calls.settle(this.bookings);
  }

  /** A parent that comes later in the portion keeps who waits for it among its children, until it is added. */
  private waitForRow(number: number, parent: number): void {
    const { ring } = this;
    const slot = ring.slot(parent);
    ring.nextChild[ring.slot(number)] = ring.firstChild[slot];
    ring.firstChild[slot] = number;
  }

  /** Links the children that came before, in the order in which they came. */
  private adopt(number: number, a: number, b: number): void {
    const { ring, waiting, adopted } = this;
    const slot = ring.slot(number);
    this.collect(ring.firstChild[slot]);
    ring.firstChild[slot] = NONE;
    this.collect(waiting.take(a, b, true));
    this.collect(waiting.take(a, b, false));
    for (let child = adopted.pop(); child !== undefined; child = adopted.pop()) {
      if (ring.areNear(ring.slot(child), slot)) this.link(child, number, false);
    }
  }

  /** Those who wait together, from the one that came last. */
  private collect(newest: number): void {
    const { ring } = this;
    for (let number = newest; number !== NONE && ring.has(number); number = ring.nextChild[ring.slot(number)]) this.adopted.push(number);
  }

  /** Notes what the span brings by itself. */
  private arrive(number: number, slot: number): void {
    const { ring, bookings } = this;
    if ((ring.flags[slot] & (ERROR | ERROR_BELOW)) === ERROR) bookings?.originError(ring.series[slot], ring.minute[slot], 1);
    this.calls.arrive(number, slot, bookings);
  }

  /** `isThere`: the parent came before; else it is arriving, and what it brings by itself is not noted yet. */
  private link(child: number, parent: number, isThere: boolean): void {
    const { ring, names, bookings } = this;
    const c = ring.slot(child);
    const p = ring.slot(parent);
    if (ring.startUs[p] < this.parentsFromUs || ring.startUs[c] < ring.startUs[p] - SKEW_US) return;
    ring.parent[c] = parent;
    bookings?.addCall(ring.series[p], ring.minute[p], names.calleeOf(ring.series[c]));
    if ((ring.flags[c] & ERROR) !== 0) this.failBelow(p, isThere);
    this.calls.link(child, parent, bookings);
    if (this.isListed(c, child, p)) this.selfTimes.list(child, parent);
  }

  /** The error of the parent, if it is one, did not begin there. */
  private failBelow(p: number, isThere: boolean): void {
    const { ring, bookings } = this;
    if (isThere && (ring.flags[p] & (ERROR | ERROR_BELOW)) === ERROR) bookings?.originError(ring.series[p], ring.minute[p], -1);
    ring.flags[p] |= ERROR_BELOW;
  }

  /**
   * A child whose grandparent came out of its reach before it changes no self time: to measure that anew takes all of the
   * grandparent's children, and some may be forgotten.
   */
  private isListed(c: number, child: number, p: number): boolean {
    const { ring } = this;
    const grandparent = ring.parent[p];
    return grandparent === NONE || !this.cameBefore(grandparent, child) || ring.areNear(ring.slot(grandparent), c);
  }

  private cameBefore(number: number, other: number): boolean {
    return this.ring.age(number) > this.ring.age(other);
  }
}
