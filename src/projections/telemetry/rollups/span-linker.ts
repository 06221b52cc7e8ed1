import { JOURNAL_WINDOW_MS, type RecentSpans } from '../deduplication/recent-spans.js';
import { SelfTimeCalculator } from './self-time-calculator.js';
import type { PendingSpanIncrements } from './pending-span-increments.js';
import { ServiceEdgeTracker } from './service-edge-tracker.js';
import type { SpanSeriesInterner } from './span-series-interner.js';
import { ERROR, ERROR_BELOW, LISTED, NONE, type SpanRingBuffer } from './span-ring-buffer.js';
import { LINK_WINDOW_MS } from '../deduplication/batch-span-index.js';
import { OpenAddressedTable } from '../open-addressed-table.js';

/**
 * How much earlier than its parent a span may start, by clocks that differ. Parents of the hour after what has expired get
 * no more children: so whoever still may has lost none.
 */
const MAX_CLOCK_SKEW_US = 3_600_000_000;

/**
 * Links spans with their parents, in whatever order they arrive, and notes what that changes. What is noted adds up to a
 * function of the set of spans and of which of them came within reach of each other, which the log alone decides. A
 * restart links all spans again that can still get relatives, without noting anything.
 */
export class SpanLinker {
  private readonly orphans: OrphanSpans;
  private readonly selfTimes: SelfTimeCalculator;
  private readonly calls: ServiceEdgeTracker;
  private increments: PendingSpanIncrements | undefined;
  private readonly adopted: number[] = [];
  private parentsFromUs = 0;

  constructor(
    private readonly ring: SpanRingBuffer,
    private readonly recent: RecentSpans,
    private readonly names: SpanSeriesInterner,
  ) {
    this.orphans = new OrphanSpans(recent.reach);
    this.selfTimes = new SelfTimeCalculator(ring, names);
    this.calls = new ServiceEdgeTracker(ring, names);
  }

  clear(): void {
    this.orphans.clear();
    this.selfTimes.clear();
  }

  /** A portion begins with an event recorded at `time`, `counted` spans into the log. Only here spans are forgotten. */
  begin(time: number, counted: number, bookings?: PendingSpanIncrements): void {
    this.ring.trim(time, counted, 2 * this.recent.reach, JOURNAL_WINDOW_MS);
    this.orphans.begin(time, counted);
    this.increments = bookings;
  }

  /** Spans of one Grid follow, of which what started before `floorUs` has expired. */
  beginGrid(floorUs: number): void {
    this.parentsFromUs = floorUs + MAX_CLOCK_SKEW_US;
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
    else if (!isRoot) ring.nextChild[slot] = this.orphans.add(this.recent.a, this.recent.b, number);
    this.adopt(number, a, b);
    this.recordSpan(number, slot);
  }

  /** Unlinks what a restart would not link any more, since what started before `floorUs` has expired. Nothing is noted. */
  expire(grid: number, floorUs: number): void {
    const { ring, names } = this;
    const parentsFromUs = floorUs + MAX_CLOCK_SKEW_US;
    if (ring.oldestUs >= parentsFromUs) return;
    ring.forEach((number, slot) => {
      const parent = ring.parent[slot];
      if (
        parent === NONE ||
        !ring.has(parent) ||
        ring.startUs[ring.slot(parent)] >= parentsFromUs ||
        names.seriesGrid(ring.series[slot]) !== grid
      )
        return;
      ring.parent[slot] = NONE;
      ring.flags[slot] &= ~LISTED;
      this.selfTimes.markStale(number);
    });
    this.selfTimes.recompute(undefined);
  }

  /** Brings self times up to date, and notes the calls of the portion. */
  flush(): void {
    this.selfTimes.recompute(this.increments);
    this.calls.flush(this.increments);
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
    const { ring, orphans: waiting, adopted } = this;
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
    for (let number = newest; number !== NONE && ring.has(number); number = ring.nextChild[ring.slot(number)])
      this.adopted.push(number);
  }

