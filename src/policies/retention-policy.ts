import { once } from 'node:events';
import { asyncScheduler, concatMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';
import type { EventStore } from '../streams/event-store.js';
import { TELEMETRY_EXPIRED_TYPE, type TelemetryExpired } from '../streams/events/telemetry-events.js';
import { retentionStream, telemetryStream } from '../streams/stream-names.js';
import { computeExpiryWatermark, computeTruncationWatermark } from './retention-watermarks.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';
import { readNewestEvents } from './newest-events.js';

const HOUR_MS = 3_600_000;

/** Watermarks to read of a Grid: more than it can get in a day. */
const WATERMARKS_READ = 32;

export interface RetentionParts {
  readonly events: Pick<EventStore, 'append' | 'readStream' | 'truncate'>;
  /** Assesses the clock and resolves to the time to use (ms since 1970); deletes its own old events. */
  readonly clock: {
    observe(): Promise<{ readonly trusted: number }>;
    truncate(now: number): Promise<void>;
  };
  readonly readTelemetryAges: () => Promise<readonly TelemetryAge[]>;
  /** Returns freed space of the read models to the file system; resolves to its bytes. */
  readonly vacuum: () => Promise<number>;
  /** RETENTION_DAYS, for Grids without their own setting; 0: unlimited. */
  readonly defaultDays: number;
  readonly log: Logger;
  /** Receives the freed bytes of the read models; those of the event log are reported by the log itself. */
  readonly reportFreedBytes?: (bytes: number) => void;
  readonly newId: () => string;
  readonly scheduler?: SchedulerLike;
}

/**
 * Enforces retention: a watermark event records for the projections what has expired, and a day later the events are
 * deleted from the log. The time is that of RetentionClock, so that a wrong clock expires nothing. Administrative
 * events are never deleted.
 */
export class RetentionPolicy {
  private readonly running = new Subscription();
  private readonly stopping = new AbortController();
  private readonly stopped: Promise<unknown> = once(this.stopping.signal, 'abort');
  private currentRound: Promise<void> = Promise.resolve();

  private readonly failures: FailureReporter;

  constructor(private readonly parts: RetentionParts) {
    const { log, scheduler = asyncScheduler } = parts;
    this.failures = new FailureReporter({
      log,
      failed: 'Retention failed; retrying in an hour',
      recovered: 'Retention works again',
      now: () => scheduler.now(),
      isStopping: () => this.isStopping,
    });
  }

  /** Runs now and every hour. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    const rounds = timer(0, HOUR_MS, scheduler).pipe(concatMap(() => from((this.currentRound = this.attempt()))));
    this.running.add(rounds.subscribe());
  }

  /**
   * Waits only for a watermark that is being appended. A pending truncation or vacuum is interrupted by its store on
   * close; the next start continues. Safe to call twice.
   */
  async stop(): Promise<void> {
    this.running.unsubscribe();
    this.stopping.abort();
    await this.currentRound;
  }

  /** One round. A failure in one Grid does not affect the others. */
  async enforce(): Promise<void> {
    const judgement = await this.unlessStopped(this.parts.clock.observe());
    if (judgement === undefined) return;
    const now = judgement.trusted;
    for (const age of (await this.unlessStopped(this.parts.readTelemetryAges())) ?? []) {
      if (this.isStopping) return;
      await this.failures.watch({ gridId: age.gridId }, async () => {
        await this.appendWatermark(age, now);
        await this.truncate(age, now);
      });
    }
    if (this.isStopping) return;
    await this.unlessStopped(this.parts.clock.truncate(now));
    if (this.isStopping) return;
    const bytes = await this.unlessStopped(this.parts.vacuum());
    if (bytes !== undefined) this.parts.reportFreedBytes?.(bytes);
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Result of the work; undefined if the policy stops first. */
  private async unlessStopped<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.stopped.then(() => undefined)]);
  }

  /** Failures are retried in an hour. */
  private async attempt(): Promise<void> {
    await this.failures.watch({}, () => this.enforce());
  }

  private async appendWatermark(age: TelemetryAge, now: number): Promise<void> {
    const before = computeExpiryWatermark(age, this.parts.defaultDays, now);
    if (before === undefined) return;
    const data: TelemetryExpired = { gridId: age.gridId, before, at: now };
    await this.parts.events.append(retentionStream(age.gridId), 'any', [
      { id: this.parts.newId(), type: TELEMETRY_EXPIRED_TYPE, data },
    ]);
    this.parts.log.info('Telemetry expired', { ...data });
  }

  private async truncate(age: TelemetryAge, now: number): Promise<void> {
    if (this.isStopping) return;
    const watermarks = await this.unlessStopped(this.readWatermarks(age.gridId));
    if (watermarks === undefined) return;
    const before = computeTruncationWatermark(age, this.parts.defaultDays, now, watermarks);
    if (before === undefined) return;
    await this.unlessStopped(this.parts.events.truncate(telemetryStream(age.gridId), before));
  }

  /** The newest watermarks of the Grid, oldest first. */
  private async readWatermarks(gridId: string): Promise<readonly TelemetryExpired[]> {
    const events = await readNewestEvents(this.parts.events, retentionStream(gridId), WATERMARKS_READ);
    return events.map(({ data }) => data as TelemetryExpired);
  }
}
