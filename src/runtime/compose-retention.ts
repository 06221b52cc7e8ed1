import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Settings } from '../config/settings.js';
import { createRetentionOperations, type RetentionOperations } from '../operations/retention-operations.js';
import { withdrawWatermark } from '../policies/retention-watermark-withdrawal.js';
import { RetentionClock } from '../policies/retention-clock.js';
import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { EventStore } from '../streams/event-store.js';
import { ShardMap } from '../streams/shard-map.js';
import { createUptimeReader } from './machine-uptime.js';

/** Creates the clock of retention on the clock of this machine. */
export function createRetentionClock(
  events: EventStore,
  readNewestLogTime: () => Promise<number | undefined>,
): RetentionClock {
  return new RetentionClock({
    events,
    readNewestLogTime,
    now: Date.now,
    uptime: createUptimeReader(),
    newId: randomUUID,
  });
}

/**
 * Reads what time was observed before the first telemetry is admitted: a clock that is wrong from the start would
 * reject telemetry for ever. Waits for `timeoutMs` at most. Never rejects: while the log does not answer, nothing is
 * admitted anyway.
 */
export async function readObservedTime(
  clock: Pick<RetentionClock, 'inspect'>,
  log: Logger,
  timeoutMs: number,
): Promise<void> {
  const read = clock.inspect().catch((error: unknown) => {
    log.warn('Cannot read clock observations from the event log; using the clock of this machine', { error });
  });
  await Promise.race([read, setTimeout(timeoutMs, undefined, { ref: false })]);
}

/** Composes the operations on retention, on the stores of a service or of a command line process. */
export function composeRetentionOperations(
  clock: RetentionClock,
  events: EventStore,
  readTelemetryAges: () => Promise<readonly TelemetryAge[]>,
  { retentionDays, projectorShares }: Pick<Settings, 'retentionDays' | 'projectorShares'>,
): RetentionOperations {
  const shards = new ShardMap(projectorShares);
  const parts = { events, readTelemetryAges, defaultDays: retentionDays, newId: randomUUID };
  return createRetentionOperations({
    clock,
    readTelemetryAges,
    withdrawWatermark: (...call) => withdrawWatermark(parts, ...call),
    projectionSuffix: (gridId) => (shards.count === 1 ? '' : `/${shards.shardFor(gridId)}`),
  });
}
