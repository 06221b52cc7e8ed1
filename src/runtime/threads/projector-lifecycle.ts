import { setTimeout as pause } from 'node:timers/promises';
import { areReadModelsEmbedded, isLogEmbedded, type ThreadSettings } from '../engines/engine-settings.js';
import { hasCode } from '../../errors.js';
import { Projector, type ProjectorParts } from '../../projections/engine/projector.js';
import type { ProjectorPort } from '../../projections/sharding/sharded-projector.js';
import { initializeShardCount } from '../../read-models/sharding/installed-shard-count.js';

/** What keeps the read models of this process current. */
export interface ProjectorLifecycle {
  readonly projector: ProjectorPort;
  /** Follows the log from now on. Rejects where the read models are not those of this process's settings. */
  readonly start: () => Promise<void>;
  /** Finishes the commits under way, then lets others have the shares. */
  readonly stop: () => Promise<void>;
}

export interface ProjectorLifecycleParts extends ProjectorParts {
  /** Told which shares this process keeps, each time that they change. */
  readonly onOwnedShardsChanged: (shares: readonly number[]) => void;
  /** Told of what a start would have been refused for, where the read store was away then. */
  readonly onStartRefused: (error: Error) => void;
}

/** How long a start waits for a read store that does not answer (ms): what else the process does needs none. */
const START_TIMEOUT_MS = 5_000;

const RETRY_INTERVAL_MS = 1_000;

/** Bytes of bodies that the tails of all shares keep together, and one of them at most and at least. */
const TAIL_BYTES = { ofAll: 64 * 1024 * 1024, most: 16 * 1024 * 1024, least: 1024 * 1024 } as const;

/**
 * Embedded read models belong to this process: one projector keeps them all. Those in MongoDB are kept in shares, by whoever has the
 * lease of a share.
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
    shares: new ShardMap(settings.projectorShares),
    leases,
    openShardStore: (share) => new ShardStore(parts.store, share),
    // Many follow the log here: each would ask its servers twice a second, and once more for all that is not its own.
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

/** As if one process had all shares: it may come to that. Who falls behind his tail reads the log. */
export function computeTailBytes(shares: number): number {
  return Math.min(TAIL_BYTES.most, Math.max(TAIL_BYTES.least, TAIL_BYTES.ofAll / shares));
}

/** Starts once the store has said that it was made for as many shares. A store that is away is asked until it answers. */
async function startOnceShardCountMatches(
  { projectorShares }: ThreadSettings,
  { store, log, onStartRefused: onRefused }: ProjectorLifecycleParts,
  start: () => Promise<void>,
): Promise<void> {
  const started = retryUntilAvailable(
    () => initializeShardCount(store, projectorShares),
    (error) => log.warn('the read store does not answer yet', { error }),
  ).then(start);
  const isLate = await Promise.race([started.then(() => false), pause(START_TIMEOUT_MS, true)]);
  if (isLate) started.catch(onRefused);
}

async function retryUntilAvailable(ask: () => Promise<void>, onAway: (error: unknown) => void): Promise<void> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      onAway(error);
    }
    await pause(RETRY_INTERVAL_MS);
  }
}
