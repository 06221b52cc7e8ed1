import { asyncScheduler, concatMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import type { EventStore } from '../streams/event-store.js';
import type { ApiKeysUsed, StoredKeyUse, StoredLastExport } from '../streams/events/key-use-events.js';
import { keyUseStream } from '../streams/stream-names.js';
import type { ApiKeyUsageCompactor } from './api-key-usage-compactor.js';
import { ApiKeyUsageTracker } from './api-key-usage-tracker.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What is news waits so long (ms) for what comes with it: the first request of a key is a use and a sending. */
const BATCH_DELAY_MS = 250;

export interface ApiKeyUsageParts {
  readonly log: Pick<EventStore, 'append'>;
  readonly tidying: Pick<ApiKeyUsageCompactor, 'compact'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly scheduler?: SchedulerLike;
  readonly keys?: ApiKeyUsageTracker;
}

type Key = { readonly keyId: string; readonly gridId: string };
type KeyRefusal = { readonly signal?: StoredLastExport['signal']; readonly kind: string; readonly reason: string };

/**
 * Writes down what API keys are used for: what is news of a key at once, the rest once a minute a Grid, and all of it when
 * the service stops. A crash loses a minute of it. Whoever asks before that is told from memory (`of`).
 */
export class ApiKeyUsagePolicy {
  private readonly keys: ApiKeyUsageTracker;
  private readonly scheduler: SchedulerLike;
  private readonly running = new Subscription();
  private readonly due = new Set<string>();
  private gathering = false;
  private writing: Promise<void> = Promise.resolve();
  private tidied: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly parts: ApiKeyUsageParts) {
    this.keys = parts.keys ?? new ApiKeyUsageTracker();
    this.scheduler = parts.scheduler ?? asyncScheduler;
  }

  used(key: Key): void {
    if (this.keys.recordUse(key, this.parts.now())) this.scheduleWrite(key.gridId);
  }

  sent(key: Key, sending: Omit<StoredLastExport, 'at'>): void {
    if (this.keys.recordSending(key, { ...sending, at: this.parts.now() })) this.scheduleWrite(key.gridId);
  }

  refused(key: Key, refusal: KeyRefusal): void {
    if (this.keys.recordRefusal(key, this.parts.now(), refusal)) this.scheduleWrite(key.gridId);
  }

  /** What this process knows of a Grid's keys, written down or not, by key id. */
  usageByKey(gridId: string): ReadonlyMap<string, StoredKeyUse> {
    return this.keys.usageByKey(gridId);
  }

  /** Writes each minute from now on, and tidies each hour. News is written before that, too. */
  start(): void {
    const minutes = timer(MINUTE_MS, MINUTE_MS, this.scheduler).pipe(concatMap(() => from(this.writeAll())));
    const hours = timer(HOUR_MS, HOUR_MS, this.scheduler).pipe(concatMap(() => from((this.tidied = this.compact()))));
    this.running.add(minutes.subscribe());
    this.running.add(hours.subscribe());
  }

  /** Writes what is not written yet. Legal twice. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.running.unsubscribe();
    await this.tidied;
    await this.writeAll();
  }

  /** What is told after the stop is not written: the store may be closed. */
  private scheduleWrite(gridId: string): void {
    this.due.add(gridId);
    if (this.gathering || this.stopped) return;
    this.gathering = true;
    this.running.add(
      timer(BATCH_DELAY_MS, this.scheduler).subscribe(() => {
        this.gathering = false;
        void this.write();
      }),
    );
  }

  private writeAll(): Promise<void> {
    for (const gridId of this.keys.changedGrids()) this.due.add(gridId);
    return this.write();
  }

  /** One after the other: more Grids than can be written in a minute wait for each other, and nobody waits for them. */
  private write(): Promise<void> {
    this.writing = this.writing.then(async () => {
      for (const gridId of this.due) {
        this.due.delete(gridId);
        await this.writeGrid(gridId);
      }
    });
    return this.writing;
  }

  /** What fails is written with the next. */
  private async writeGrid(gridId: string): Promise<void> {
    const keys = this.keys.takeChanged(gridId);
    if (keys.length === 0) return;
    const event: ApiKeysUsed = { type: 'ApiKeysUsed.v1', data: { gridId, at: this.parts.now(), keys } };
    try {
      await this.parts.log.append(keyUseStream(gridId), 'any', [{ id: this.parts.newId(), ...event }]);
    } catch (error) {
      this.keys.markUnwritten(gridId, keys);
      this.parts.logger.warn('the use of API keys could not be written down and will be tried again', {
        gridId,
        error,
      });
    }
  }

  private async compact(): Promise<void> {
    try {
      await this.parts.tidying.compact(this.parts.now());
    } catch (error) {
      this.parts.logger.error('old uses of API keys could not be let go and will be tried again in an hour', { error });
    }
  }
}
