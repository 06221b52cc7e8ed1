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
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { QueryConcurrencyLimiter, type QueryLimits } from '../scheduling/query-concurrency-limiter.js';
import { BlockSnapshotReader } from '../telemetry/block-snapshots.js';
import {
  buildAlertsQuery,
  type CountImpactedTraces,
  type DiagnosticQuery,
  LIVE_QUERIES,
} from './diagnostic-query-definitions.js';
import { DiagnosticsInputReader, runDiagnosticQuery } from './diagnostics-input-reader.js';
import type { RecentlyQueriedGrids } from './recently-queried-grids.js';
import { backtestAlertRule, evaluateAlertRules, findGridsWithRecentTelemetry } from './alert-evaluation-queries.js';
import { DiagnosticsResultCache } from './diagnostics-result-cache.js';
import { ImpactedTraceCounter } from './impacted-trace-counter.js';
import { LiveDiagnosticsRefresher } from './live-diagnostics-refresher.js';
import type { DiagnosticsQueries } from './diagnostics-query-types.js';
import type { Comparison, ServiceDetail } from '../../diagnostics/diagnostic-results.js';
import { computeComparison } from '../../diagnostics/window-comparison.js';
import { buildServiceDetail } from '../../diagnostics/services/service-detail-builder.js';

/** Decoded columns of span blocks kept for counting traces. */
const BLOCK_CACHE_BYTES = 96 * 1024 * 1024;

export interface DiagnosticsQueriesOptions {
  readonly store: ReadModelReader;
  /** Where Grids are shared out: who reads what is known of one. Default: the store. */
  readonly readerOf?: ReaderForGrid;
  /** Where the live documents are. */
  readonly live: ReadModelReader;
  /** ms since 1970. Default: the clock of the machine. */
  readonly now?: () => number;
  readonly limits?: QueryLimits;
  /** Shared with other questions of the same thread; one of its own unless given. */
  readonly rollups?: GridRollupReader;
  /** Told of every question about now: the answers of these Grids are kept current, and of no others. Absent: those of all. */
  readonly asked?: RecentlyQueriedGrids;
  /** Bound of the decoded columns that are kept. */
  readonly blockCacheBytes?: number;
}

/** All questions of diagnostics, over one cache and one thread's time: make one a thread. */
export function createDiagnosticsQueries({
  store,
  readerOf = () => store,
  live,
  now = Date.now,
  limits = {},
  rollups = new RollupReader(store),
  asked,
  blockCacheBytes = BLOCK_CACHE_BYTES,
}: DiagnosticsQueriesOptions): {
  readonly queries: DiagnosticsQueries;
  /** What the live documents are made with. */
  readonly liveSource: LiveDiagnosticsSource;
} {
  const data = new DiagnosticsInputReader(readerOf, rollups, createAlertQueries(store), now);
  const current = new DiagnosticsResultCache(live, data.rollups, now, async (gridId) =>
    JSON.stringify(await data.readSettings(gridId)),
  );
  const liveAnswers = new LiveDiagnosticsRefresher(store, data, current, asked);
  const impacted = new ImpactedTraceCounter(new BlockSnapshotReader(readerOf, blockCacheBytes));
  const underWay = new QueryConcurrencyLimiter(limits);
  // Apart from what people ask: however many do, alerts fire and live documents stay current.
  const ownUnderWay = new QueryConcurrencyLimiter(limits);
  const tracesOf =
    (gridId: string, turn: TimeSlice): CountImpactedTraces =>
    (impact, telling) =>
      impacted.count(gridId, impact, telling, turn);
  const compute = <Answer extends object>(
    gridId: string,
    question: DiagnosticQuery<Answer>,
    when: TimeSelection,
  ): Promise<Answer> =>
    underWay.run((turn) => runDiagnosticQuery(data, gridId, question, when, tracesOf(gridId, turn)));
  const ask =
    <Answer extends object>(topic: LiveTopic, question: DiagnosticQuery<Answer>) =>
    (gridId: string, when: TimeSelection): Promise<Answer> => {
      if (!isNow(when)) return compute(gridId, question, when);
      asked?.record(gridId); // without room its answers are computed
      return current.getOrCompute(gridId, topic, () => compute(gridId, question, when));
    };
  const queries: DiagnosticsQueries = {
    health: ask('health', LIVE_QUERIES.health),
    alerts: (gridId, when) => compute(gridId, buildAlertsQuery(when), when),
    diagnosis: ask('diagnosis', LIVE_QUERIES.diagnosis),
    pressure: ask('pressure', LIVE_QUERIES.pressure),
    trends: ask('trends', LIVE_QUERIES.trends),
    serviceMap: ask('services', LIVE_QUERIES.services),
    timeline: ask('timeline', LIVE_QUERIES.timeline),
    slowestEndpoints: ask('slowest-endpoints', LIVE_QUERIES['slowest-endpoints']),
    changes: ask('changes', LIVE_QUERIES.changes),
    serviceDetail: (gridId, serviceName, when) =>
      underWay.run(() => readServiceDetail(data, gridId, serviceName, when)),
    compare: (gridId, window, baseline) => underWay.run(() => compareWindows(data, gridId, window, baseline)),
    backtest: (gridId, rule, range) => underWay.run((turn) => backtestAlertRule(data, gridId, rule, range, turn)),
    evaluations: (gridId) => ownUnderWay.run((turn) => evaluateAlertRules(data, gridId, turn)),
    alertRules: (gridId) => data.alerts.alertRules(gridId),
    gridsWithRecentTelemetry: (shares) => findGridsWithRecentTelemetry(data, shares),
    async liveDocument(gridId, topic) {
      if (asked?.record(gridId) === false)
        throw new HindsightError('overloaded', 'the answers of as many Grids are kept current as may be');
      return current.readLiveDocument(gridId, topic);
    },
  };
  const liveSource: LiveDiagnosticsSource = {
    findDueGrids: () => liveAnswers.findDueGrids(),
    computeFor: (gridId) => ownUnderWay.run((turn) => liveAnswers.refresh(gridId, turn, tracesOf(gridId, turn))),
    takeReleasedGrids: () => liveAnswers.takeReleasedGrids(),
  };
  return { queries, liveSource };
}

function isNow({ asOfMs, range }: TimeSelection): boolean {
  return asOfMs === undefined && range === undefined;
}

/** Both windows become whole minutes as those of any other answer do. */
async function compareWindows(
  data: DiagnosticsInputReader,
  gridId: string,
  current: TimeWindow,
  baseline: TimeWindow,
): Promise<Comparison> {
  const nowMs = data.clock();
  const [currentFrame, baselineFrame] = [current, baseline].map(
    (range) => resolveAnalysisWindows({ range }, nowMs, DEFAULT_WINDOW_LENGTHS).current,
  );
  const input = await data.readInput(gridId, [{ parts: ['grids'], windows: [currentFrame, baselineFrame] }]);
  return computeComparison(input, currentFrame, baselineFrame, nowMs);
}

/** Undefined for a service that had not been seen by the moment in question. */
async function readServiceDetail(
  data: DiagnosticsInputReader,
  gridId: string,
  serviceName: string,
  when: TimeSelection,
): Promise<ServiceDetail | undefined> {
  const frames = resolveAnalysisWindows(when, data.clock(), DEFAULT_WINDOW_LENGTHS);
  const input = await data.readInput(
    gridId,
    [{ parts: ['grids', 'services', 'logs', 'catalogs'], windows: [frames.current] }],
    serviceName,
  );
  return buildServiceDetail(input, frames, serviceName);
}
