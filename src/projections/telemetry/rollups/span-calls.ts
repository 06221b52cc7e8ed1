import { isCallKind, isEntryKind, KIND_CLIENT } from '../../../telemetry/span-kind.js';
import type { SpanBookings } from './span-bookings.js';
import type { SpanNames } from './span-names.js';
import { ANSWERED, ERROR, NONE, VIRTUAL, WRAPPER, type SpanRing } from './span-ring.js';

/**
 * Edges of the service map: calls between services, and of virtual nodes where nobody answers. A CLIENT span is one
 * call, with its own figures; any other parent calls as often as it has a child in another service, with the figures
 * of these. A call that nobody answers counts for its virtual node, and moves when somebody does.
 */
export class SpanCalls {
  /** Spans of this portion that may make a call by themselves: it is booked when all spans are linked. */
  private readonly arrived: number[] = [];

  constructor(
    private readonly ring: SpanRing,
    private readonly names: SpanNames,
  ) {}

  /** Notes the call that a span makes by itself, after the children that are there already. */
  arrive(number: number, slot: number, bookings: SpanBookings | undefined): void {
    const { ring } = this;
    if (!isCallKind(this.names.kindOf(ring.series[slot]))) return;
    if (bookings !== undefined) this.arrived.push(number);
    if ((ring.flags[slot] & (ANSWERED | WRAPPER)) !== 0) return;
    ring.flags[slot] |= VIRTUAL;
    bookings?.openEdge(this.serviceAt(slot), ring.peer[slot], true, ring.minute[slot]);
  }

  /** Books the calls that the spans of the portion make by themselves, as they have come out. */
  settle(bookings: SpanBookings | undefined): void {
    const { ring } = this;
    for (const number of this.arrived) {
      const slot = ring.slot(number);
      if ((ring.flags[slot] & VIRTUAL) !== 0) this.book(bookings, slot, slot, ring.peer[slot], true, 1);
      else if (ring.answer[slot] !== NONE) this.bookPair(bookings, slot, ring.slot(ring.answer[slot]), 1);
    }
    this.arrived.length = 0;
  }

  /** Notes the call that a parent and its child make. */
  link(child: number, parent: number, bookings: SpanBookings | undefined): void {
    const { ring, names } = this;
    const c = ring.slot(child);
    const p = ring.slot(parent);
    const kind = names.kindOf(ring.series[p]);
    const isRemote = this.serviceAt(c) !== this.serviceAt(p);
    // What a span of this portion does by itself is booked later.
    const atOnce = ring.isNew(parent) ? undefined : bookings;
    if (isCallKind(kind)) this.answer(kind, c, p, isRemote, atOnce);
    if (!isRemote) return;
    if (kind === KIND_CLIENT) this.answerClient(child, c, p, bookings, atOnce);
    else this.book(bookings, p, c, names.nameOfService(this.serviceAt(c)), false, 1);
  }

  /** Takes the call of a virtual node back as soon as somebody answers, or another span makes the call. */
  private answer(kind: number, c: number, p: number, isRemote: boolean, bookings: SpanBookings | undefined): void {
    const { ring } = this;
    const childKind = this.names.kindOf(ring.series[c]);
    if (isRemote || isEntryKind(childKind)) ring.flags[p] |= ANSWERED;
    else if (kind === KIND_CLIENT && childKind === KIND_CLIENT) ring.flags[p] |= WRAPPER;
    else return;
    if ((ring.flags[p] & VIRTUAL) === 0) return;
    ring.flags[p] &= ~VIRTUAL;
    this.book(bookings, p, p, ring.peer[p], true, -1);
  }

  /**
   * Where several spans of other services are below a CLIENT span, the call is that to the one which starts first. Edges
   * open in the order of the log, wherever portions end: past the bound it decides which ones have names.
   */
  private answerClient(child: number, c: number, p: number, bookings: SpanBookings | undefined, atOnce: SpanBookings | undefined): void {
    const { ring } = this;
    const before = ring.answer[p];
    if (before !== NONE) {
      if (!ring.startsBefore(c, ring.slot(before))) return;
      this.bookPair(atOnce, p, ring.slot(before), -1);
    }
    ring.answer[p] = child;
    bookings?.openEdge(this.serviceAt(p), this.names.nameOfService(this.serviceAt(c)), false, ring.minute[p]);
    this.bookPair(atOnce, p, c, 1);
  }

  private bookPair(bookings: SpanBookings | undefined, p: number, c: number, times: number): void {
    const { ring } = this;
    const target = this.names.nameOfService(this.serviceAt(c));
    this.book(bookings, p, p, target, false, times);
    bookings?.wire(this.serviceAt(p), target, ring.minute[p], Math.max(0, ring.durationNs[p] - ring.durationNs[c]), times);
  }

  /** `source` calls; the figures are those of `timed`. */
  private book(bookings: SpanBookings | undefined, source: number, timed: number, target: number, virtual: boolean, times: number): void {
    const { ring } = this;
    bookings?.edge(this.serviceAt(source), target, virtual, ring.minute[timed], ring.durationNs[timed], (ring.flags[timed] & ERROR) !== 0, times);
  }

  private serviceAt(slot: number): number {
    return this.names.serviceOf(this.ring.series[slot]);
  }
}
