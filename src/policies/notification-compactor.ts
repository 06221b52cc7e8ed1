import { asyncScheduler, concatMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import { summarizeNotifications, type NotificationSummary } from '../commands/notifications/notification-summary.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { EventStore, RecordedEvent } from '../streams/event-store.js';
import type { NotificationEvent } from '../streams/events/notification-events.js';
import { notificationsStream } from '../streams/stream-names.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';

/** Interval (ms) between rounds. */
const ROUND_MS = 600_000;
/** Events after which a stream gets a summary. */
const EVENTS_TO_SUMMARIZE = 1_000;
/** How long (ms) the events before a summary are kept: comparisons of a read model with a replay are over by then. */
const KEPT_BEFORE_SUMMARY_MS = 3_600_000;
/** Events that are read at a time. */
const BATCH_SIZE = 1_000;
/** Settled deliveries that a summary keeps of each channel: as many as are listed, or less if it were too large. */
const KEPT_DELIVERIES = [50, 5, 0];
const MAX_SUMMARY_BYTES = 8 * 1024 * 1024;
/** Part of what the log appends at once: the rest is for what it adds to an event. */
const APPENDED_PART = 0.9;
const SUMMARY_TYPE: NotificationEvent['type'] = 'NotificationsSummarized.v1';

export interface NotificationCompactorParts {
  readonly log: Pick<EventStore, 'append' | 'readStream' | 'truncate' | 'maxAppendBytes'>;
  /** Grids of this process. Several processes may compact one: repeated summaries and truncations do no harm. */
  listGrids(): Promise<readonly string[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly scheduler?: SchedulerLike;
}

/**
 * Keeps the streams of notifications short (decision 192): after 1,000 events a summary is appended that stands for all
 * of them, and an hour later they are deleted. A summary is appended only behind the event up to which it was made, so
 * that it can hide nothing.
 */
export class NotificationCompactor {
  private readonly running = new Subscription();
  private current: Promise<void> = Promise.resolve();
  private isStopped = false;

  private readonly failures: FailureReporter;

  constructor(private readonly parts: NotificationCompactorParts) {
    this.failures = new FailureReporter({
      log: parts.logger,
      failed: 'Failed to compact notifications; retrying in ten minutes',
      recovered: 'Notifications are compacted again',
      now: parts.now,
      isStopping: () => this.isStopped,
    });
  }

  /** Runs now and every ten minutes. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    const rounds = timer(0, ROUND_MS, scheduler).pipe(concatMap(() => from((this.current = this.compactAll()))));
    this.running.add(rounds.subscribe());
  }

  /** Waits for the Grid in progress. Safe to call twice. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.running.unsubscribe();
    await this.current;
  }

  /** Failures are retried in ten minutes; those of one Grid do not affect others. */
  private async compactAll(): Promise<void> {
    await this.failures.watch({}, async () => {
      for (const gridId of await this.parts.listGrids()) {
        if (this.isStopped) return;
        await this.failures.watch({ gridId }, () => this.compact(gridId));
      }
    });
  }

  /** Deletes what an older summary stands for, or else appends a summary if the stream is long. */
  async compact(gridId: string): Promise<void> {
    const { log, now } = this.parts;
    const stream = notificationsStream(gridId);
    if ((await this.countEvents(stream)) < EVENTS_TO_SUMMARIZE) return;
    const found = await this.readStream(stream);
    if (found === undefined) return;
    const { first, newest, summary, summaries } = found;
    const old = summaries.findLast(({ recordedAt }) => recordedAt <= now() - KEPT_BEFORE_SUMMARY_MS);
    // By the clock of the log itself, so that exactly the events before the summary are deleted.
    if (old !== undefined && old.revision > first.revision) await log.truncate(stream, old.recordedAt);
    const since = newest.revision - (summaries.at(-1)?.revision ?? first.revision - 1);
    if (since >= EVENTS_TO_SUMMARIZE) await this.appendSummary(stream, summary, newest);
  }

  private async countEvents(stream: string): Promise<number> {
    const { log } = this.parts;
    const [first] = await log.readStream(stream, 0, 1);
    if (first === undefined) return 0;
    const { revision } = await log.append(stream, 'any', []);
    return revision === 'none' ? 0 : revision - first.revision + 1;
  }

  private async readStream(stream: string): Promise<
    | {
        readonly first: RecordedEvent;
        readonly newest: RecordedEvent;
        readonly summary: NotificationSummary;
        readonly summaries: readonly RecordedEvent[];
      }
    | undefined
  > {
    const summary = summarizeNotifications();
    const summaries: RecordedEvent[] = [];
    let [first, newest]: (RecordedEvent | undefined)[] = [];
    for (;;) {
      const events = await this.parts.log.readStream(
        stream,
        newest === undefined ? 0 : newest.revision + 1,
        BATCH_SIZE,
      );
      first ??= events.at(0);
      newest = events.at(-1) ?? newest;
      summary.add(events.map(({ type, data }) => ({ type, data }) as NotificationEvent));
      summaries.push(...events.filter(({ type }) => type === SUMMARY_TYPE).map((event) => ({ ...event, data: {} })));
      if (events.length === BATCH_SIZE && !this.isStopped) continue;
      return first === undefined || newest === undefined || this.isStopped
        ? undefined
        : { first, newest, summary, summaries };
    }
  }

  /** Appends nothing if the stream has grown meanwhile, or so much is pending that no summary is small enough. */
  private async appendSummary(
    stream: string,
    summary: NotificationSummary,
    { revision, data }: RecordedEvent,
  ): Promise<void> {
    const { log, now, newId } = this.parts;
    const { gridId } = data as NotificationEvent['data'];
    const most = Math.min(MAX_SUMMARY_BYTES, log.maxAppendBytes * APPENDED_PART);
    for (const kept of KEPT_DELIVERIES) {
      const event = summary.toEvent(gridId, now(), kept);
      if (Buffer.byteLength(JSON.stringify(event.data)) > most) continue;
      await log.append(stream, revision, [{ id: newId(), ...event }]);
      return;
    }
  }
}
