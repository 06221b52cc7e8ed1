import { JOURNAL_WINDOW_MS, type RecentSpans } from '../deduplication/recent-spans.js';
import { SelfTimeCalculator } from './self-time-calculator.js';
import type { PendingSpanIncrements } from './pending-span-increments.js';
import { ServiceEdgeTracker } from './service-edge-tracker.js';
import type { SpanSeriesInterner } from './span-series-interner.js';
import { ERROR, ERROR_BELOW, LISTED, NONE, type SpanRingBuffer } from './span-ring-buffer.js';
import { LINK_WINDOW_MS } from '../deduplication/batch-span-index.js';
import { OpenAddressedTable } from '../open-addressed-table.js';

/**
 * How much earlier than its parent a span may start, because clocks differ. Parents within an hour after the expiry
 * time get no more children: so every parent that still can has lost none.
 */
const MAX_CLOCK_SKEW_US = 3_600_000_000;

/**
 * Links spans with their parents, in whatever order they arrive, and records the resulting increments. Their sum is a
 * function of the set of spans and of which of them arrived within reach of each other, which only the log determines.
 * A restart links all spans again that can still get relatives, without recording anything.
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

  /** Starts a batch with an event recorded at `time` after `counted` spans. Spans are forgotten only here. */
  begin(time: number, counted: number, increments?: PendingSpanIncrements): void {
    this.ring.trim(time, counted, 2 * this.recent.reach, JOURNAL_WINDOW_MS);
    this.orphans.begin(time, counted);
    this.increments = increments;
  }

  /** Starts a Grid; spans that started before `floorUs` have expired. */
  beginGrid(floorUs: number): void {
    this.parentsFromUs = floorUs + MAX_CLOCK_SKEW_US;
  }

  /**
   * Links a span of the ring buffer with the key (a, b). `parent`: the span that RecentSpans found, or NONE: then it
   * waits under the current key there, unless it is a root.
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

  /** Unlinks what a restart would not link any more because it started before `floorUs`. Records no increments. */
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

  /** Updates self times, and records the calls of the batch. */
  flush(): void {
    this.selfTimes.recompute(this.increments);
    this.calls.flush(this.increments);
  }

  /** A parent that comes later in the batch lists waiting spans as its children until it is added. */
  private waitForRow(number: number, parent: number): void {
    const { ring } = this;
    const slot = ring.slot(parent);
    ring.nextChild[ring.slot(number)] = ring.firstChild[slot];
    ring.firstChild[slot] = number;
  }

  /** Links the children that arrived before, in order of arrival. */
  private adopt(number: number, a: number, b: number): void {
    const { ring, orphans, adopted } = this;
    const slot = ring.slot(number);
    this.collect(ring.firstChild[slot]);
    ring.firstChild[slot] = NONE;
    this.collect(orphans.take(a, b, true));
    this.collect(orphans.take(a, b, false));
    for (let child = adopted.pop(); child !== undefined; child = adopted.pop()) {
      if (ring.areNear(ring.slot(child), slot)) this.link(child, number, false);
    }
  }

  /** Collects a chain of waiting spans, newest first. */
  private collect(newest: number): void {
    const { ring } = this;
    for (let number = newest; number !== NONE && ring.has(number); number = ring.nextChild[ring.slot(number)])
      this.adopted.push(number);
  }

  /** Records the increments of the span by itself. */
  private recordSpan(number: number, slot: number): void {
    const { ring, increments } = this;
    if ((ring.flags[slot] & (ERROR | ERROR_BELOW)) === ERROR)
      increments?.addOriginError(ring.series[slot], ring.minute[slot], 1);
    this.calls.recordSpan(number, slot, increments);
  }

  /** `isParentKnown`: the parent arrived before; otherwise it is arriving, and its own increments are not recorded yet. */
  private link(child: number, parent: number, isParentKnown: boolean): void {
    const { ring, names, increments } = this;
    const c = ring.slot(child);
    const p = ring.slot(parent);
    if (ring.startUs[p] < this.parentsFromUs || ring.startUs[c] < ring.startUs[p] - MAX_CLOCK_SKEW_US) return;
    ring.parent[c] = parent;
    increments?.addCall(ring.series[p], ring.minute[p], names.seriesCallee(ring.series[c]));
    if ((ring.flags[c] & ERROR) !== 0) this.markErrorBelow(p, isParentKnown);
    this.calls.linkCall(child, parent, increments);
    if (this.isListed(c, child, p)) this.selfTimes.addChild(child, parent);
  }

  /** If the parent has an error, it did not originate there. */
  private markErrorBelow(p: number, isParentKnown: boolean): void {
    const { ring, increments } = this;
    if (isParentKnown && (ring.flags[p] & (ERROR | ERROR_BELOW)) === ERROR)
      increments?.addOriginError(ring.series[p], ring.minute[p], -1);
    ring.flags[p] |= ERROR_BELOW;
  }

  /**
   * A child whose grandparent arrived out of its reach does not affect self times: recomputing them needs all children
   * of the grandparent, and some may be forgotten.
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

/** Two words of key, one for the number of the newest waiting child. */
const ENTRY_WORDS = 3;

const NEWEST = 2;

/** No child is waiting under the key any more. */
const TAKEN = 0xffffffff;

/** Start of the younger generation. */
interface Since {
  readonly time: number;
  readonly counted: number;
}

/**
 * Children whose parent has not arrived yet, by the parent's key. Two generations: the older one is dropped when all of
 * its children are out of reach.
 */
export class OrphanSpans {
  private current = new OpenAddressedTable(ENTRY_WORDS);
  private previous = new OpenAddressedTable(ENTRY_WORDS);
  private since: Since | undefined;

  /** `reach`: maximum number of spans counted between a child and its parent. */
  constructor(private readonly reach: number) {}

  clear(): void {
    this.current = new OpenAddressedTable(ENTRY_WORDS);
    this.previous = new OpenAddressedTable(ENTRY_WORDS);
    this.since = undefined;
  }

  /** Starts an event recorded at `time` after `counted` spans. */
  begin(time: number, counted: number): void {
    this.since ??= { time, counted };
    if (counted - this.since.counted <= this.reach && time - this.since.time < LINK_WINDOW_MS) return;
    this.since = { time, counted };
    if (this.current.count === 0 && this.previous.count === 0) return;
    this.previous = this.current;
    this.current = new OpenAddressedTable(ENTRY_WORDS);
  }

  /** Adds a waiting child. Returns the number of the child that was added last under the same key, or -1. */
  add(a: number, b: number, number: number): number {
    const { current } = this;
    const found = current.find(a, b);
    const at = found >= 0 ? found : current.add(a, b);
    const before = found >= 0 ? current.words[at + NEWEST] : TAKEN;
    current.words[at + NEWEST] = number;
    return before === TAKEN ? -1 : before;
  }

  /**
   * Removes the children that wait for this parent from the younger or the older generation. Returns the newest of
   * them; -1: none.
   */
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
