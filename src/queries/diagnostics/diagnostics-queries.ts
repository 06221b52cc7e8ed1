import {
  DEFAULT_WINDOW_LENGTHS,
  resolveAnalysisWindows,
  type TimeSelection,
  type TimeWindow,
} from '../../diagnostics/time-windows.js';
import { HindsightError } from '../../errors.js';
import type { LiveDiagnosticsSource, LiveTopic } from '../../read-models/documents/live-diagnostics-documents.js';
import type { GridRollupReader } from '../../read-models/rollups/grid-rollup-reader.js';
import { RollupReader } from '../../read-models/rollups/rollup-reader.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { createAlertQueries } from './alert-queries.js';
import type { TelemetryBodyReader } from '../../telemetry/telemetry-body-reader.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { QueryConcurrencyLimiter, type QueryLimits } from '../scheduling/query-concurrency-limiter.js';
import { BlockSnapshotReader } from '../telemetry/block-snapshots.js';
import {
  buildAlertsQuery,
  CAUSES_QUERY,
  type CountImpactedTraces,
  type DiagnosticQuery,
  LIVE_QUERIES,
} from './diagnostic-query-definitions.js';
import {
  DiagnosticsInputReader,
  inputRequirement,
  type ReadEvents,
  runDiagnosticQuery,
} from './diagnostics-input-reader.js';
import { createCauseReader, createStateReader, isNow, withCauses, withStates } from './cause-reader.js';
import { SubscribedTopics } from './subscribed-topics.js';
import type { RecentlyQueriedGrids } from './recently-queried-grids.js';
import { backtestMetricRule, evaluateMetricRules, findGridsWithRecentTelemetry } from './metric-rule-queries.js';
import { DiagnosticsResultCache } from './diagnostics-result-cache.js';
import { ImpactedTraceCounter } from './impacted-trace-counter.js';
import { OrchestratorEventCache } from './orchestrator-event-cache.js';
import { OrchestratorEventReader } from './orchestrator-event-reader.js';
import { LiveDiagnosticsCalculator } from './live-diagnostics-calculator.js';
import type { DiagnosticsQueries } from './diagnostics-query-types.js';
import type { ThreadCaches } from '../../thread-memory.js';
import type { Comparison, Diagnosis, ServiceDetail } from '../../diagnostics/diagnostic-results.js';
import { compareTotals } from '../../diagnostics/window-comparison.js';
import { selectContainedValues, sumServices } from '../../diagnostics/request-measures.js';
import type { GridRollup, ServiceTotals } from '../../diagnostics/rollups/rollup-types.js';
import { buildServiceDetail, type DetailContext } from '../../diagnostics/services/service-detail-builder.js';

/** Cache for decoded columns of span blocks, used for counting traces. */
const BLOCK_CACHE_BYTES = 96 * 1024 * 1024;

/** Limit of what was found in blocks, and the part of it for events of orchestrators. */
const MATCH_CACHE_BYTES = 64 * 1024 * 1024;
const EVENT_PART = 1 / 4;

export interface DiagnosticsQueriesOptions {
  readonly store: ReadModelReader;
  /** Reader of the shard that holds a Grid. Default: `store` for every Grid. */
  readonly getReader?: ReaderForGrid;
  /** Store of the live documents. */
  readonly live: ReadModelReader;
  /** ms since 1970. Default: the system clock. */
  readonly now?: () => number;
  readonly limits?: QueryLimits;
  /** Shared with other queries of the same thread. Default: a separate reader. */
  readonly rollups?: GridRollupReader;
  /** Records each query about now; live documents are only kept for the recorded Grids. Default: for all Grids. */
  readonly recentGrids?: RecentlyQueriedGrids;
  /** Bodies of export requests, for log records of orchestrators. Default: these are not read. */
  readonly bodies?: TelemetryBodyReader;
  /** Limit of cached decoded columns, in bytes. */
  readonly blockCacheBytes?: number;
  /** Limit of what was found in blocks in bytes: matches of impact filters, and events of orchestrators. */
  readonly matchCacheBytes?: number;
  /** Receives the caches, so that they can give memory back. */
  readonly caches?: ThreadCaches;
}

