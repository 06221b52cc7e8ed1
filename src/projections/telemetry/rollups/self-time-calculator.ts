import { isCallKind } from '../../../telemetry/span-kind.js';
import type { PendingSpanIncrements } from './pending-span-increments.js';
import type { SpanSeriesInterner } from './span-series-interner.js';
import { LISTED, NONE, REMOTE_BELOW, type SpanRingBuffer, STALE } from './span-ring-buffer.js';

/** Children of one span that its self time, and that of their siblings, is measured by: those that start first. */
export const MAX_LISTED_CHILDREN = 64;

/**
 * Self times: what of a span its children do not cover, nor remote calls that its service makes beside it, below the same
 * parent. (Such a call is a sibling that is a CLIENT or PRODUCER span of that service, or a span of another. A call
 * itself is not covered by those beside it: calls side by side are each as slow as they are.) Whole ns.
 */
export class SelfTimeCalculator {
  private readonly covered = new IntervalUnion();
  /** Spans whose self time is to be measured again. At first it is the duration. */
  private stale: number[] = [];

  constructor(
    private readonly ring: SpanRingBuffer,
    private readonly names: SpanSeriesInterner,
  ) {}

  clear(): void {
    this.stale = [];
  }

  markStale(number: number): void {
    const slot = this.ring.slot(number);
    if ((this.ring.flags[slot] & STALE) !== 0) return;
    this.ring.flags[slot] |= STALE;
    this.stale.push(number);
  }

  /** Lists a child of a span, if it is one of those that start first. */
  addChild(child: number, parent: number): void {
    const { ring } = this;
    const c = ring.slot(child);
    const p = ring.slot(parent);
    if (ring.children[p] === MAX_LISTED_CHILDREN) {
      if (!ring.startsBefore(c, ring.slot(ring.firstChild[p]))) return;
      this.removeLastChild(p);
    }
    this.insert(child, c, p);
    this.markStale(parent);
    if (this.isRemoteBelow(c, p)) this.markCovered(p);
    else if ((ring.flags[p] & REMOTE_BELOW) !== 0) this.markStale(child);
  }

  /** Measures what is stale, and notes how times differ that were booked before. */
  recompute(bookings: PendingSpanIncrements | undefined): void {
    const { ring } = this;
    for (const number of this.stale) {
      const slot = ring.slot(number);
      ring.flags[slot] &= ~STALE;
      const before = ring.selfNs[slot];
      const now = this.computeSelfTime(number, slot);
      if (now === before) continue;
      ring.selfNs[slot] = now;
      if (bookings === undefined || ring.isNew(number)) continue;
      const minute = ring.minute[slot];
      bookings.addSelfTime(ring.series[slot], minute, before, -1);
      bookings.addSelfTime(ring.series[slot], minute, now, 1);
    }
    this.stale.length = 0;
  }

  private insert(child: number, c: number, p: number): void {
    const { ring } = this;
    let previous = NONE;
    let next = ring.firstChild[p];
    while (next !== NONE && ring.startsBefore(c, ring.slot(next))) {
      previous = next;
      next = ring.nextChild[ring.slot(next)];
    }
    ring.nextChild[c] = next;
    if (previous === NONE) ring.firstChild[p] = child;
    else ring.nextChild[ring.slot(previous)] = child;
    ring.children[p]++;
    ring.flags[c] |= LISTED;
  }

  private removeLastChild(p: number): void {
    const { ring } = this;
    const last = ring.firstChild[p];
    const l = ring.slot(last);
    ring.firstChild[p] = ring.nextChild[l];
    ring.children[p]--;
    ring.flags[l] &= ~LISTED;
    if (this.isRemoteBelow(l, p)) this.markCovered(p);
    else this.markStale(last);
  }

  /** A remote call has come or gone: it covers the others. */
  private markCovered(p: number): void {
    const { ring } = this;
    ring.flags[p] |= REMOTE_BELOW;
    for (let number = ring.firstChild[p]; number !== NONE; number = ring.nextChild[ring.slot(number)]) {
      if (!this.isRemoteBelow(ring.slot(number), p)) this.markStale(number);
    }
  }

  private computeSelfTime(number: number, slot: number): number {
    const { ring, covered } = this;
    const duration = ring.durationNs[slot];
    const parent = this.coveringParent(slot);
    if (parent === NONE && ring.children[slot] === 0) return duration;
    covered.begin(duration);
    for (let child = ring.firstChild[slot]; child !== NONE; child = ring.nextChild[ring.slot(child)])
      this.cover(slot, ring.slot(child));
    if (parent !== NONE) this.coverBySiblings(number, slot, ring.slot(parent));
    return duration - covered.total();
  }

  /** The parent, where spans beside this one may cover it. */
  private coveringParent(slot: number): number {
    const { ring } = this;
    if ((ring.flags[slot] & LISTED) === 0) return NONE;
    const parent = ring.parent[slot];
    const p = ring.slot(parent);
    return (ring.flags[p] & REMOTE_BELOW) === 0 || this.isRemoteBelow(slot, p) ? NONE : parent;
  }

  private coverBySiblings(number: number, slot: number, p: number): void {
    const { ring } = this;
    for (let sibling = ring.firstChild[p]; sibling !== NONE; sibling = ring.nextChild[ring.slot(sibling)]) {
      const s = ring.slot(sibling);
      if (sibling !== number && this.isRemoteBelow(s, p) && ring.areNear(s, slot)) this.cover(slot, s);
    }
  }

  private cover(slot: number, other: number): void {
    const start = this.ring.startAfter(other, slot);
    this.covered.add(start, start + this.ring.durationNs[other]);
  }

  /** Whether a child is a remote call of its parent's service. */
  private isRemoteBelow(c: number, p: number): boolean {
    const { names, ring } = this;
    const series = ring.series[c];
    return isCallKind(names.seriesKind(series)) || names.seriesService(series) !== names.seriesService(ring.series[p]);
  }
}

/**
 * Measures how much of a span other intervals cover. Times are ns from the start of the span, whole numbers below 2^53:
 * sums are exact. Made once and used for every span, so that nothing is allocated for any.
 */
export class IntervalUnion {
  /** By their starts, the last one first. */
  private starts = new Float64Array(64);
  private ends = new Float64Array(64);
  private count = 0;
  private duration = 0;

  /** Begins a span of this duration. */
  begin(duration: number): void {
    this.count = 0;
    this.duration = duration;
  }

  /** What lies outside the span does not count. */
  add(start: number, end: number): void {
    const from = Math.max(0, start);
    const to = Math.min(this.duration, end);
    if (from >= to) return;
    if (this.count === this.starts.length) this.grow();
    // Children come from the one that starts last: few are moved.
    let at = this.count++;
    for (; at > 0 && this.starts[at - 1] < from; at--) {
      this.starts[at] = this.starts[at - 1];
      this.ends[at] = this.ends[at - 1];
    }
    this.starts[at] = from;
    this.ends[at] = to;
  }

  /** Length of the union of all intervals. */
  total(): number {
    let until = 0;
    let sum = 0;
    for (let i = this.count - 1; i >= 0; i--) {
      if (this.ends[i] <= until) continue;
      sum += this.ends[i] - Math.max(until, this.starts[i]);
      until = this.ends[i];
    }
    return sum;
  }

  private grow(): void {
    const { starts, ends } = this;
    this.starts = new Float64Array(starts.length * 2);
    this.ends = new Float64Array(starts.length * 2);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}
