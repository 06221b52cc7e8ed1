import { existsSync } from 'node:fs';
import { type EngineSettings, isLogEmbedded } from '../engines/engine-settings.js';
import { openEventLogReader } from '../engines/event-log.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import type { ShardOwnership } from '../../projections/sharding/lease-observer.js';
import { readProjectionPosition } from '../../projections/projection.js';
import { verifyShardCount } from '../../read-models/sharding/installed-shard-count.js';
import { createShardReaders } from '../../read-models/sharding/shard-readers.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { toEventLogPath } from '../../streams/adapters/sqlite/data-folder.js';
import { type EventReader, START } from '../../streams/event-store.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { ShardMap } from '../../streams/shard-map.js';
import { GRID_PREFIX } from '../../streams/stream-names.js';
import { findShardOwners } from '../shard-owners.js';
import { PROJECTION_GROUPS } from '../../projections/projection-groups.js';
import { type DeadLetter, listDeadLetters } from '../../projections/engine/dead-letter-queue.js';

/** How far read models are behind the log. */
export interface ProjectionLag {
  /** As operators name it, such as `traces/3`. */
  readonly projection: string;
  /** Since when the oldest event waits that they lack; 0: they lack none. */
  readonly waitingMs: number;
}

/** How the read models of an installation are kept, as seen from outside. */
export interface ShardDiagnostics {
  /** Into how many shares the settings of this process divide the Grids. */
  readonly count: number;
  /** Undefined without NATS: then one process has all, and nobody outside knows which. Where NATS does not tell: why. */
  readonly seats: ShardOwnership | { readonly unknown: string } | undefined;
  readonly lags: readonly ProjectionLag[];
  readonly parked: number;
}

/** Questions that are asked at once. */
const MAX_CONCURRENT_READS = 8;

/** Reads leases, checkpoints, and the oldest event behind each; changes nothing. Undefined where the log is embedded and nothing was ever stored. Rejects with `unavailable` where an engine does, with `invalid-request` where the read models have another number of shares. */
export async function diagnoseShards(settings: EngineSettings): Promise<ShardDiagnostics | undefined> {
  if (isLogEmbedded(settings) && !existsSync(toEventLogPath(settings.dataDir))) return undefined;
  const shares = new ShardMap(settings.projectorShares);
  const feed = new InProcessFeed();
  const log = await openEventLogReader(settings, feed);
  const store = await openReadModelReader(settings);
  try {
    await verifyShardCount(store, shares.count);
    const [seats, parked, lags] = await Promise.all([
      findShardOwners(settings).catch((error: unknown) => ({ unknown: (error as Error).message })),
      listDeadLettersOfAllShards(store, shares),
      measureLags(log, store, shares),
    ]);
    return { count: shares.count, seats, lags, parked: parked.length };
  } finally {
    await Promise.all([log.close(), store.close(), feed.close()]);
  }
}

interface LagSource {
  readonly projection: string;
  readonly reader: ReadModelReader;
  readonly name: string;
  readonly prefixes: readonly string[];
}

/** Of administration by its access rules, of each share by its traces: projections that read the same streams commit together. */
async function measureLags(log: EventReader, store: ReadModelReader, shares: ShardMap): Promise<ProjectionLag[]> {
  const ofShare = createShardReaders(store);
  const all = Array.from({ length: shares.count }, (_none, share): LagSource => {
    const single = shares.count === 1;
    return {
      projection: 'traces',
      reader: single ? store : ofShare(share),
      name: single ? 'traces' : `traces/${share}`,
      prefixes: shares.streamPrefixes(share),
    };
  });
  const followed = [{ projection: 'access', reader: store, name: 'access', prefixes: [GRID_PREFIX] }, ...all];
  const lags: ProjectionLag[] = [];
  for (let at = 0; at < followed.length; at += MAX_CONCURRENT_READS)
    lags.push(
      ...(await Promise.all(followed.slice(at, at + MAX_CONCURRENT_READS).map((each) => measureLag(log, each)))),
    );
  return lags;
}

async function measureLag(log: EventReader, { projection, reader, name, prefixes }: LagSource): Promise<ProjectionLag> {
  const position = (await readProjectionPosition(reader, projection)) ?? START;
  const [oldest] = await log.readAll(position, { prefixes, limit: 1, bodies: false });
  return { projection: name, waitingMs: oldest === undefined ? 0 : Math.max(1, Date.now() - oldest.recordedAt) };
}

/** The same over a connection of its own. */
export async function readDeadLettersOfAllShards(settings: EngineSettings): Promise<DeadLetter[]> {
  const store = await openReadModelReader(settings);
  try {
    return await listDeadLettersOfAllShards(store, { count: settings.projectorShares });
  } finally {
    await store.close();
  }
}

/** What the read models of all shares lack, and what is kept once for all of them, in the order of the log. */
export async function listDeadLettersOfAllShards(
  store: ReadModelReader,
  { count }: Pick<ShardMap, 'count'>,
): Promise<DeadLetter[]> {
  if (count === 1) return listDeadLetters(PROJECTION_GROUPS, store);
  const ofShare = createShardReaders(store);
  const ofShares = Array.from({ length: count }, async (_none, share) =>
    (await listDeadLetters(PROJECTION_GROUPS, ofShare(share))).map((event) => ({
      ...event,
      lacking: event.lacking.map((name) => `${name}/${share}`),
    })),
  );
  const found = await Promise.all([listDeadLetters(PROJECTION_GROUPS, store), ...ofShares]);
  return found.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
}