  /** Notes what the span brings by itself. */
  private recordSpan(number: number, slot: number): void {
    const { ring, increments: bookings } = this;
    if ((ring.flags[slot] & (ERROR | ERROR_BELOW)) === ERROR)
      bookings?.addOriginError(ring.series[slot], ring.minute[slot], 1);
    this.calls.recordSpan(number, slot, bookings);
  }

  /** `isThere`: the parent came before; else it is arriving, and what it brings by itself is not noted yet. */
  private link(child: number, parent: number, isThere: boolean): void {
    const { ring, names, increments: bookings } = this;
    const c = ring.slot(child);
    const p = ring.slot(parent);
    if (ring.startUs[p] < this.parentsFromUs || ring.startUs[c] < ring.startUs[p] - MAX_CLOCK_SKEW_US) return;
    ring.parent[c] = parent;
    bookings?.addCall(ring.series[p], ring.minute[p], names.seriesCallee(ring.series[c]));
    if ((ring.flags[c] & ERROR) !== 0) this.markErrorBelow(p, isThere);
    this.calls.linkCall(child, parent, bookings);
    if (this.isListed(c, child, p)) this.selfTimes.addChild(child, parent);
  }

  /** The error of the parent, if it is one, did not begin there. */
  private markErrorBelow(p: number, isThere: boolean): void {
    const { ring, increments: bookings } = this;
    if (isThere && (ring.flags[p] & (ERROR | ERROR_BELOW)) === ERROR)
      bookings?.addOriginError(ring.series[p], ring.minute[p], -1);
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

/** Two words of key, one for the number of the child that came last. */
const ENTRY_WORDS = 3;

const NEWEST = 2;

/** No child waits there any more. */
const TAKEN = 0xffffffff;

/** Spans of two generations that wait, since when the younger one counts. */
interface Since {
  readonly time: number;
  readonly counted: number;
}

/**
 * Children whose parent has not come yet, by the parent's key. Two generations: the older one is dropped when whoever
 * waits in it is out of reach.
 */
export class OrphanSpans {
  private current = new OpenAddressedTable(ENTRY_WORDS);
  private previous = new OpenAddressedTable(ENTRY_WORDS);
  private since: Since | undefined;

  /** `reach`: spans that may be counted between a child and its parent. */
  constructor(private readonly reach: number) {}

  clear(): void {
    this.current = new OpenAddressedTable(ENTRY_WORDS);
    this.previous = new OpenAddressedTable(ENTRY_WORDS);
    this.since = undefined;
  }

  /** An event recorded at `time`, `counted` spans into the log, and later ones follow. */
  begin(time: number, counted: number): void {
    this.since ??= { time, counted };
    if (counted - this.since.counted <= this.reach && time - this.since.time < LINK_WINDOW_MS) return;
    this.since = { time, counted };
    if (this.current.count === 0 && this.previous.count === 0) return;
    this.previous = this.current;
    this.current = new OpenAddressedTable(ENTRY_WORDS);
  }

  /** Lets a child wait for its parent. Answers the number of the child that waited last of those that wait with it, or -1. */
  add(a: number, b: number, number: number): number {
    const { current } = this;
    const found = current.find(a, b);
    const at = found >= 0 ? found : current.add(a, b);
    const before = found >= 0 ? current.words[at + NEWEST] : TAKEN;
    current.words[at + NEWEST] = number;
    return before === TAKEN ? -1 : before;
  }

  /** The child that came last of those that wait for this parent, of the younger generation or of the older; -1: none. None of them waits any more. */
  take(a: number, b: number, younger: boolean): number {
    const slots = younger ? this.current : this.previous;
    if (slots.count === 0) return -1;
    const at = slots.find(a, b);
    if (at < 0) return -1;
    const newest = slots.words[at + NEWEST];
    slots.words[at + NEWEST] = TAKEN;
    return newest === TAKEN ? -1 : newest;
  }
}
