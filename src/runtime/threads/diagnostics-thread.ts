import { workerData } from 'node:worker_threads';
import { areReadModelsEmbedded, type ThreadSettings } from '../engines/engine-settings.js';
import { openEventLogReader } from '../engines/event-log.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import { createLogger } from '../../self-telemetry/logger.js';
import { LiveDiagnosticsRefresher } from '../../projections/live-diagnostics-refresher.js';
import { createChartQueries } from '../../queries/charts/chart-queries.js';
import type { ChartQueries } from '../../queries/charts/chart-query-types.js';
import { createAccessQueries } from '../../queries/administration/access-queries.js';
import { QueryTurns } from '../../queries/scheduling/cooperative-scheduler.js';
import { createGridOwnerLookup } from '../../queries/scheduling/grid-owner-lookup.js';
import { RecentlyQueriedGrids } from '../../queries/diagnostics/recently-queried-grids.js';
import { createDiagnosticsQueries } from '../../queries/diagnostics/diagnostics-queries.js';
import type { DiagnosticsQueries } from '../../queries/diagnostics/diagnostics-query-types.js';
import { MemoryReadModelStore } from '../../read-models/adapters/memory/read-model-store.js';
import { createReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import { createRollupReader } from '../../read-models/sharding/sharded-rollup-reader.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { ShardMap } from '../../streams/shard-map.js';
import { TelemetryBodyCache } from '../../streams/telemetry-body-cache.js';
import { ChartFoldCache } from '../../read-models/rollups/chart-fold-cache.js';
import { RollupCache } from '../../read-models/rollups/rollup-cache.js';
import { RollupIndexMemory } from '../../read-models/rollups/rollup-index-memory.js';
import { ThreadCaches } from '../../thread-memory.js';
import { planMemory } from '../engines/memory-plan.js';
import { crashThread, exposeThreadApi } from './worker-thread.js';

/**
 * API of the diagnostics thread: all diagnostics and chart queries, and the live diagnostics documents, over
 * connections of its own.
 */
export interface DiagnosticsApi extends DiagnosticsQueries, ChartQueries {
  /** Starts refreshing the live documents. Until then every query is computed. */
  start(): Promise<void>;
  /** Stops refreshing and closes the stores. */
  stop(): Promise<void>;
}

/** Bodies of log records of orchestrators, which are few. */
const BODY_CACHE_BYTES = 2 * 1024 * 1024;

const settings = workerData as ThreadSettings;
const { caches: sizes } = planMemory(settings.memoryLimit, settings.roles);
const caches = new ThreadCaches();
const rollupCache = caches.add('rollups', new RollupCache(sizes.rollups));
const rollupIndex = caches.add('rollupIndex', new RollupIndexMemory(sizes.rollupIndex));
const folds = caches.add('charts', new ChartFoldCache(sizes.charts));
const store = caches.addStore(await openReadModelReader(settings, crashThread));
// Live results are worthless to the next process: they stay in memory.
const live = new MemoryReadModelStore();
const feed = new InProcessFeed();
const shardMap = new ShardMap(settings.projectorShares);
const readerOf = createReaderForGrid(store, shardMap);
const rollups = createRollupReader(store, shardMap, rollupCache, rollupIndex);
// With a shared store each process refreshes only the Grids that were queried here recently.
const recentGrids = areReadModelsEmbedded(settings)
  ? undefined
  : new RecentlyQueriedGrids(
      () => performance.now(),
      () => projection.wake(),
    );
const limits = { turns: new QueryTurns(createGridOwnerLookup(createAccessQueries(store))) };
const events = await openEventLogReader(settings, feed);
const { queries, liveSource } = createDiagnosticsQueries({
  store,
  bodies: new TelemetryBodyCache(events, BODY_CACHE_BYTES),
  readerOf,
  live,
  rollups,
  recentGrids,
  limits,
  blockCacheBytes: sizes.impactBlocks,
  matchCacheBytes: sizes.impactMatches,
  caches,
});
const projection = new LiveDiagnosticsRefresher({
  source: liveSource,
  store: live,
  feed,
  log: createLogger(settings.logLevel),
});

const api: DiagnosticsApi = {
  ...queries,
  ...createChartQueries({ store, readerOf, rollups, folds, limits }),
  async start() {
    void projection.start(); // never rejects, and ends with stop
  },
  async stop() {
    await projection.stop();
    await Promise.all([store.close(), live.close(), events.close(), feed.close()]);
  },
};

exposeThreadApi(api, caches);
