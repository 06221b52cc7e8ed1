import { setTimeout as pause } from 'node:timers/promises';
import { areReadModelsEmbedded, isLogEmbedded, type ThreadSettings } from '../engines/engine-settings.js';
import { hasCode } from '../../errors.js';
import { Projector, type ProjectorParts } from '../../projections/engine/projector.js';
import type { ProjectorPort } from '../../projections/sharding/sharded-projector.js';
import { initializeShardCount } from '../../read-models/sharding/installed-shard-count.js';

/** The projector of this process, with its start and stop. */
export interface ProjectorLifecycle {
  readonly projector: ProjectorPort;
  /** Starts projecting. Rejects when the read models were created with other settings. */
  readonly start: () => Promise<void>;
  /** Finishes running commits, then releases the shards. */
  readonly stop: () => Promise<void>;
}

export interface ProjectorLifecycleParts extends ProjectorParts {
  /** Called with all owned shards after each change. */
  readonly onOwnedShardsChanged: (shards: readonly number[]) => void;
  /** Called when the start must fail after all, because the read store became reachable only after `start` resolved. */
  readonly onStartRefused: (error: Error) => void;
}

/** Time (ms) that a start waits for the read store: the rest of the process does not need it. */
const START_TIMEOUT_MS = 5_000;

const RETRY_INTERVAL_MS = 1_000;

/** Memory (bytes) for telemetry bodies in the log tails: of all shards together, and limits for one shard. */
const TAIL_BYTES = {
  allShards: 64 * 1024 * 1024,
  maxPerShard: 16 * 1024 * 1024,
  minPerShard: 1024 * 1024,
} as const;

/**
 * Embedded read models belong to this process: one projector writes them all. In MongoDB, the process with the lease of
 * a shard writes it.
 */
export async function createProjectorLifecycle(
  settings: ThreadSettings,
  parts: ProjectorLifecycleParts,
): Promise<ProjectorLifecycle> {
  return areReadModelsEmbedded(settings) ? createSingleProjector(parts) : createShardedProjector(settings, parts);
}

function createSingleProjector(parts: ProjectorLifecycleParts): ProjectorLifecycle {
  const projector = new Projector(parts);
  return {
    projector,
    start: () => projector.start().then(() => parts.onOwnedShardsChanged([0])),
    stop: () => projector.stop(),
  };
}

async function createShardedProjector(
  settings: ThreadSettings,
  parts: ProjectorLifecycleParts,
): Promise<ProjectorLifecycle> {
  const { openLeases } = await import('../engines/coordination.js');
  const { ShardedProjector } = await import('../../projections/sharding/sharded-projector.js');
  const { ShardStore } = await import('../../read-models/sharding/shard-store.js');
  const { LogTail } = await import('../../streams/log-tail.js');
  const { ShardMap } = await import('../../streams/shard-map.js');
  const leases = await openLeases(settings, parts.log);
  const projector = new ShardedProjector({
    ...parts,
    shardMap: new ShardMap(settings.projectorShares),
    leases,
    openShardStore: (shard) => new ShardStore(parts.store, shard),
    // All shards share one reader: otherwise each would poll the log twice a second, and read what belongs to others.
    followStreams: (prefixes) => {
      if (isLogEmbedded(settings)) return parts;
      const tail = new LogTail(parts.events, { prefixes, maxBytes: computeTailBytes(settings.projectorShares) });
      return { events: tail, feed: tail.withArrivalHints(parts.feed) };
    },
  });
  return {
    projector,
    start: () => startOnceShardCountMatches(settings, parts, () => projector.start()),
    stop: () => projector.stop().finally(() => leases.close()),
  };
}

/**
 * Budget (bytes) of one shard, as if one process owned them all: that can happen. A projector that falls behind its
 * tail reads the log itself.
 */
export function computeTailBytes(shards: number): number {
  return Math.min(TAIL_BYTES.maxPerShard, Math.max(TAIL_BYTES.minPerShard, TAIL_BYTES.allShards / shards));
}

/** Starts once the shard count is verified or initialised. Retries until the store is reachable. */
async function startOnceShardCountMatches(
  { projectorShares }: ThreadSettings,
  { store, log, onStartRefused }: ProjectorLifecycleParts,
  start: () => Promise<void>,
): Promise<void> {
  const started = retryUntilAvailable(
    () => initializeShardCount(store, projectorShares),
    (error) => log.warn('Read store is not reachable yet', { error }),
  ).then(start);
  const isLate = await Promise.race([started.then(() => false), pause(START_TIMEOUT_MS, true)]);
  if (isLate) started.catch(onStartRefused);
}

async function retryUntilAvailable(
  attempt: () => Promise<void>,
  onUnavailable: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      onUnavailable(error);
    }
    await pause(RETRY_INTERVAL_MS);
  }
}
