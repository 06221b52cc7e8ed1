import { isCallKind, isEntryKind, KIND_CLIENT } from '../../../telemetry/span-kind.js';
import type { PendingSpanIncrements } from './pending-span-increments.js';
import type { SpanSeriesInterner } from './span-series-interner.js';
import { ANSWERED, ERROR, NONE, VIRTUAL, WRAPPER, type SpanRingBuffer } from './span-ring-buffer.js';

/**
 * Edges of the service map: calls between services, and to virtual nodes if no span answers. A CLIENT span is one call
 * with its own figures; any other parent makes as many calls as it has children in other services, with the figures of
 * these. A call without an answer counts for its virtual node, and moves when an answer arrives.
 */
export class ServiceEdgeTracker {
  /** Spans of this batch that may make a call by themselves: it is counted when all spans are linked. */
  private readonly arrived: number[] = [];

  constructor(
    private readonly ring: SpanRingBuffer,
    private readonly names: SpanSeriesInterner,
  ) {}

  /** Records the call that a span makes by itself, after its known children were linked. */
  recordSpan(number: number, slot: number, increments: PendingSpanIncrements | undefined): void {
    const { ring } = this;
    if (!isCallKind(this.names.seriesKind(ring.series[slot]))) return;
    if (increments !== undefined) this.arrived.push(number);
    if ((ring.flags[slot] & (ANSWERED | WRAPPER)) !== 0) return;
    ring.flags[slot] |= VIRTUAL;
    increments?.openEdge(this.spanService(slot), ring.peer[slot], true, ring.minute[slot]);
  }

  /** Counts the calls that the spans of the batch make by themselves, in their final form. */
  flush(increments: PendingSpanIncrements | undefined): void {
    const { ring } = this;
    for (const number of this.arrived) {
      const slot = ring.slot(number);
      if ((ring.flags[slot] & VIRTUAL) !== 0) this.addCall(increments, slot, slot, ring.peer[slot], true, 1);
      else if (ring.answer[slot] !== NONE) this.addPairedCall(increments, slot, ring.slot(ring.answer[slot]), 1);
    }
    this.arrived.length = 0;
  }

  /** Records the call from a parent to its child. */
  linkCall(child: number, parent: number, increments: PendingSpanIncrements | undefined): void {
    const { ring, names } = this;
    const c = ring.slot(child);
    const p = ring.slot(parent);
    const kind = names.seriesKind(ring.series[p]);
    const isRemote = this.spanService(c) !== this.spanService(p);
    // Calls that a span of this batch makes by itself are counted later.
    const immediate = ring.isNew(parent) ? undefined : increments;
    if (isCallKind(kind)) this.markAnswered(kind, c, p, isRemote, immediate);
    if (!isRemote) return;
    if (kind === KIND_CLIENT) this.answerClient(child, c, p, increments, immediate);
    else this.addCall(increments, p, c, names.serviceNameId(this.spanService(c)), false, 1);
  }

  /** Subtracts the call to a virtual node once a span answers, or another span makes the call. */
  private markAnswered(
    kind: number,
    c: number,
    p: number,
    isRemote: boolean,
    increments: PendingSpanIncrements | undefined,
  ): void {
    const { ring } = this;
    const childKind = this.names.seriesKind(ring.series[c]);
    if (isRemote || isEntryKind(childKind)) ring.flags[p] |= ANSWERED;
    else if (kind === KIND_CLIENT && childKind === KIND_CLIENT) ring.flags[p] |= WRAPPER;
    else return;
    if ((ring.flags[p] & VIRTUAL) === 0) return;
    ring.flags[p] &= ~VIRTUAL;
    this.addCall(increments, p, p, ring.peer[p], true, -1);
  }

  /**
   * If several spans of other services are below a CLIENT span, the call is to the one that starts first. Edges are
   * created in log order, wherever batches end: beyond the limit this decides which ones are named.
   */
  private answerClient(
    child: number,
    c: number,
    p: number,
    increments: PendingSpanIncrements | undefined,
    immediate: PendingSpanIncrements | undefined,
  ): void {
    const { ring } = this;
    const before = ring.answer[p];
    if (before !== NONE) {
      if (!ring.startsBefore(c, ring.slot(before))) return;
      this.addPairedCall(immediate, p, ring.slot(before), -1);
    }
    ring.answer[p] = child;
    increments?.openEdge(this.spanService(p), this.names.serviceNameId(this.spanService(c)), false, ring.minute[p]);
    this.addPairedCall(immediate, p, c, 1);
  }

  private addPairedCall(increments: PendingSpanIncrements | undefined, p: number, c: number, times: number): void {
    const { ring } = this;
    const target = this.names.serviceNameId(this.spanService(c));
    this.addCall(increments, p, p, target, false, times);
    increments?.addWireTime(
      this.spanService(p),
      target,
      ring.minute[p],
      Math.max(0, ring.durationNs[p] - ring.durationNs[c]),
      times,
    );
  }

  /** Counts a call by `source` with the figures of `timed`. */
  private addCall(
    increments: PendingSpanIncrements | undefined,
    source: number,
    timed: number,
    target: number,
    virtual: boolean,
    times: number,
  ): void {
    const { ring } = this;
    increments?.addEdgeCall(
      this.spanService(source),
      target,
      virtual,
      ring.minute[timed],
      ring.durationNs[timed],
      (ring.flags[timed] & ERROR) !== 0,
      times,
    );
  }

  private spanService(slot: number): number {
    return this.names.seriesService(this.ring.series[slot]);
  }
}
