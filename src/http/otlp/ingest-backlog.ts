import { type Position, START } from '../../streams/event-store.js';

/** Backlog (ms of projection work) from which acknowledgements are delayed. */
const DELAY_FROM_MS = 250;

export const MAX_ACK_DELAY_MS = 500;

/** Backlog (ms of projection work) from which new requests are rejected. */
const REFUSE_FROM_MS = 1_000;

/** Backlog allowance for Grids below their fair share, so that others cannot throttle them. */
const FAIR_SHARE_BONUS_MS = 1_000;

/** Assumed throughput in records per second until it has been measured. */
const ASSUMED_RATE = 100_000;

/** Lower bound of the measured throughput in records per second. */
const MIN_RATE = 1_000;

/** Time constant of the throughput average: after this busy time, a new rate has a weight of about two thirds. */
const RATE_MEMORY_MS = 1_000;

export type BackpressureDecision =
  | { readonly admit: true; readonly delayAckMs: number }
  /** After this time the backlog is expected to be small enough for undelayed acknowledgements. */
  | { readonly admit: false; readonly retryAfterMs: number };

/** @param workMs time that the projector needs for the backlog */
export function decideBackpressure(workMs: number): BackpressureDecision {
  if (workMs >= REFUSE_FROM_MS) return { admit: false, retryAfterMs: Math.ceil(workMs - DELAY_FROM_MS) };
  return { admit: true, delayAckMs: Math.min(MAX_ACK_DELAY_MS, Math.max(0, Math.ceil(workMs - DELAY_FROM_MS))) };
}

/** Decides whether senders are admitted, delayed or rejected. */
export interface BackpressureMonitor {
  /** Records of a Grid have become durable at `position`. */
  recordAccepted(position: Position, records: number, gridId: string): void;
  /** The decision for senders of this Grid. Grids above their fair share of the backlog are throttled first. */
  decide(gridId: string): BackpressureDecision;
}

/** For processes without projectors: their backlog is in the event log, and senders are never throttled for it. */
export const NO_BACKPRESSURE: BackpressureMonitor = {
  recordAccepted: () => undefined,
  decide: () => ({ admit: true, delayAckMs: 0 }),
};

/**
 * Tracks the records that are durable but not yet projected, and how long the projector will need for them. Based on log
 * positions rather than counts, so it stays exact with lost, repeated or early reports, restarts and deduplication.
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

  /** Number of records not yet projected. */
  get records(): number {
    return this.waiting;
  }

  /** Time in ms that the projector needs for the backlog. */
  get workMs(): number {
    return (this.waiting / this.rate) * 1_000;
  }

  /** Measured throughput of the projector. */
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
   * @param at ms of a monotonic clock
   * @param busyMs working time since the last report. If unknown, the elapsed time is used, provided that at least twice as
   *   many records were waiting, so that the projector cannot have been idle.
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

  /** A period in which the projector may have been idle only gives a lower bound of its rate. */
  private updateRate(records: number, busyMs: number, wasBusy: boolean): void {
    if (busyMs <= 0) return;
    const measured = Math.max(MIN_RATE, (records / busyMs) * 1_000);
    if (!wasBusy && measured < this.rate) return;
    const weight = 1 - Math.exp(-busyMs / RATE_MEMORY_MS);
    this.rate += weight * (measured - this.rate);
  }
}

/**
 * Backlog by Grid. Contains only Grids with waiting records, so its size is limited by the number of waiting requests.
 */
export class FairShares {
  private readonly waiting = new Map<string, number>();
  private total = 0;

  /** Adds waiting records of a Grid. */
  add(gridId: string, records: number): void {
    this.waiting.set(gridId, this.waitingOf(gridId) + records);
    this.total += records;
  }

  /** Removes records, which MUST have been added before. */
  remove(gridId: string, records: number): void {
    const left = this.waitingOf(gridId) - records;
    this.total -= records;
    if (left > 0) this.waiting.set(gridId, left);
    else this.waiting.delete(gridId);
  }

  /**
   * Whether this Grid has fewer waiting records than the average of all Grids with waiting records. Never true for the only
   * one.
   */
  isBelowFairShare(gridId: string): boolean {
    return this.waitingOf(gridId) * this.waiting.size < this.total;
  }

  private waitingOf(gridId: string): number {
    return this.waiting.get(gridId) ?? 0;
  }
}
