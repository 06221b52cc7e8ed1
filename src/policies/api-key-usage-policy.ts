import { asyncScheduler, concatMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import type { EventStore } from '../streams/event-store.js';
import type { ApiKeysUsed, StoredKeyUse, StoredLastExport } from '../streams/events/key-use-events.js';
import { keyUseStream } from '../streams/stream-names.js';
import type { ApiKeyUsageCompactor } from './api-key-usage-compactor.js';

type Signal = StoredLastExport['signal'];

interface Key {
  readonly keyId: string;
  readonly gridId: string;
}

/** Usage of one key as seen by this process. */
interface TrackedKey extends Key {
  lastUsedAt: number | undefined;
  refused: StoredKeyUse['refused'];
  readonly sent: Map<Signal, StoredLastExport>;
  /** Kinds of usage that were already reported as first. */
  readonly reportedKinds: Set<string>;
}

/** Maximum number of tracked keys; the oldest are evicted. */
const MAX_KEYS = 10_000;

/** Maximum length of a reason or message (UTF-16 units). */
const MAX_TEXT = 300;

/** Tracks the last usage of keys in bounded memory, and which keys changed since `takeChanged`. */
export class ApiKeyUsageTracker {
  private readonly keys = new Map<string, TrackedKey>();
  private readonly changed = new Map<string, Set<TrackedKey>>();

  constructor(private readonly maxKeys = MAX_KEYS) {}

  /** Each `record…` returns whether it is the first of its kind for the key in this process. */
  recordUse(key: Key, at: number): boolean {
    const usage = this.touch(key);
    usage.lastUsedAt = at;
    return markFirst(usage, 'used');
  }

  recordIngestion(key: Key, ingestion: StoredLastExport): boolean {
    const usage = this.touch(key);
    usage.sent.set(ingestion.signal, { ...ingestion, message: ingestion.message.slice(0, MAX_TEXT) });
    return markFirst(usage, `sent ${ingestion.signal}`);
  }

  recordRefusal(
    key: Key,
    at: number,
    { signal, kind, reason }: { readonly signal?: Signal; readonly kind: string; readonly reason: string },
  ): boolean {
    const usage = this.touch(key);
    usage.refused = { ...(signal !== undefined && { signal }), at, reason: reason.slice(0, MAX_TEXT) };
    return markFirst(usage, `refused ${kind} ${signal}`);
  }

  /** Usage of the Grid's keys by key id. */
  usageByKey(gridId: string): ReadonlyMap<string, StoredKeyUse> {
    return new Map(
      [...this.keys.values()]
        .filter((usage) => usage.gridId === gridId)
        .map((usage) => [usage.keyId, toStoredKeyUse(usage)]),
    );
  }

  /** Grids with changed keys since `takeChanged`. */
  changedGrids(): string[] {
    return [...this.changed.keys()];
  }

  /** Returns the changed usage of the Grid and marks it as stored. */
  takeChanged(gridId: string): StoredKeyUse[] {
    const changed = this.changed.get(gridId) ?? [];
    this.changed.delete(gridId);
    return Array.from(changed, toStoredKeyUse);
  }

  /** Marks usage as changed again because it could not be stored. */
  markUnwritten(gridId: string, uses: readonly StoredKeyUse[]): void {
    for (const { keyId } of uses) this.touch({ keyId, gridId });
  }

  private touch({ keyId, gridId }: Key): TrackedKey {
    let usage = this.keys.get(keyId);
    if (usage === undefined) {
      usage = { keyId, gridId, lastUsedAt: undefined, refused: undefined, sent: new Map(), reportedKinds: new Set() };
      if (this.keys.size >= this.maxKeys) this.evictOldest();
      this.keys.set(keyId, usage);
    }
    const changed = this.changed.get(gridId);
    if (changed === undefined) this.changed.set(gridId, new Set([usage]));
    else changed.add(usage);
    return usage;
  }

  /** Pending changes of an evicted key are still written. */
  private evictOldest(): void {
    for (const keyId of this.keys.keys()) return void this.keys.delete(keyId);
  }
}

function markFirst({ reportedKinds }: TrackedKey, usageKind: string): boolean {
  if (reportedKinds.has(usageKind)) return false;
  reportedKinds.add(usageKind);
  return true;
}

function toStoredKeyUse({ keyId, lastUsedAt, refused, sent }: TrackedKey): StoredKeyUse {
  return {
    keyId,
    ...(lastUsedAt !== undefined && { lastUsedAt }),
    sent: [...sent.values()],
    ...(refused && { refused }),
  };
}

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
  private readonly stopping = new AbortController();

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
    this.stopping.abort();
    this.running.unsubscribe();
    // Usage does not wait for a compaction, whose Grid may still take the timeout of the store.
    await Promise.all([this.writeAll(), this.compaction]);
  }

  /** Usage recorded after the stop is not written, because the store may be closed. */
  private scheduleWrite(gridId: string): void {
    this.due.add(gridId);
    if (this.isWriteScheduled || this.stopping.signal.aborted) return;
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
      await this.parts.compactor.compact(this.parts.now(), this.stopping.signal);
    } catch (error) {
      this.parts.logger.error('Failed to delete expired API key usage; retrying in an hour', { error });
    }
  }
}
