import { once } from 'node:events';
import { asyncScheduler, concatMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';
import type { EventStore } from '../streams/event-store.js';
import { TELEMETRY_EXPIRED_TYPE, type TelemetryExpired } from '../streams/events/telemetry-events.js';
import { retentionStream, telemetryStream } from '../streams/stream-names.js';
import { computeExpiryWatermark, computeTruncationWatermark } from './retention-watermarks.js';

const HOUR_MS = 3_600_000;

export interface RetentionParts {
  readonly events: Pick<EventStore, 'append' | 'truncate'>;
  readonly ages: () => Promise<readonly TelemetryAge[]>;
  /** Gives the freed space of the read models back; answers bytes. */
  readonly vacuum: () => Promise<number>;
  /** RETENTION_DAYS, for Grids that do not say otherwise; 0: for ever. */
  readonly defaultDays: number;
  readonly log: Logger;
  /** Told how many bytes of the read models were given back; what leaves the log, the log itself knows. */
  readonly reportFreedBytes?: (bytes: number) => void;
  readonly newId: () => string;
  readonly scheduler?: SchedulerLike;
}

/**
 * Lets telemetry go when its time is over: marks in the log tell the projections what has expired, and a day later the
 * log itself is cut. Grid administration is never touched.
 */
export class RetentionPolicy {
  private readonly running = new Subscription();
  private readonly stopping = new AbortController();
  private readonly stopped: Promise<unknown> = once(this.stopping.signal, 'abort');
  private round: Promise<void> = Promise.resolve();

  constructor(private readonly parts: RetentionParts) {}

  /** Acts now and each hour. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    const rounds = timer(0, HOUR_MS, scheduler).pipe(
      concatMap(() => from((this.round = this.attempt(scheduler.now())))),
    );
    this.running.add(rounds.subscribe());
  }

  /**
   * Waits for no more than the mark being written. A truncation or vacuum under way is left to its store, which ends it
   * between two slices when it is closed; the next start goes on. Legal twice.
   */
  async stop(): Promise<void> {
    this.running.unsubscribe();
    this.stopping.abort();
    await this.round;
  }

  /** One round, as of `now` (ms since 1970). */
  async enforce(now: number): Promise<void> {
    for (const age of (await this.unlessStopped(this.parts.ages())) ?? []) {
      if (this.isStopping) return;
      await this.mark(age, now);
      await this.truncate(age, now);
    }
    if (this.isStopping) return;
    const bytes = await this.unlessStopped(this.parts.vacuum());
    if (bytes !== undefined) this.parts.reportFreedBytes?.(bytes);
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** What the work answers; undefined when the policy stops first. */
  private async unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.stopped.then(() => undefined)]);
  }

  /** What fails now is done in an hour. */
  private async attempt(now: number): Promise<void> {
    try {
      await this.enforce(now);
    } catch (error) {
      this.parts.log.error('retention failed and will be tried again in an hour', { error });
    }
  }

  private async mark(age: TelemetryAge, now: number): Promise<void> {
    const before = computeExpiryWatermark(age, this.parts.defaultDays, now);
    if (before === undefined) return;
    const data: TelemetryExpired = { gridId: age.gridId, before, at: now };
    await this.parts.events.append(retentionStream(age.gridId), 'any', [
      { id: this.parts.newId(), type: TELEMETRY_EXPIRED_TYPE, data },
    ]);
    this.parts.log.info('telemetry expired', { ...data });
  }

  private async truncate(age: TelemetryAge, now: number): Promise<void> {
    const before = computeTruncationWatermark(age, this.parts.defaultDays, now);
    if (before === undefined || this.isStopping) return;
    await this.unlessStopped(this.parts.events.truncate(telemetryStream(age.gridId), before));
  }
}
