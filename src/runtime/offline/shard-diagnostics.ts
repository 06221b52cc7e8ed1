import { existsSync } from 'node:fs';
import { type EngineSettings, isLogEmbedded } from '../engines/engine-settings.js';
import { openEventLogReader } from '../engines/event-log.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import { type RecordReport, reportRecords } from '../../operations/record-report.js';
import { readRecordSources } from '../../projections/record-account-reader.js';
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

/** How far the read model of one projection is behind the event log. */
export interface ProjectionLag {
  /** Name as in CLI commands, such as `traces/3`. */
  readonly projection: string;
  /** Age (ms) of the oldest event that is not projected yet; 0 when there is none. */
  readonly waitingMs: number;
}

/** State of the shards of an installation, as seen from outside its processes. */
export interface ShardDiagnostics {
  /** Number of shards according to the settings of this process. */
  readonly count: number;
  /**
   * Shard owners. Undefined without NATS: one process owns all shards. `unknown` says why the leases cannot be read.
   */
  readonly ownership: ShardOwnership | { readonly unknown: string } | undefined;
  readonly lags: readonly ProjectionLag[];
  readonly deadLetters: number;
  /** Outcomes of the records in the event log. */
  readonly records: RecordReport;
}

/** Concurrent reads. */
const MAX_CONCURRENT_READS = 8;

/**
 * Reads leases, checkpoints and the oldest unprojected event of each shard; changes nothing. Undefined when the event
 * log is embedded and does not exist yet. Rejects with `unavailable` when an engine is unreachable, with
 * `invalid-request` when the read models were created with another number of shards.
 */
export async function diagnoseShards(settings: EngineSettings): Promise<ShardDiagnostics | undefined> {
  if (isLogEmbedded(settings) && !existsSync(toEventLogPath(settings.dataDir))) return undefined;
  const shardMap = new ShardMap(settings.projectorShares);
  const feed = new InProcessFeed();
  const log = await openEventLogReader(settings, feed);
  const store = await openReadModelReader(settings);
  try {
    await verifyShardCount(store, shardMap.count);
    const [ownership, deadLetters, lags] = await Promise.all([
      findShardOwners(settings).catch((error: unknown) => ({ unknown: (error as Error).message })),
      listDeadLettersOfAllShards(store, shardMap),
      measureLags(log, store, shardMap),
    ]);
    const records = await reportRecords(await readRecordSources(store, shardMap), log);
    return { count: shardMap.count, ownership, lags, deadLetters: deadLetters.length, records };
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

/**
 * Lag of the administration, measured at its `access` projection, and of each shard, measured at `traces`: projections
 * that read the same streams commit together.
 */
async function measureLags(log: EventReader, store: ReadModelReader, shardMap: ShardMap): Promise<ProjectionLag[]> {
  const readerForShard = createShardReaders(store);
  const telemetrySources = Array.from({ length: shardMap.count }, (_none, shard): LagSource => {
    const single = shardMap.count === 1;
    return {
      projection: 'traces',
      reader: single ? store : readerForShard(shard),
      name: single ? 'traces' : `traces/${shard}`,
      prefixes: shardMap.streamPrefixes(shard),
    };
  });
  const sources = [
    { projection: 'access', reader: store, name: 'access', prefixes: [GRID_PREFIX] },
    ...telemetrySources,
  ];
  const lags: ProjectionLag[] = [];
  for (let at = 0; at < sources.length; at += MAX_CONCURRENT_READS)
    lags.push(
      ...(await Promise.all(sources.slice(at, at + MAX_CONCURRENT_READS).map((each) => measureLag(log, each)))),
    );
  return lags;
}

async function measureLag(log: EventReader, { projection, reader, name, prefixes }: LagSource): Promise<ProjectionLag> {
  const position = (await readProjectionPosition(reader, projection)) ?? START;
  const [oldest] = await log.readAll(position, { prefixes, limit: 1, bodies: false });
  return { projection: name, waitingMs: oldest === undefined ? 0 : Math.max(1, Date.now() - oldest.recordedAt) };
}

/** Lists the dead letters of all shards over a connection of its own. */
export async function readDeadLettersOfAllShards(settings: EngineSettings): Promise<DeadLetter[]> {
  const store = await openReadModelReader(settings);
  try {
    return await listDeadLettersOfAllShards(store, { count: settings.projectorShares });
  } finally {
    await store.close();
  }
}

/** Lists the dead letters of all shards and of the administration, in log order. */
export async function listDeadLettersOfAllShards(
  store: ReadModelReader,
  { count }: Pick<ShardMap, 'count'>,
): Promise<DeadLetter[]> {
  if (count === 1) return listDeadLetters(PROJECTION_GROUPS, store);
  const readerForShard = createShardReaders(store);
  const perShard = Array.from({ length: count }, async (_none, shard) =>
    (await listDeadLetters(PROJECTION_GROUPS, readerForShard(shard))).map((event) => ({
      ...event,
      lacking: event.lacking.map((name) => `${name}/${shard}`),
    })),
  );
  const all = await Promise.all([listDeadLetters(PROJECTION_GROUPS, store), ...perShard]);
  return all.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
}
