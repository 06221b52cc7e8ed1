import { workerData } from 'node:worker_threads';
import type { ThreadSettings } from '../engines/engine-settings.js';
import { openEventLogReader } from '../engines/event-log.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import { createLogger } from '../../self-telemetry/logger.js';
import { LiveDiagnosticsRefresher } from '../../projections/live-diagnostics-refresher.js';
import { createChartQueries } from '../../queries/charts/chart-queries.js';
import type { ChartQueries } from '../../queries/charts/chart-query-types.js';
import { EventCounter } from '../../queries/slos/event-counter.js';
import { FailureReporter } from '../../self-telemetry/failure-reporter.js';
import { createSloQueries } from '../../queries/slos/slo-queries.js';
import type { SloQueries } from '../../queries/slos/slo-query-types.js';
import { createAccessQueries } from '../../queries/administration/access-queries.js';
import { QueryTurns } from '../../queries/scheduling/cooperative-scheduler.js';
import { QueryConcurrencyLimiter } from '../../queries/scheduling/query-concurrency-limiter.js';
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
 * API of the diagnostics thread: all diagnostics, objectives and chart queries, and the live diagnostics documents, over
 * connections of its own.
 */
export interface DiagnosticsApi extends DiagnosticsQueries, ChartQueries, SloQueries {
  /** Starts refreshing the live documents. Until then every query is computed. */
  start(): Promise<void>;
  /** Stops refreshing and closes the stores. */
  stop(): Promise<void>;
}

/** Bodies of log records of orchestrators, which are few, and of what conditions of objectives ask for. */
const BODY_CACHE_BYTES = 2 * 1024 * 1024;

/** Part of the memory for what was found in blocks that is for events of objectives. */
const OBJECTIVES_PART = 1 / 3;

/** Objectives of one owner that are counted at the same time: each holds the minutes of its window. */
const CONCURRENT_COUNTS = 4;

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
const getReader = createReaderForGrid(store, shardMap);
const rollups = createRollupReader(store, shardMap, rollupCache, rollupIndex);
// Only Grids that were queried here recently are refreshed: diagnostics that nobody asks for cost nothing.
const recentGrids = new RecentlyQueriedGrids(
  () => performance.now(),
  () => projection.wake(),
);
const limits = { turns: new QueryTurns(createGridOwnerLookup(createAccessQueries(store))) };
const events = await openEventLogReader(settings, feed);
const bodies = new TelemetryBodyCache(events, BODY_CACHE_BYTES);
const { queries, liveSource, blocks } = createDiagnosticsQueries({
  store,
  bodies,
  getReader,
  live,
  rollups,
  recentGrids,
  limits,
  blockCacheBytes: sizes.impactBlocks,
  matchCacheBytes: sizes.impactMatches * (1 - OBJECTIVES_PART),
  caches,
});
const log = createLogger(settings.logLevel);
let isStopping = false;
const projection = new LiveDiagnosticsRefresher({
  source: liveSource,
  store: live,
  feed,
  log,
});

const counter = new EventCounter(blocks, bodies, sizes.impactMatches * OBJECTIVES_PART);
caches.add('impactMatches', counter);

const api: DiagnosticsApi = {
  ...queries,
  ...createSloQueries({
    store,
    counter,
    limiter: new QueryConcurrencyLimiter({ ...limits, maxConcurrent: CONCURRENT_COUNTS }),
    failures: new FailureReporter({
      log,
      failed: 'Failed to count the events of an objective',
      recovered: 'The events of the objective are counted again',
      now: Date.now,
      isStopping: () => isStopping,
    }),
  }),
  ...createChartQueries({ store, getReader, rollups, folds, limits }),
  async start() {
    void projection.start(); // never rejects, and ends with stop
  },
  async stop() {
    isStopping = true;
    await projection.stop();
    await Promise.all([store.close(), live.close(), events.close(), feed.close()]);
  },
};

exposeThreadApi(api, caches);
