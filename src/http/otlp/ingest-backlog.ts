import { type Position, START } from '../../streams/event-store.js';

/** Acknowledgements are delayed from here … */
const DELAY_FROM_MS = 250;

export const MAX_ACK_DELAY_MS = 500;

/** … and new requests are refused from here. */
const REFUSE_FROM_MS = 1_000;

/** A Grid that has less than its share waiting pays so much later for what others send. */
const FAIR_SHARE_BONUS_MS = 1_000;

/** Records per second that a projector is trusted with until it was measured, and the least it is ever credited with. */
const ASSUMED_RATE = 100_000;

const MIN_RATE = 1_000;

/** Busy time after which a measured rate counts for about two thirds. */
const RATE_MEMORY_MS = 1_000;

export type BackpressureDecision =
  | { readonly admit: true; readonly delayAckMs: number }
  /** Waiting so long brings the backlog below the point where acknowledgements are delayed. */
  | { readonly admit: false; readonly retryAfterMs: number };

/** What the amount of work waiting for the projector means for senders. */
export function decideBackpressure(workMs: number): BackpressureDecision {
  if (workMs >= REFUSE_FROM_MS) return { admit: false, retryAfterMs: Math.ceil(workMs - DELAY_FROM_MS) };
  return { admit: true, delayAckMs: Math.min(MAX_ACK_DELAY_MS, Math.max(0, Math.ceil(workMs - DELAY_FROM_MS))) };
}

/** What the receiver asks about load. */
export interface BackpressureMonitor {
  /** Records of a Grid that have become durable at `position`. */
  recordAccepted(position: Position, records: number, gridId: string): void;
  /** What the load means for senders of this Grid: those of a Grid that has more than its share waiting are held back first. */
  decide(gridId: string): BackpressureDecision;
}

/** Where the projectors are other processes the log holds what they have not read yet: nobody is held back for it. */
export const NO_BACKPRESSURE: BackpressureMonitor = {
  recordAccepted: () => undefined,
  decide: () => ({ admit: true, delayAckMs: 0 }),
};

/**
 * Records that are durable and not yet projected, and how long the projector will need for them.
 * It goes by positions, not by counts: lost, repeated and early reports, restarts and repetitions
 * that the projector drops all leave it exact.
 */
export class IngestBacklog implements BackpressureMonitor {
  private positions: Position[] = [];
  private counts: number[] = [];
  private grids: string[] = [];
  private readonly shares = new FairShares();
  private first = 0;
  private waiting = 0;
  private projectedTo = START;
  private reportedAt: number | undefined;
  private waitingAtReport = 0;
  private rate = ASSUMED_RATE;

  /** Records waiting. */
  get records(): number {
    return this.waiting;
  }

  /** Time that the projector needs for what is waiting. */
  get workMs(): number {
    return (this.waiting / this.rate) * 1_000;
  }

  /** Records that the projector gets through in a second of work. */
  get recordsPerSecond(): number {
    return this.rate;
  }

  decide(gridId: string): BackpressureDecision {
    return decideBackpressure(this.shares.isBelowFairShare(gridId) ? this.workMs - FAIR_SHARE_BONUS_MS : this.workMs);
  }

  recordAccepted(position: Position, records: number, gridId: string): void {
    if (position <= this.projectedTo) return;
    this.positions.push(position);
    this.counts.push(records);
    this.grids.push(gridId);
    this.shares.add(gridId, records);
    this.waiting += records;
  }

  /**
   * The projector has committed everything up to `position`.
   * @param at ms, of any clock that never goes back
   * @param busyMs time that it spent on what it committed since its last report. Where it does not say, the time since
   *   then stands for it, provided that at least twice as much was waiting: then it cannot have idled.
   */
  recordProjected(position: Position, at: number, busyMs?: number): void {
    const records = this.removeUpTo(position);
    const elapsed = at - (this.reportedAt ?? at);
    const wasBusy = busyMs !== undefined || this.waitingAtReport >= 2 * records;
    if (records > 0) this.updateRate(records, busyMs ?? elapsed, wasBusy);
    this.reportedAt = at;
    this.waitingAtReport = this.waiting;
  }

  private removeUpTo(position: Position): number {
    if (position > this.projectedTo) this.projectedTo = position;
    const before = this.waiting;
    while (this.first < this.positions.length && this.positions[this.first] <= this.projectedTo) {
      this.waiting -= this.counts[this.first];
      this.shares.remove(this.grids[this.first], this.counts[this.first]);
      this.first++;
    }
    if (this.first * 2 > this.positions.length) this.compact();
    return before - this.waiting;
  }

  private compact(): void {
    this.positions = this.positions.slice(this.first);
    this.counts = this.counts.slice(this.first);
    this.grids = this.grids.slice(this.first);
    this.first = 0;
  }

  /** A time in which the projector may also have idled proves only that it is at least so fast. */
  private updateRate(records: number, busyMs: number, wasBusy: boolean): void {
    if (busyMs <= 0) return;
    const measured = Math.max(MIN_RATE, (records / busyMs) * 1_000);
    if (!wasBusy && measured < this.rate) return;
    const weight = 1 - Math.exp(-busyMs / RATE_MEMORY_MS);
    this.rate += weight * (measured - this.rate);
  }
}

/**
 * How much of what waits is whose. Remembers only Grids of which something waits, so never more of them than requests wait.
 */
export class FairShares {
  private readonly waiting = new Map<string, number>();
  private total = 0;

  /** Records of a Grid that wait from now on. */
  add(gridId: string, records: number): void {
    this.waiting.set(gridId, this.waitingOf(gridId) + records);
    this.total += records;
  }

  /** They wait no longer. They MUST have been added. */
  remove(gridId: string, records: number): void {
    const left = this.waitingOf(gridId) - records;
    this.total -= records;
    if (left > 0) this.waiting.set(gridId, left);
    else this.waiting.delete(gridId);
  }

  /**
   * Whether less waits of this Grid than if all that have something waiting had as much: it is the others that are too many.
   * Never true of a Grid that is alone.
   */
  isBelowFairShare(gridId: string): boolean {
    return this.waitingOf(gridId) * this.waiting.size < this.total;
  }

  private waitingOf(gridId: string): number {
    return this.waiting.get(gridId) ?? 0;
  }
}