/** Readers of blocks, whose caches are added to `caches`. */
function createBlockReaders({
  store,
  getReader = () => store,
  blockCacheBytes = BLOCK_CACHE_BYTES,
  matchCacheBytes = MATCH_CACHE_BYTES,
  bodies,
  caches,
}: DiagnosticsQueriesOptions): {
  readonly blocks: BlockSnapshotReader;
  readonly traceCounter: ImpactedTraceCounter;
  readonly readEvents?: ReadEvents;
} {
  const blocks = new BlockSnapshotReader(getReader, blockCacheBytes, (cache) => caches?.add('impactBlocks', cache));
  const traceCounter = new ImpactedTraceCounter(blocks, matchCacheBytes * (1 - EVENT_PART));
  const eventCache = new OrchestratorEventCache(matchCacheBytes * EVENT_PART);
  caches?.add('impactMatches', traceCounter);
  caches?.add('impactMatches', eventCache);
  if (bodies === undefined) return { blocks, traceCounter };
  const events = new OrchestratorEventReader(blocks, bodies, eventCache);
  return { blocks, traceCounter, readEvents: (gridId, window, timeSlice) => events.read(gridId, window, timeSlice) };
}

/** All diagnostics queries, with one cache, scheduled on the calling thread. Create one instance per thread. */
export function createDiagnosticsQueries(options: DiagnosticsQueriesOptions): {
  readonly queries: DiagnosticsQueries;
  /** Source of the live documents. */
  readonly liveSource: LiveDiagnosticsSource;
  /** Reader of blocks, for other queries of the same thread. */
  readonly blocks: BlockSnapshotReader;
} {
  const { store, getReader = () => store, live, now = Date.now, limits = {}, recentGrids } = options;
  const { rollups = new RollupReader(store) } = options;
  const { blocks, traceCounter, readEvents } = createBlockReaders(options);
  const inputReader = new DiagnosticsInputReader(getReader, rollups, createAlertQueries(store), now, readEvents);
  const readSettings = async (gridId: string) => JSON.stringify(await inputReader.readSettings(gridId));
  const results = new DiagnosticsResultCache(live, inputReader.rollups, now, readSettings);
  const followed = new SubscribedTopics();
  const refresher = new LiveDiagnosticsCalculator(store, inputReader, results, recentGrids, followed);
  const limiter = new QueryConcurrencyLimiter(limits);
  const countTracesFor =
    (gridId: string, timeSlice: TimeSlice): CountImpactedTraces =>
    (impact, order) =>
      traceCounter.count(gridId, impact, order, timeSlice);
  const compute = <Answer extends object>(
    gridId: string,
    query: DiagnosticQuery<Answer>,
    when: TimeSelection,
  ): Promise<Answer> =>
    limiter.run(gridId, (timeSlice) =>
      runDiagnosticQuery(inputReader, gridId, query, when, {
        timeSlice,
        countTraces: countTracesFor(gridId, timeSlice),
      }),
    );
  const liveQuery =
    <Answer extends object>(topic: LiveTopic, query: DiagnosticQuery<Answer>) =>
    (gridId: string, when: TimeSelection): Promise<Answer> => {
      if (!isNow(when)) return compute(gridId, query, when);
      recentGrids?.record(gridId); // if the limit is reached, the result is computed without a live document
      return results.getOrCompute(gridId, topic, () => compute(gridId, query, when));
    };
  const diagnosis = liveQuery('diagnosis', LIVE_QUERIES.diagnosis);
  const findCauses = createCauseReader(results, diagnosis, (gridId, when) => compute(gridId, CAUSES_QUERY, when));
  const findHealth = liveQuery('health', LIVE_QUERIES.health);
  const findStates = createStateReader(findHealth);
  const findMap = withStates(liveQuery('services', LIVE_QUERIES.services), findStates);
  const queries: DiagnosticsQueries = {
    health: withCauses(LIVE_QUERIES.health, findHealth, findCauses),
    alerts: (gridId, when) => compute(gridId, buildAlertsQuery(when), when),
    diagnosis,
    pressure: liveQuery('pressure', LIVE_QUERIES.pressure),
    trends: liveQuery('trends', LIVE_QUERIES.trends),
    serviceMap: withCauses(LIVE_QUERIES.services, findMap, findCauses),
    timeline: liveQuery('timeline', LIVE_QUERIES.timeline),
    slowestEndpoints: liveQuery('slowest-endpoints', LIVE_QUERIES['slowest-endpoints']),
    changes: liveQuery('changes', LIVE_QUERIES.changes),
    async serviceDetail(gridId, serviceName, when) {
      const asked = { when, states: await findStates(gridId, when), causes: await findCauses(gridId, when) };
      return limiter.run(gridId, (timeSlice) => readServiceDetail(inputReader, gridId, serviceName, asked, timeSlice));
    },
    compare: (gridId, current, baseline) =>
      limiter.run(gridId, (timeSlice) => compareWindows(inputReader, { gridId, current, baseline }, timeSlice)),
    backtest: (gridId, rule, range) =>
      limiter.run(gridId, (timeSlice) => backtestMetricRule(inputReader, gridId, rule, range, timeSlice)),
    evaluations: (gridId) =>
      limiter.runForService(gridId, (timeSlice) => evaluateMetricRules(inputReader, gridId, timeSlice)),
    recentDiagnosis: async (gridId) =>
      (await results.readLatest<readonly Diagnosis[]>(gridId, 'diagnosis')) ??
      results.getOrCompute(gridId, 'diagnosis', () => compute(gridId, LIVE_QUERIES.diagnosis, {})),
    alertRules: (gridId) => inputReader.alerts.alertRules(gridId),
    gridsWithRecentTelemetry: (shards) => findGridsWithRecentTelemetry(inputReader, shards),
    async liveDocument(gridId, topic) {
      if (recentGrids?.record(gridId) === false)
        throw new HindsightError('overloaded', 'Too many Grids have live diagnostics. Retry later.');
      followed.record(gridId, topic);
      return results.readLiveDocument(gridId, topic);
    },
  };
  const liveSource = createLiveSource(refresher, followed, (gridId) =>
    limiter.runForService(gridId, (slice) => refresher.refresh(gridId, slice, countTracesFor(gridId, slice))),
  );
  return { queries, liveSource, blocks };
}

