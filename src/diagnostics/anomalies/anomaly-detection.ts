import type { Anomaly, Severity } from '../diagnostic-results.js';
import { compareText } from '../text-order.js';
import type { SeriesPoint } from './change-points.js';
import {
  findDeviations,
  summarizeSegment,
  type LevelDeviation,
  type SignificanceTest,
  type LevelSegment,
} from './level-deviations.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { percentileMs } from '../request-measures.js';
import { memoizeWeak } from '../weak-memoize.js';
import {
  errorPoints,
  ratePoints,
  buildRequestSeries,
  slowRequestPoints,
  type RequestSeries,
} from './request-series.js';
import { round2 } from '../rounding.js';
import { sumMeasures } from '../rollups/rollup-sums.js';
import type { Measures } from '../rollups/rollup-types.js';
import { MINUTE_MS, type AnalysisWindows } from '../time-windows.js';

/** Minutes after which a level counts as usual. */
const SETTLED_MINUTES = 10;

/** After this many excursions of a rate in one direction further ones are not reported: scheduled jobs. */
const MAX_RECURRENCES = 2;

/** With fewer requests, or missing requests, a rate is not significant. */
const MIN_REQUESTS = 30;
const MIN_ERRORS = 5;
const MIN_TIMED_REQUESTS = 20;

/**
 * Detects when each service began to behave unusually, in the window or before it and still lasting: a change point of
 * its rate, its error rate or its share of slow requests (see change-points.ts), if the change is large enough: half or
 * twice the rate, twice the error rate and at least 2 percentage points more, 1.5 times the p95. Improvements are not
 * anomalies.
 *
 * False alarms: at most 2 in the 1,040 service-hours of stationary traffic (Poisson, binomial and lognormal, 2 to 300
 * requests a minute) simulated by the test. Traffic whose level drifts for minutes has more.
 */
export function detectAnomalies(
  { grids, catalogs }: Pick<DiagnosticsInput, 'grids' | 'catalogs'>,
  windows: AnalysisWindows,
): readonly Anomaly[] {
  const firstMs = new Map(catalogs.map(({ service, firstUs }) => [service, firstUs / 1000]));
  const anomalies = buildRequestSeries(grids, windows).flatMap((series) => [
    ...findRateAnomalies(series, firstMs.get(series.service) ?? -Infinity, windows.nowMs),
    ...findErrorAnomalies(series),
    ...findLatencyAnomalies(series),
  ]);
  const recent = anomalies.filter(
    ({ untilMs, fromMs }) => untilMs >= windows.current.fromMs && fromMs <= windows.nowMs,
  );
  return recent.sort(
    (a, b) => a.fromMs - b.fromMs || compareText(a.serviceName, b.serviceName) || compareText(a.metric, b.metric),
  );
}

/*
 * Change points are expensive to compute and most services are stable. The level of a segment, and its p95, lies
 * between those of its points: if the points already differ by less than the minimum, no segments need to be computed.
 */

/** Slightly below 2 and 0.02, because sums of levels are rounded. */
const NEARLY_TWICE = 1.99;
const NEARLY_TWO_POINTS = 0.0199;

function findRateAnomalies(series: RequestSeries, firstMs: number, nowMs: number): Anomaly[] {
  const points = ratePoints(series, firstMs, nowMs);
  const [lowest, highest] = levelRange(points);
  if (highest < NEARLY_TWICE * lowest) return [];
  const deviations = findDeviations(points, 'poisson', settlingPoints(series), (usual, other) => {
    if (other.level >= 2 * usual.level) return usual.sum > 0 && other.sum >= MIN_REQUESTS;
    return other.level <= usual.level / 2 && usual.level * other.weight >= MIN_REQUESTS;
  });
  const unusual = deviations.filter(
    (deviation, i) => deviations.slice(0, i).filter(({ up }) => up === deviation.up).length < MAX_RECURRENCES,
  );
  return unusual.map((deviation) => {
    const [before, after] = [
      deviation.usual.level / 60,
      summarizeSegment(points, deviation.from, deviation.to).level / 60,
    ];
    const factor = after > before ? after / before : before / after;
    const text =
      after === 0
        ? `No requests, usually ${formatLevel(before)} a second`
        : `Request rate ${deviation.up ? 'rose' : 'fell'} from ${formatLevel(before)} to ${formatLevel(after)} a second`;
    return buildAnomaly(series, 'rate', deviation, [before, after], factor >= 5 ? 'warning' : 'info', text);
  });
}

