import { isCallKind, isEntryKind, KIND_CLIENT } from '../../../telemetry/span-kind.js';
import type { PendingSpanIncrements } from './pending-span-increments.js';
import type { SpanSeriesInterner } from './span-series-interner.js';
import { ANSWERED, ERROR, NONE, VIRTUAL, WRAPPER, type SpanRingBuffer } from './span-ring-buffer.js';

/**
 * Edges of the service map: calls between services, and of virtual nodes where nobody answers. A CLIENT span is one
 * call, with its own figures; any other parent calls as often as it has a child in another service, with the figures
 * of these. A call that nobody answers counts for its virtual node, and moves when somebody does.
 */
export class ServiceEdgeTracker {
  /** Spans of this portion that may make a call by themselves: it is booked when all spans are linked. */
  private readonly arrived: number[] = [];

  constructor(
    private readonly ring: SpanRingBuffer,
    private readonly names: SpanSeriesInterner,
  ) {}

  /** Notes the call that a span makes by itself, after the children that are there already. */
  recordSpan(number: number, slot: number, bookings: PendingSpanIncrements | undefined): void {
    const { ring } = this;
    if (!isCallKind(this.names.seriesKind(ring.series[slot]))) return;
    if (bookings !== undefined) this.arrived.push(number);
    if ((ring.flags[slot] & (ANSWERED | WRAPPER)) !== 0) return;
    ring.flags[slot] |= VIRTUAL;
    bookings?.openEdge(this.spanService(slot), ring.peer[slot], true, ring.minute[slot]);
  }

  /** Books the calls that the spans of the portion make by themselves, as they have come out. */
  flush(bookings: PendingSpanIncrements | undefined): void {
    const { ring } = this;
    for (const number of this.arrived) {
      const slot = ring.slot(number);
      if ((ring.flags[slot] & VIRTUAL) !== 0) this.addCall(bookings, slot, slot, ring.peer[slot], true, 1);
      else if (ring.answer[slot] !== NONE) this.addPairedCall(bookings, slot, ring.slot(ring.answer[slot]), 1);
    }
    this.arrived.length = 0;
  }

  /** Notes the call that a parent and its child make. */
  linkCall(child: number, parent: number, bookings: PendingSpanIncrements | undefined): void {
    const { ring, names } = this;
    const c = ring.slot(child);
    const p = ring.slot(parent);
    const kind = names.seriesKind(ring.series[p]);
    const isRemote = this.spanService(c) !== this.spanService(p);
    // What a span of this portion does by itself is booked later.
    const atOnce = ring.isNew(parent) ? undefined : bookings;
    if (isCallKind(kind)) this.markAnswered(kind, c, p, isRemote, atOnce);
    if (!isRemote) return;
    if (kind === KIND_CLIENT) this.answerClient(child, c, p, bookings, atOnce);
    else this.addCall(bookings, p, c, names.serviceNameId(this.spanService(c)), false, 1);
  }

  /** Takes the call of a virtual node back as soon as somebody answers, or another span makes the call. */
  private markAnswered(
    kind: number,
    c: number,
    p: number,
    isRemote: boolean,
    bookings: PendingSpanIncrements | undefined,
  ): void {
    const { ring } = this;
    const childKind = this.names.seriesKind(ring.series[c]);
    if (isRemote || isEntryKind(childKind)) ring.flags[p] |= ANSWERED;
    else if (kind === KIND_CLIENT && childKind === KIND_CLIENT) ring.flags[p] |= WRAPPER;
    else return;
    if ((ring.flags[p] & VIRTUAL) === 0) return;
    ring.flags[p] &= ~VIRTUAL;
    this.addCall(bookings, p, p, ring.peer[p], true, -1);
  }

  /**
   * Where several spans of other services are below a CLIENT span, the call is that to the one which starts first. Edges
   * open in the order of the log, wherever portions end: past the bound it decides which ones have names.
   */
  private answerClient(
    child: number,
    c: number,
    p: number,
    bookings: PendingSpanIncrements | undefined,
    atOnce: PendingSpanIncrements | undefined,
  ): void {
    const { ring } = this;
    const before = ring.answer[p];
    if (before !== NONE) {
      if (!ring.startsBefore(c, ring.slot(before))) return;
      this.addPairedCall(atOnce, p, ring.slot(before), -1);
    }
    ring.answer[p] = child;
    bookings?.openEdge(this.spanService(p), this.names.serviceNameId(this.spanService(c)), false, ring.minute[p]);
    this.addPairedCall(atOnce, p, c, 1);
  }

  private addPairedCall(bookings: PendingSpanIncrements | undefined, p: number, c: number, times: number): void {
    const { ring } = this;
    const target = this.names.serviceNameId(this.spanService(c));
    this.addCall(bookings, p, p, target, false, times);
    bookings?.addWireTime(
      this.spanService(p),
      target,
      ring.minute[p],
      Math.max(0, ring.durationNs[p] - ring.durationNs[c]),
      times,
    );
  }

  /** `source` calls; the figures are those of `timed`. */
  private addCall(
    bookings: PendingSpanIncrements | undefined,
    source: number,
    timed: number,
    target: number,
    virtual: boolean,
    times: number,
  ): void {
    const { ring } = this;
    bookings?.addEdgeCall(
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
