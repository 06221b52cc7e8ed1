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

/** Minutes after which a level is what a service usually does. */
const SETTLED_MINUTES = 10;

/** So many excursions of a rate to one side make the next one usual: jobs that come by the clock. */
const RECURRING = 2;

/** Requests, or requests that are missing, below which a rate says nothing. */
const FEWEST_REQUESTS = 30;
const FEWEST_ERRORS = 5;
const FEWEST_TIMED = 20;

/**
 * When each service began to do something unusual, in the window or before it and still in it: a change point of its rate,
 * of its error rate or of the share of its slow requests (see change-point.ts), if the change is large enough to matter:
 * half or twice the rate, twice the error rate and 2 points more, half as much again in p95. Better is no anomaly.
 *
 * False alarms: at most 2 in the 1,040 service-hours of stationary traffic (Poisson, binomial and lognormal, 2 to 300
 * requests a minute) that the test simulates. Traffic whose levels wander by themselves for minutes on end has more.
 */
export function detectAnomalies(
  { grids, catalogs }: Pick<DiagnosticsInput, 'grids' | 'catalogs'>,
  frames: AnalysisWindows,
): readonly Anomaly[] {
  const firstMs = new Map(catalogs.map(({ service, firstUs }) => [service, firstUs / 1000]));
  const found = buildRequestSeries(grids, frames).flatMap((series) => [
    ...findRateAnomalies(series, firstMs.get(series.service) ?? -Infinity, frames.nowMs),
    ...findErrorAnomalies(series),
    ...findLatencyAnomalies(series),
  ]);
  const lately = found.filter(({ untilMs, fromMs }) => untilMs >= frames.current.fromMs && fromMs <= frames.nowMs);
  return lately.sort(
    (a, b) => a.fromMs - b.fromMs || compareText(a.serviceName, b.serviceName) || compareText(a.metric, b.metric),
  );
}

/*
 * Change points cost most, and most services are as they always are. The level of a run lies between those of its points,
 * and so does its p95: where even the points differ by less than what matters, no runs of theirs need be looked for.
 */

/** A little less than 2, and than 0.02: sums of levels are rounded. */
const NEARLY_TWICE = 1.99;
const NEARLY_TWO_POINTS = 0.0199;

function findRateAnomalies(series: RequestSeries, firstMs: number, nowMs: number): Anomaly[] {
  const points = ratePoints(series, firstMs, nowMs);
  const [lowest, highest] = levelRange(points);
  if (highest < NEARLY_TWICE * lowest) return [];
  const all = findDeviations(points, 'poisson', settlingPoints(series), (usual, other) => {
    if (other.level >= 2 * usual.level) return usual.sum > 0 && other.sum >= FEWEST_REQUESTS;
    return other.level <= usual.level / 2 && usual.level * other.weight >= FEWEST_REQUESTS;
  });
  const news = all.filter((excursion, i) => all.slice(0, i).filter(({ up }) => up === excursion.up).length < RECURRING);
  return news.map((excursion) => {
    const [before, after] = [
      excursion.usual.level / 60,
      summarizeSegment(points, excursion.from, excursion.to).level / 60,
    ];
    const factor = after > before ? after / before : before / after;
    const text =
      after === 0
        ? `No requests, usually ${formatLevel(before)} a second`
        : `Request rate ${excursion.up ? 'rose' : 'fell'} from ${formatLevel(before)} to ${formatLevel(after)} a second`;
    return buildAnomaly(series, 'rate', excursion, [before, after], factor >= 5 ? 'warning' : 'info', text);
  });
}

const isMuchHigherErrorRate: SignificanceTest = (usual, other) =>
  other.level >= 2 * usual.level && other.level >= usual.level + 0.02 && other.sum >= FEWEST_ERRORS;

function findErrorAnomalies(series: RequestSeries): Anomaly[] {
  const points = errorPoints(series);
  if (points.reduce((sum, point) => sum + point.sum, 0) < FEWEST_ERRORS) return [];
  const [lowest, highest] = levelRange(points);
  if (highest < lowest + NEARLY_TWO_POINTS) return [];
  return findDeviations(points, 'binomial', settlingPoints(series), isMuchHigherErrorRate).map((excursion) => {
    const [before, after] = [
      100 * excursion.usual.level,
      100 * summarizeSegment(points, excursion.from, excursion.to).level,
    ];
    return buildAnomaly(
      series,
      'errors',
      excursion,
      [before, after],
      after >= 10 ? 'critical' : 'warning',
      `Error rate rose from ${formatLevel(before)}% to ${formatLevel(after)}%`,
    );
  });
}

/** Of the levels of the points that tell any. */
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
    other.level > usual.level && other.weight >= FEWEST_TIMED && p95(other) >= SLOWDOWN_FACTOR * p95(usual);
  return findDeviations(
    slowRequestPoints(series),
    'binomial',
    settlingPoints(series),
    slower,
    settlingPoints(series),
  ).map((excursion) => {
    const [before, after] = [p95(excursion.usual), p95(excursion)];
    const factor = after / before;
    const severity = factor >= 5 ? 'critical' : factor >= 2 ? 'warning' : 'info';
    return buildAnomaly(
      series,
      'latency',
      excursion,
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
  const { service: serviceName, fromMs, stretchMs } = series;
  return {
    serviceName,
    metric,
    fromMs: fromMs + from * stretchMs,
    untilMs: fromMs + to * stretchMs - MINUTE_MS,
    stretchMs,
    before: round2(before),
    after: round2(after),
    severity,
    description,
  };
}

function settlingPoints({ stretchMs }: RequestSeries): number {
  return Math.ceil((SETTLED_MINUTES * MINUTE_MS) / stretchMs);
}

/** As many digits as tell something. */
function formatLevel(value: number): string {
  return String(value >= 100 ? Math.round(value) : round2(value));
}