function createLiveSource(
  refresher: LiveDiagnosticsCalculator,
  followed: SubscribedTopics,
  computeFor: LiveDiagnosticsSource['computeFor'],
): LiveDiagnosticsSource {
  return {
    findDueGrids: () => refresher.findDueGrids(),
    computeFor,
    takeReleasedGrids: () => refresher.takeReleasedGrids(),
    isFollowed: (gridId) => followed.hasGrid(gridId),
  };
}

/** Both windows are aligned to whole minutes. */
async function compareWindows(
  inputReader: DiagnosticsInputReader,
  {
    gridId,
    current,
    baseline,
  }: { readonly gridId: string; readonly current: TimeWindow; readonly baseline: TimeWindow },
  timeSlice: TimeSlice,
): Promise<Comparison> {
  const nowMs = inputReader.clock();
  const [currentFrame, baselineFrame] = [current, baseline].map(
    (range) => resolveAnalysisWindows({ range }, nowMs, DEFAULT_WINDOW_LENGTHS).current,
  );
  const { grids } = await inputReader.readInput(
    gridId,
    [{ parts: ['grids'], windows: [currentFrame, baselineFrame] }],
    timeSlice,
  );
  const sum = (window: TimeWindow): Promise<readonly ServiceTotals[]> =>
    sumServiceTotals(selectContainedValues(grids, window), timeSlice);
  const totals = { current: await sum(currentFrame), baseline: await sum(baselineFrame) };
  return compareTotals(totals, currentFrame, baselineFrame, nowMs);
}

/** Rollups that are added between two yields. */
const SUM_CHUNK = 16;

/** The sum of the services of many rollups, which does not depend on their grouping, with yields in between. */
async function sumServiceTotals(
  rollups: readonly Pick<GridRollup, 'services'>[],
  timeSlice: TimeSlice,
): Promise<readonly ServiceTotals[]> {
  let parts = rollups;
  do {
    const sums: Pick<GridRollup, 'services'>[] = [];
    for (let from = 0; from < parts.length; from += SUM_CHUNK) {
      await timeSlice.yieldIfDue();
      sums.push({ services: sumServices(parts.slice(from, from + SUM_CHUNK)) });
    }
    parts = sums;
  } while (parts.length > 1);
  return parts.at(0)?.services ?? [];
}

/** Undefined if the service had not been seen by the selected time. */
async function readServiceDetail(
  inputReader: DiagnosticsInputReader,
  gridId: string,
  serviceName: string,
  { when, ...context }: DetailContext & { readonly when: TimeSelection },
  timeSlice: TimeSlice,
): Promise<ServiceDetail | undefined> {
  const windows = resolveAnalysisWindows(when, inputReader.clock(), DEFAULT_WINDOW_LENGTHS);
  const input = await inputReader.readInput(
    gridId,
    [
      inputRequirement(
        {
          lengths: DEFAULT_WINDOW_LENGTHS,
          parts: ['grids', 'services', 'logs', 'catalogs', 'alerts'],
          baseline: false,
          recentMinutes: true,
        },
        windows,
      ),
    ],
    timeSlice,
    serviceName,
  );
  return buildServiceDetail(input, windows, serviceName, context);
}
