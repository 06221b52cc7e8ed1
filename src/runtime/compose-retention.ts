import { randomUUID } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import { createRetentionOperations, type RetentionOperations } from '../operations/retention-operations.js';
import { withdrawMark } from '../policies/mark-withdrawal.js';
import { RetentionClock } from '../policies/retention-clock.js';
import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';
import type { EventStore } from '../streams/event-store.js';
import { ShardMap } from '../streams/shard-map.js';

/** Creates the clock of retention on the clock of this machine. */
export function createRetentionClock(
  events: EventStore,
  readNewestLogTime: () => Promise<number | undefined>,
): RetentionClock {
  return new RetentionClock({
    events,
    readNewestLogTime,
    now: Date.now,
    monotonic: () => performance.now(),
    newId: randomUUID,
  });
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
    withdrawMark: (...call) => withdrawMark(parts, ...call),
    projectionSuffix: (gridId) => (shards.count === 1 ? '' : `/${shards.shardFor(gridId)}`),
  });
}
