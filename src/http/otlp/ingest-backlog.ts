import type { WorkShare } from '../../scheduling/fair-queue.js';
import { type Position, START } from '../../streams/event-store.js';
import { WaitingRecords } from './waiting-records.js';

/** Backlog (ms of projection work) from which acknowledgements are delayed. */
const DELAY_FROM_MS = 250;

export const MAX_ACK_DELAY_MS = 500;

/** Backlog (ms of projection work) from which new requests are rejected, divided by max-min fairness among owners. */
const REFUSE_FROM_MS = 1_000;

/** Grids below the limit of a Grid are rejected once their owner has this multiple of its limit waiting. */
const OWNER_EXCESS = 2;

/** Longest retry delay (ms): the backlog is bounded, so a longer one only says that the measured rate is too low. */
export const MAX_RETRY_AFTER_MS = 10_000;

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

/** The backlog as seen by one Grid. Times in ms of projection work. */
export interface BacklogView {
  readonly totalMs: number;
  /** Of the owner of the Grid, and the number of owners with waiting records including this one. */
  readonly ownerMs: number;
  readonly owners: number;
  /** Of the Grid, and the number of Grids of its owner with waiting records including this one. */
  readonly gridMs: number;
  readonly grids: number;
  /**
   * What an owner may have waiting when the limit is divided by max-min fairness, and a Grid when that is; else
   * infinite.
   */
  readonly ownerLimitMs: number;
  readonly gridLimitMs: number;
}

/**
 * A Grid with less than the average waiting is neither delayed nor, unless its own part of the limit is used up,
 * rejected: it does not suffer from the backlog of others. The parts are max-min fair: what small owners do not use is
 * available to large ones, and the backlog exceeds its limit by at most one request of each owner, up to twice the
 * limit where owners use several Grids.
 */
export function decideBackpressure(view: BacklogView): BackpressureDecision {
  const { totalMs, ownerMs, owners, gridMs, grids, ownerLimitMs, gridLimitMs } = view;
  const isGridOver = gridMs >= gridLimitMs || ownerMs >= OWNER_EXCESS * ownerLimitMs;
  if (totalMs >= REFUSE_FROM_MS && ownerMs >= ownerLimitMs && isGridOver)
    return { admit: false, retryAfterMs: Math.min(MAX_RETRY_AFTER_MS, Math.ceil(totalMs - DELAY_FROM_MS)) };
  if (ownerMs * owners < totalMs || gridMs * grids < ownerMs) return { admit: true, delayAckMs: 0 };
  return { admit: true, delayAckMs: Math.min(MAX_ACK_DELAY_MS, Math.max(0, Math.ceil(totalMs - DELAY_FROM_MS))) };
}

/** Records that are counted as backlog. Call exactly one of both methods. */
export interface BacklogEntry {
  /** The records have become durable at `position`. */
  settle(position: Position): void;
  /** The records were not appended. */
  cancel(): void;
}

/** Decides whether senders are admitted, delayed or rejected. */
export interface BackpressureMonitor {
  /** Counts records of a Grid that are about to be appended. */
  begin(share: WorkShare, records: number): BacklogEntry;
  /** The decision for senders of this Grid. Owners, and of one owner Grids, above the average are throttled first. */
  decide(share: WorkShare): BackpressureDecision;
}

/** For processes without projectors: their backlog is in the event log, and senders are never throttled for it. */
export const NO_BACKPRESSURE: BackpressureMonitor = {
  begin: () => ({ settle: () => undefined, cancel: () => undefined }),
  decide: () => ({ admit: true, delayAckMs: 0 }),
};

/**
 * Tracks the records that are durable but not yet projected, and how long the projector will need for them. Based on log
 * positions rather than counts, so it stays exact with lost, repeated or early reports, restarts and deduplication.
 */
export class IngestBacklog implements BackpressureMonitor {
  private positions: Position[] = [];
  private counts: number[] = [];
  private shares: WorkShare[] = [];
  private readonly waiting = new WaitingRecords();
  private first = 0;
  /** Records that are counted but not durable yet. */
  private appending = 0;
  private projectedTo = START;
  private reportedAt: number | undefined;
  private waitingAtReport = 0;
  private rate = ASSUMED_RATE;

  /** Number of records not yet projected, including those that are being appended. */
  get records(): number {
    return this.waiting.total;
  }

  /** Time in ms that the projector needs for the backlog. */
  get workMs(): number {
    return this.toWorkMs(this.waiting.total);
  }

  /** Measured throughput of the projector. */
  get recordsPerSecond(): number {
    return this.rate;
  }

  decide(share: WorkShare): BackpressureDecision {
    const { owner, owners, grid, grids } = this.waiting.viewOf(share);
    const ownerLimit = this.waiting.computeOwnerLimit((REFUSE_FROM_MS * this.rate) / 1_000);
    const gridLimit = ownerLimit === Infinity ? Infinity : this.waiting.computeGridLimit(share.ownerId, ownerLimit);
    return decideBackpressure({
      totalMs: this.workMs,
      ownerMs: this.toWorkMs(owner),
      owners,
      gridMs: this.toWorkMs(grid),
      grids,
      ownerLimitMs: this.toWorkMs(ownerLimit),
      gridLimitMs: this.toWorkMs(gridLimit),
    });
  }

  begin(share: WorkShare, records: number): BacklogEntry {
    this.waiting.add(share, records);
    this.appending += records;
    return {
      settle: (position) => {
        this.appending -= records;
        if (position <= this.projectedTo) return this.waiting.remove(share, records);
        this.positions.push(position);
        this.counts.push(records);
        this.shares.push(share);
      },
      cancel: () => {
        this.appending -= records;
        this.waiting.remove(share, records);
      },
    };
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
    this.waitingAtReport = this.waiting.total - this.appending;
  }

  private removeUpTo(position: Position): number {
    if (position > this.projectedTo) this.projectedTo = position;
    const before = this.waiting.total;
    while (this.first < this.positions.length && this.positions[this.first] <= this.projectedTo) {
      this.waiting.remove(this.shares[this.first], this.counts[this.first]);
      this.first++;
    }
    if (this.first * 2 > this.positions.length) this.compact();
    return before - this.waiting.total;
  }

  private compact(): void {
    this.positions = this.positions.slice(this.first);
    this.counts = this.counts.slice(this.first);
    this.shares = this.shares.slice(this.first);
    this.first = 0;
  }

  private toWorkMs(records: number): number {
    return (records / this.rate) * 1_000;
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
