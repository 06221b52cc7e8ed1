import { asyncScheduler, concatMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import type { EventStore } from '../streams/event-store.js';
import type { ApiKeysUsed, StoredKeyUse, StoredLastExport } from '../streams/events/key-use-events.js';
import { keyUseStream } from '../streams/stream-names.js';
import type { ApiKeyUsageCompactor } from './api-key-usage-compactor.js';
import { ApiKeyUsageTracker } from './api-key-usage-tracker.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Delay (ms) before first uses are written, to batch them: the first request of a key is both a use and an ingestion.
 */
const BATCH_DELAY_MS = 250;

export interface ApiKeyUsageParts {
  readonly log: Pick<EventStore, 'append'>;
  readonly compactor: Pick<ApiKeyUsageCompactor, 'compact'>;
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
 * Records API key usage in the log: the first use of each kind at once, the rest once a minute per Grid, and everything
 * on stop. A crash loses up to a minute. Until then `usageByKey` returns the usage from memory.
 */
export class ApiKeyUsagePolicy {
  private readonly keys: ApiKeyUsageTracker;
  private readonly scheduler: SchedulerLike;
  private readonly running = new Subscription();
  private readonly due = new Set<string>();
  private isWriteScheduled = false;
  private pendingWrites: Promise<void> = Promise.resolve();
  private compaction: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly parts: ApiKeyUsageParts) {
    this.keys = parts.keys ?? new ApiKeyUsageTracker();
    this.scheduler = parts.scheduler ?? asyncScheduler;
  }

  recordUse(key: Key): void {
    if (this.keys.recordUse(key, this.parts.now())) this.scheduleWrite(key.gridId);
  }

  recordIngestion(key: Key, ingestion: Omit<StoredLastExport, 'at'>): void {
    if (this.keys.recordIngestion(key, { ...ingestion, at: this.parts.now() })) this.scheduleWrite(key.gridId);
  }

  recordRefusal(key: Key, refusal: KeyRefusal): void {
    if (this.keys.recordRefusal(key, this.parts.now(), refusal)) this.scheduleWrite(key.gridId);
  }

  /** Usage of a Grid's keys as seen by this process, stored or not, by key id. */
  usageByKey(gridId: string): ReadonlyMap<string, StoredKeyUse> {
    return this.keys.usageByKey(gridId);
  }

  /** Writes every minute and compacts every hour. First uses are written earlier. */
  start(): void {
    const minutes = timer(MINUTE_MS, MINUTE_MS, this.scheduler).pipe(concatMap(() => from(this.writeAll())));
    const hours = timer(HOUR_MS, HOUR_MS, this.scheduler).pipe(
      concatMap(() => from((this.compaction = this.compact()))),
    );
    this.running.add(minutes.subscribe());
    this.running.add(hours.subscribe());
  }

  /** Writes all pending usage. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.running.unsubscribe();
    await this.compaction;
    await this.writeAll();
  }

  /** Usage recorded after the stop is not written, because the store may be closed. */
  private scheduleWrite(gridId: string): void {
    this.due.add(gridId);
    if (this.isWriteScheduled || this.stopped) return;
    this.isWriteScheduled = true;
    this.running.add(
      timer(BATCH_DELAY_MS, this.scheduler).subscribe(() => {
        this.isWriteScheduled = false;
        void this.write();
      }),
    );
  }

  private writeAll(): Promise<void> {
    for (const gridId of this.keys.changedGrids()) this.due.add(gridId);
    return this.write();
  }

  /** Sequential: writes never overlap, and callers do not wait for them. */
  private write(): Promise<void> {
    this.pendingWrites = this.pendingWrites.then(async () => {
      for (const gridId of this.due) {
        this.due.delete(gridId);
        await this.writeGrid(gridId);
      }
    });
    return this.pendingWrites;
  }

  /** Failed writes are repeated with the next one. */
  private async writeGrid(gridId: string): Promise<void> {
    const keys = this.keys.takeChanged(gridId);
    if (keys.length === 0) return;
    const event: ApiKeysUsed = { type: 'ApiKeysUsed.v1', data: { gridId, at: this.parts.now(), keys } };
    try {
      await this.parts.log.append(keyUseStream(gridId), 'any', [{ id: this.parts.newId(), ...event }]);
    } catch (error) {
      this.keys.markUnwritten(gridId, keys);
      this.parts.logger.warn('Failed to store API key usage; retrying', {
        gridId,
        error,
      });
    }
  }

  private async compact(): Promise<void> {
    try {
      await this.parts.compactor.compact(this.parts.now());
    } catch (error) {
      this.parts.logger.error('Failed to delete expired API key usage; retrying in an hour', { error });
    }
  }
}
