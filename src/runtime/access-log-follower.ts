import { setTimeout as pause } from 'node:timers/promises';
import { AccessRegistry, type AccessSnapshot } from '../auth/access-registry.js';
import type { AccessLog } from '../auth/event-log-access-control.js';
import type { Health } from '../component.js';
import { HindsightError } from '../errors.js';
import { withTimeout } from '../http/limits/response-timeout.js';
import type { Logger } from '../self-telemetry/logger.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import { type EventReader, type Position, type RecordedEvent, START } from '../streams/event-store.js';
import { GRID_PREFIX, RETENTION_PREFIX } from '../streams/stream-names.js';
import { applyWithdrawals } from './snapshot-watermarks.js';

/** How old (ms) the state of the records may be: a change of another process takes effect within this time. */
const MAX_AGE_MS = 1_000;
/** Interval (ms) at which the log is read where other processes append to it. */
const POLL_INTERVAL_MS = MAX_AGE_MS / 2;
/** Least time (ms) between two polls, however many callers ask for one. */
const MIN_POLL_DISTANCE_MS = 20;
/** Timeout (ms) of a read before the first poll has succeeded, at least: it may skip all telemetry of a long log. */
const MIN_FIRST_READ_TIMEOUT_MS = 30_000;
/** Polls that a caller waits for: one, and more where the log shows a change of this process late. */
const MAX_POLLS = 3;
const BATCH_EVENTS = 1_000;

export interface AccessLogFollowerParts {
  readonly log: Pick<EventReader, 'head' | 'readAll' | 'readStream'>;
  /**
   * Whether other processes append to this log. Otherwise the records are current after every change of this process.
   */
  readonly isShared: boolean;
  /**
   * The records of the read models, to begin with: reading a long remote log from its beginning takes minutes. Absent:
   * the log is read from its beginning.
   */
  readonly readSnapshot?: (() => Promise<AccessSnapshot | undefined>) | undefined;
  /** Called after access rights have changed. */
  readonly onChange: () => void;
  readonly logger: Pick<Logger, 'warn'>;
  /**
   * Time (ms) after which a read is abandoned and repeated, as stores may hang for half a minute; the start waits as long
   * for the first poll.
   */
  readonly timeoutMs: number;
  /** Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
  /**
   * Resolves after a time (ms), or when the signal is aborted. Default: a timer that does not keep the process alive.
   */
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Keeps Grids, API keys and members of the event log in memory: first from a snapshot or the beginning of the log, then
 * by polling. Memory grows with their number, not with telemetry. Damaged events are skipped and logged.
 */
export class AccessLogFollower implements AccessLog {
  readonly records = new AccessRegistry();
  /** Position of the newest change that this process made. */
  #required: Position = START;
  /** The records contain everything that was appended before this time of `now`. */
  #completeAsOf = -Infinity;
  #failure: Error | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #startedAt = -Infinity;
  #signal: AbortSignal | undefined;

  constructor(private readonly parts: AccessLogFollowerParts) {}

  get isCaughtUp(): boolean {
    return this.#completeAsOf > -Infinity;
  }

