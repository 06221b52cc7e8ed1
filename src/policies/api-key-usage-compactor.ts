import { hasCode } from '../errors.js';
import { START, type EventStore, type Position, type RecordedEvent } from '../streams/event-store.js';
import type { ApiKeysUsed, StoredKeyUse } from '../streams/events/key-use-events.js';
import { keyUseStream } from '../streams/stream-names.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Up to one event per minute and process accumulates in a day. */
const EVENT_BATCH_SIZE = 1_000;
/** Grids in a row that fail with `unavailable` until a compaction is given up. */
const MAX_UNAVAILABLE = 3;

export interface ApiKeyUsageCompactorParts {
  readonly log: Pick<EventStore, 'append' | 'readStream' | 'truncate'>;
  readonly listGrids: () => Promise<readonly { readonly gridId: string }[]>;
  /** Usage of a Grid's keys as of the last projected event. */
  readonly readStoredUsage: (gridId: string) => Promise<readonly StoredKeyUse[]>;
  /** Resolves to true once events up to this position are projected; to false after a timeout. */
  readonly waitForPosition: (position: Position) => Promise<unknown>;
  readonly newId: () => string;
}

/**
 * Compacts the streams of API key usage: when its oldest event is a day old, the usage of all keys is appended as one
 * summary event; an hour later the events well before the summary are deleted. No usage is lost, and comparisons of the
 * read model with a replay have had time to finish. Several processes may compact: repeated summaries and truncations
 * do no harm.
 */
export class ApiKeyUsageCompactor {
  /** Time of the last summary by Grid. */
  private readonly summarizedAt = new Map<string, number>();

  constructor(private readonly parts: ApiKeyUsageCompactorParts) {}

  /**
   * Compacts all Grids, as of `now` (ms since 1970), also those after one that fails, until `stopping` aborts. Gives up
   * after three failures in a row because the store is unavailable: each takes its whole timeout. Rejects at the end with the
   * first failure, whose message says how many Grids failed.
   */
  async compact(now: number, stopping?: AbortSignal): Promise<void> {
    const failures: { readonly gridId: string; readonly error: unknown }[] = [];
    let unavailable = 0;
    for (const { gridId } of await this.parts.listGrids()) {
      if (stopping?.aborted === true || unavailable >= MAX_UNAVAILABLE) break;
      const error: unknown = await this.compactGrid(gridId, now).catch((reason: unknown) => reason);
      if (error !== undefined) failures.push({ gridId, error });
      unavailable = hasCode(error, 'unavailable') ? unavailable + 1 : 0;
    }
    const first = failures.at(0);
    if (first === undefined) return;
    const failed = `${failures.length} ${failures.length === 1 ? 'Grid' : 'Grids'}`;
    throw new Error(`${failed} failed, the first of them ${first.gridId}`, { cause: first.error });
  }

  private async compactGrid(gridId: string, now: number): Promise<void> {
    const [oldest, next] = await this.parts.log.readStream(keyUseStream(gridId), 0, 2);
    if (oldest === undefined || next === undefined || oldest.recordedAt > now - DAY_MS) return;
    const summaryTime = this.summarizedAt.get(gridId);
    if (summaryTime === undefined) await this.appendSummary(gridId, now);
    else if (summaryTime <= now - HOUR_MS) await this.truncateSummarized(gridId, summaryTime);
  }

  /** Appends the summary only after the read model it comes from includes all earlier events of the stream. */
  private async appendSummary(gridId: string, now: number): Promise<void> {
    const { log, readStoredUsage: stored, waitForPosition: waitUntilProjected, newId } = this.parts;
    if ((await waitUntilProjected(await this.findNewestPosition(gridId))) !== true) return;
    const event: ApiKeysUsed = { type: 'ApiKeysUsed.v1', data: { gridId, at: now, keys: await stored(gridId) } };
    await log.append(keyUseStream(gridId), 'any', [{ id: newId(), ...event }]);
    this.summarizedAt.set(gridId, now);
  }

  private async findNewestPosition(gridId: string): Promise<Position> {
    let newest: RecordedEvent | undefined;
    for (;;) {
      const events = await this.parts.log.readStream(
        keyUseStream(gridId),
        newest === undefined ? 0 : newest.revision + 1,
        EVENT_BATCH_SIZE,
      );
      newest = events.at(-1) ?? newest;
      if (events.length < EVENT_BATCH_SIZE) return newest?.position ?? START;
    }
  }

  /**
   * Keeps the hour before the summary until the next round: clocks differ, and another process may have appended too
   * late for the summary.
   */
  private async truncateSummarized(gridId: string, summaryTime: number): Promise<void> {
    await this.parts.log.truncate(keyUseStream(gridId), summaryTime - HOUR_MS);
    this.summarizedAt.delete(gridId);
  }
}
