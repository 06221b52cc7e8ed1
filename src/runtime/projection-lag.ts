import type { Settings } from '../config/settings.js';
import { ProjectionLagMonitor } from '../http/otlp/projection-lag-monitor.js';
import type { Logger } from '../self-telemetry/logger.js';
import { type EventReader, type Position, START } from '../streams/event-store.js';
import { ShardMap } from '../streams/shard-map.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';

export interface ProjectionLagSources {
  readonly events: Pick<EventReader, 'readAll'>;
  /** Position up to which the telemetry of a Grid's shard is projected; undefined if none is. */
  readonly readPosition: (gridId: string) => Promise<Position | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/**
 * The back-pressure of an ingest process in a cluster. Undefined with embedded read models, whose projector reports its
 * backlog itself, and where `MAX_PROJECTION_LAG` is 0.
 */
export function createProjectionLagMonitor(
  settings: Pick<Settings, 'readStoreUrl' | 'maxProjectionLagMs' | 'projectorShares'>,
  { events, readPosition, now, logger }: ProjectionLagSources,
): ProjectionLagMonitor | undefined {
  const { maxProjectionLagMs: maxLagMs } = settings;
  if (areReadModelsEmbedded(settings) || maxLagMs === 0) return undefined;
  const shards = new ShardMap(settings.projectorShares);
  return new ProjectionLagMonitor({
    maxLagMs,
    shardFor: (gridId) => shards.shardFor(gridId),
    async measureLag(gridId) {
      const prefixes = shards.streamPrefixes(shards.shardFor(gridId));
      const [oldest] = await events.readAll((await readPosition(gridId)) ?? START, {
        prefixes,
        limit: 1,
        bodies: false,
      });
      return oldest === undefined ? 0 : Math.max(0, now() - oldest.recordedAt);
    },
    logger,
  });
}