  /** Resolves after the first poll or `timeoutMs`, whichever comes first. Polling continues until `signal` is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const first = this.#poll().catch(() => undefined);
    void first.then(() => this.#pollUntilAborted(signal));
    await Promise.race([first, this.#pause(this.parts.timeoutMs)]);
  }

  async ensureCurrent(): Promise<void> {
    const [askedAt, required] = [this.#now(), this.#required]; // later changes of this process need not be waited for
    if (this.#isCurrent(askedAt, required)) return;
    if (this.#failure !== undefined || !this.isCaughtUp) throw this.#createUnavailableError();
    for (let polls = 0; polls < MAX_POLLS && !this.#isCurrent(askedAt, required); polls++) await this.#poll();
    if (!this.#isCurrent(askedAt, required)) throw this.#createUnavailableError();
  }

  async refresh(): Promise<void> {
    if (this.parts.isShared || !this.#isCurrent(this.#now(), this.#required)) await this.#poll();
  }

  /**
   * Called after an append of this process. Resolves to true once the records contain everything up to `position`, to
   * false after `timeoutMs`; until then nothing is granted on older records. False at once if it was never started.
   */
  async waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    if (this.#signal === undefined) return false;
    if (position > this.#required) this.#required = position;
    const deadline = this.#now() + timeoutMs;
    while (this.records.position < position && this.#now() < deadline && !this.#signal.aborted)
      await this.#poll().catch(() => undefined);
    return this.records.position >= position;
  }

  check(): Health {
    if (this.isCaughtUp && this.#failure === undefined) return { ok: true };
    return { ok: false, reason: this.#describeState() };
  }

  #describeState(): string {
    if (this.#failure !== undefined) return `API keys cannot be read from the event log: ${this.#failure.message}`;
    if (this.isCaughtUp)
      return 'changes of this process to Grids, keys or members are not visible in the event log yet';
    return `API keys are being read from the event log: ${this.records.size} Grids, keys and members so far`;
  }

  #createUnavailableError(): HindsightError {
    return new HindsightError('unavailable', this.#describeState(), [], { cause: this.#failure });
  }

  #isCurrent(askedAt: number, required: Position): boolean {
    if (!this.isCaughtUp || this.records.position < required) return false;
    return !this.parts.isShared || this.#completeAsOf >= askedAt - MAX_AGE_MS;
  }

  /** Resolves after a poll that began after the call; concurrent callers share one. */
  #poll(): Promise<void> {
    this.#next ??= this.#startNextPoll();
    return this.#next;
  }

  async #startNextPoll(): Promise<void> {
    await this.#running.catch(() => undefined);
    const waitMs = this.#startedAt + MIN_POLL_DISTANCE_MS - this.#now();
    if (waitMs > 0) await this.#pause(waitMs);
    this.#next = undefined;
    this.#startedAt = this.#now();
    this.#running = this.#pollOnce(this.#startedAt);
    await this.#running;
  }

  async #pollOnce(startedAt: number): Promise<void> {
    try {
      await this.#readNewEvents();
      this.#completeAsOf = startedAt;
      this.#failure = undefined;
    } catch (error) {
      if (this.#failure === undefined && this.#signal?.aborted !== true)
        this.parts.logger.warn('Cannot read API keys and members from the event log; retrying', { error });
      this.#failure = error as Error;
      throw this.#createUnavailableError();
    }
  }

  /** Applies all events up to the present head. Events of other streams cost nothing but the move of the position. */
  async #readNewEvents(): Promise<void> {
    const { records, parts } = this;
    const head = await this.#read(parts.log.head());
    if (!this.isCaughtUp) await this.#loadSnapshot(head);
    let hasChanged = false;
    try {
      while (records.position < head) {
        const events = await this.#readBatch();
        for (const event of events) hasChanged = records.apply(event) || hasChanged;
        if (events.length === 0) records.advanceTo(head);
      }
    } finally {
      if (hasChanged) parts.onChange();
    }
  }

  /** A snapshot beyond the head is not of this log: the log was restored from an older backup. */
  async #loadSnapshot(head: Position): Promise<void> {
    const { records, parts } = this;
    try {
      const snapshot = await (parts.readSnapshot && withTimeout(parts.timeoutMs, parts.readSnapshot()));
      if (snapshot === undefined || snapshot.position <= records.position || snapshot.position > head) return;
      records.load({
        ...snapshot,
        retentionWatermarks: await this.#read(applyWithdrawals(snapshot.retentionWatermarks, parts.log)),
      });
    } catch (error) {
      parts.logger.warn('Cannot read API keys from the read models; reading the event log from its beginning', {
        error,
      });
    }
  }

  async #readBatch(): Promise<readonly RecordedEvent[]> {
    const options = { prefixes: [GRID_PREFIX, RETENTION_PREFIX], limit: BATCH_EVENTS, bodies: false };
    for (;;) {
      try {
        return await this.#read(this.parts.log.readAll(this.records.position, options));
      } catch (error) {
        if (!isDamagedEvent(error)) throw error;
        this.parts.logger.warn('Skipped a damaged event of a Grid; permissions in it may be wrong', { error });
        this.records.advanceTo(error.position);
      }
    }
  }

  #read<Result>(result: Promise<Result>): Promise<Result> {
    const { timeoutMs } = this.parts;
    return withTimeout(this.isCaughtUp ? timeoutMs : Math.max(timeoutMs, MIN_FIRST_READ_TIMEOUT_MS), result);
  }

  /** Failures are reported by the poll itself. */
  async #pollUntilAborted(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#pause(POLL_INTERVAL_MS);
      if (!signal.aborted) await this.#poll().catch(() => undefined);
    }
  }

  #now(): number {
    return (this.parts.now ?? (() => performance.now()))();
  }

  #pause(ms: number): Promise<void> {
    return (this.parts.pause ?? pauseUnref)(ms, this.#signal);
  }
}

async function pauseUnref(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined); // aborted
}