const isMuchHigherErrorRate: SignificanceTest = (usual, other) =>
  other.level >= 2 * usual.level && other.level >= usual.level + 0.02 && other.sum >= MIN_ERRORS;

function findErrorAnomalies(series: RequestSeries): Anomaly[] {
  const points = errorPoints(series);
  if (points.reduce((sum, point) => sum + point.sum, 0) < MIN_ERRORS) return [];
  const [lowest, highest] = levelRange(points);
  if (highest < lowest + NEARLY_TWO_POINTS) return [];
  return findDeviations(points, 'binomial', settlingPoints(series), isMuchHigherErrorRate).map((deviation) => {
    const [before, after] = [
      100 * deviation.usual.level,
      100 * summarizeSegment(points, deviation.from, deviation.to).level,
    ];
    return buildAnomaly(
      series,
      'errors',
      deviation,
      [before, after],
      after >= 10 ? 'critical' : 'warning',
      `Error rate rose from ${formatLevel(before)}% to ${formatLevel(after)}%`,
    );
  });
}

/** Lowest and highest level of the points with a weight. */
function levelRange(points: readonly SeriesPoint[]): readonly [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const { sum, weight } of points) {
    if (weight <= 0) continue;
    lowest = Math.min(lowest, sum / weight);
    highest = Math.max(highest, sum / weight);
  }
  return [lowest, highest];
}

const SLOWDOWN_FACTOR = 1.5;

function findLatencyAnomalies(series: RequestSeries): Anomaly[] {
  if (!mayHaveSlowdown(series)) return [];
  const p95 = ({ from, to }: Pick<LevelSegment, 'from' | 'to'>): number =>
    percentileMs(sumMeasures(series.requests.slice(from, to).filter((measures) => measures !== undefined)), 95);
  const slower: SignificanceTest = (usual, other) =>
    other.level > usual.level && other.weight >= MIN_TIMED_REQUESTS && p95(other) >= SLOWDOWN_FACTOR * p95(usual);
  return findDeviations(
    slowRequestPoints(series),
    'binomial',
    settlingPoints(series),
    slower,
    settlingPoints(series),
  ).map((deviation) => {
    const [before, after] = [p95(deviation.usual), p95(deviation)];
    const factor = after / before;
    const severity = factor >= 5 ? 'critical' : factor >= 2 ? 'warning' : 'info';
    return buildAnomaly(
      series,
      'latency',
      deviation,
      [before, after],
      severity,
      `Latency p95 rose from ${formatLevel(before)} ms to ${formatLevel(after)} ms`,
    );
  });
}

const memoizedP95 = memoizeWeak((measures: Measures) => percentileMs(measures, 95));

function mayHaveSlowdown({ requests }: RequestSeries): boolean {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const measures of requests) {
    if (measures === undefined || measures.count === 0) continue;
    const p95 = memoizedP95(measures);
    lowest = Math.min(lowest, p95);
    highest = Math.max(highest, p95);
  }
  return highest >= SLOWDOWN_FACTOR * lowest;
}

function buildAnomaly(
  series: RequestSeries,
  metric: Anomaly['metric'],
  { from, to }: LevelDeviation,
  [before, after]: readonly [number, number],
  severity: Severity,
  description: string,
): Anomaly {
  const { service: serviceName, fromMs, bucketMs } = series;
  return {
    serviceName,
    metric,
    fromMs: fromMs + from * bucketMs,
    untilMs: fromMs + to * bucketMs - MINUTE_MS,
    stretchMs: bucketMs,
    before: round2(before),
    after: round2(after),
    severity,
    description,
  };
}

function settlingPoints({ bucketMs }: RequestSeries): number {
  return Math.ceil((SETTLED_MINUTES * MINUTE_MS) / bucketMs);
}

/** Formats a value with its significant digits. */
function formatLevel(value: number): string {
  return String(value >= 100 ? Math.round(value) : round2(value));
}
