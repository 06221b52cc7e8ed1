import { START, type EventStore, type Position, type RecordedEvent } from '../streams/event-store.js';
import type { ApiKeysUsed, StoredKeyUse } from '../streams/events/key-use-events.js';
import { keyUseStream } from '../streams/stream-names.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A day of a Grid is an event a minute of each process. */
const EVENT_BATCH_SIZE = 1_000;

export interface ApiKeyUsageCompactorParts {
  readonly log: Pick<EventStore, 'append' | 'readStream' | 'truncate'>;
  readonly grids: () => Promise<readonly { readonly gridId: string }[]>;
  /** Of a Grid's keys, as of the last projected event. */
  readonly stored: (gridId: string) => Promise<readonly StoredKeyUse[]>;
  /** True once the uses up to this position are projected; false when that takes long. */
  readonly waitForPosition: (position: Position) => Promise<unknown>;
  readonly newId: () => string;
}

/**
 * Keeps the streams of uses short: what is a day old is said once more, all keys in one event, and an hour later what stood
 * well before that leaves the log. So no use is forgotten, and whoever compares the read model with a replay has had the time.
 * Several processes may tidy: what one says once more after another is true as well, and what left twice has left.
 */
export class ApiKeyUsageCompactor {
  /** By Grid, when all was said once more. */
  private readonly summedUp = new Map<string, number>();

  constructor(private readonly parts: ApiKeyUsageCompactorParts) {}

  /** One round over all Grids, as of `now` (ms since 1970). */
  async compact(now: number): Promise<void> {
    for (const { gridId } of await this.parts.grids()) {
      const [oldest, next] = await this.parts.log.readStream(keyUseStream(gridId), 0, 2);
      if (oldest === undefined || next === undefined || oldest.recordedAt > now - DAY_MS) continue;
      const summedUpAt = this.summedUp.get(gridId);
      if (summedUpAt === undefined) await this.appendSummary(gridId, now);
      else if (summedUpAt <= now - HOUR_MS) await this.truncateSummarized(gridId, summedUpAt);
    }
  }

  /** Only once everything before is in the read model that the sum is read from. What other streams have since says nothing of that. */
  private async appendSummary(gridId: string, now: number): Promise<void> {
    const { log, stored, waitForPosition: whenAt, newId } = this.parts;
    if ((await whenAt(await this.findNewestPosition(gridId))) !== true) return;
    const event: ApiKeysUsed = { type: 'ApiKeysUsed.v1', data: { gridId, at: now, keys: await stored(gridId) } };
    await log.append(keyUseStream(gridId), 'any', [{ id: newId(), ...event }]);
    this.summedUp.set(gridId, now);
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

  /** What came in the hour before stays until the next time: another process may have written it too late for the sum, and clocks differ. */
  private async truncateSummarized(gridId: string, summedUpAt: number): Promise<void> {
    await this.parts.log.truncate(keyUseStream(gridId), summedUpAt - HOUR_MS);
    this.summedUp.delete(gridId);
  }
}
