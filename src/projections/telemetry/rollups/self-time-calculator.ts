import { isCallKind } from '../../../telemetry/span-kind.js';
import type { PendingSpanIncrements } from './pending-span-increments.js';
import type { SpanSeriesInterner } from './span-series-interner.js';
import { LISTED, NONE, REMOTE_BELOW, type SpanRingBuffer, STALE } from './span-ring-buffer.js';

/**
 * Maximum number of children by which the self times of a span and of these children are measured: those that start
 * first.
 */
export const MAX_LISTED_CHILDREN = 64;

/**
 * Self time of a span: the part of its duration that is covered neither by its children nor by remote calls of its
 * service next to it, below the same parent. (Such a call is a sibling that is a CLIENT or PRODUCER span of that
 * service, or a span of another service. A remote call is not covered by its siblings: parallel calls are each as slow
 * as they are.) Whole ns.
 */
export class SelfTimeCalculator {
  private readonly covered = new IntervalUnion();
  /** Spans whose self time has to be recomputed. Initially it is the duration. */
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

  /** Lists a child of a span if it is among those that start first. */
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

  /** Recomputes stale self times, and records the difference to times that were counted before. */
  recompute(increments: PendingSpanIncrements | undefined): void {
    const { ring } = this;
    for (const number of this.stale) {
      const slot = ring.slot(number);
      ring.flags[slot] &= ~STALE;
      const before = ring.selfNs[slot];
      const now = this.computeSelfTime(number, slot);
      if (now === before) continue;
      ring.selfNs[slot] = now;
      if (increments === undefined || ring.isNew(number)) continue;
      const minute = ring.minute[slot];
      increments.addSelfTime(ring.series[slot], minute, before, -1);
      increments.addSelfTime(ring.series[slot], minute, now, 1);
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

  /** A remote call was added or removed: it covers the others. */
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

  /** The parent, if siblings may cover this span. */
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
 * Measures how much of a span other intervals cover. Times are ns from the start of the span, integers below 2^53: sums
 * are exact. One instance is used for all spans, so that nothing is allocated per span.
 */
export class IntervalUnion {
  /** Sorted by start, latest first. */
  private starts = new Float64Array(64);
  private ends = new Float64Array(64);
  private count = 0;
  private duration = 0;

  /** Starts a span of this duration. */
  begin(duration: number): void {
    this.count = 0;
    this.duration = duration;
  }

  /** Parts outside the span are ignored. */
  add(start: number, end: number): void {
    const from = Math.max(0, start);
    const to = Math.min(this.duration, end);
    if (from >= to) return;
    if (this.count === this.starts.length) this.grow();
    // Children arrive latest start first: few entries are moved.
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
