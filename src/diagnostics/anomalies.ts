import type { Anomaly, Severity } from './answers.js';
import { byText } from './by-text.js';
import type { SeriesPoint } from './change-point.js';
import { excursions, runOf, type Excursion, type Matters, type Run } from './excursions.js';
import type { DiagnosticsInput } from './input.js';
import { percentileMs } from './measures.js';
import { remembered } from './remembered.js';
import { errorPoints, ratePoints, requestSeriesOf, slowPoints, type RequestSeries } from './request-series.js';
import { round2 } from './rounding.js';
import { sumMeasures } from './rollup-sums.js';
import type { Measures } from './rollups.js';
import { MINUTE_MS, type Frames } from './timeframe.js';

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
export function anomalies({ grids, catalogs }: Pick<DiagnosticsInput, 'grids' | 'catalogs'>, frames: Frames): readonly Anomaly[] {
  const firstMs = new Map(catalogs.map(({ service, firstUs }) => [service, firstUs / 1000]));
  const found = requestSeriesOf(grids, frames).flatMap((series) => [
    ...rateAnomalies(series, firstMs.get(series.service) ?? -Infinity, frames.nowMs),
    ...errorAnomalies(series),
    ...latencyAnomalies(series),
  ]);
  const lately = found.filter(({ untilMs, fromMs }) => untilMs >= frames.current.fromMs && fromMs <= frames.nowMs);
  return lately.sort((a, b) => a.fromMs - b.fromMs || byText(a.serviceName, b.serviceName) || byText(a.metric, b.metric));
}

/*
 * Change points cost most, and most services are as they always are. The level of a run lies between those of its points,
 * and so does its p95: where even the points differ by less than what matters, no runs of theirs need be looked for.
 */

/** A little less than 2, and than 0.02: sums of levels are rounded. */
const NEARLY_TWICE = 1.99;
const NEARLY_TWO_POINTS = 0.0199;

function rateAnomalies(series: RequestSeries, firstMs: number, nowMs: number): Anomaly[] {
  const points = ratePoints(series, firstMs, nowMs);
  const [lowest, highest] = rangeOf(points);
  if (highest < NEARLY_TWICE * lowest) return [];
  const all = excursions(points, 'poisson', settled(series), (usual, other) => {
    if (other.level >= 2 * usual.level) return usual.sum > 0 && other.sum >= FEWEST_REQUESTS;
    return other.level <= usual.level / 2 && usual.level * other.weight >= FEWEST_REQUESTS;
  });
  const news = all.filter((excursion, i) => all.slice(0, i).filter(({ up }) => up === excursion.up).length < RECURRING);
  return news.map((excursion) => {
    const [before, after] = [excursion.usual.level / 60, runOf(points, excursion.from, excursion.to).level / 60];
    const factor = after > before ? after / before : before / after;
    const text = after === 0 ? `No requests, usually ${shown(before)} a second` : `Request rate ${excursion.up ? 'rose' : 'fell'} from ${shown(before)} to ${shown(after)} a second`;
    return anomaly(series, 'rate', excursion, [before, after], factor >= 5 ? 'warning' : 'info', text);
  });
}

const MORE_ERRORS: Matters = (usual, other) => other.level >= 2 * usual.level && other.level >= usual.level + 0.02 && other.sum >= FEWEST_ERRORS;

function errorAnomalies(series: RequestSeries): Anomaly[] {
  const points = errorPoints(series);
  if (points.reduce((sum, point) => sum + point.sum, 0) < FEWEST_ERRORS) return [];
  const [lowest, highest] = rangeOf(points);
  if (highest < lowest + NEARLY_TWO_POINTS) return [];
  return excursions(points, 'binomial', settled(series), MORE_ERRORS).map((excursion) => {
    const [before, after] = [100 * excursion.usual.level, 100 * runOf(points, excursion.from, excursion.to).level];
    return anomaly(series, 'errors', excursion, [before, after], after >= 10 ? 'critical' : 'warning', `Error rate rose from ${shown(before)}% to ${shown(after)}%`);
  });
}

/** Of the levels of the points that tell any. */
function rangeOf(points: readonly SeriesPoint[]): readonly [lowest: number, highest: number] {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const { sum, weight } of points) {
    if (weight <= 0) continue;
    lowest = Math.min(lowest, sum / weight);
    highest = Math.max(highest, sum / weight);
  }
  return [lowest, highest];
}

const MUCH_SLOWER = 1.5;

function latencyAnomalies(series: RequestSeries): Anomaly[] {
  if (!isEverMuchSlower(series)) return [];
  const p95 = ({ from, to }: Pick<Run, 'from' | 'to'>): number => percentileMs(sumMeasures(series.requests.slice(from, to).filter((measures) => measures !== undefined)), 95);
  const slower: Matters = (usual, other) => other.level > usual.level && other.weight >= FEWEST_TIMED && p95(other) >= MUCH_SLOWER * p95(usual);
  return excursions(slowPoints(series), 'binomial', settled(series), slower, settled(series)).map((excursion) => {
    const [before, after] = [p95(excursion.usual), p95(excursion)];
    const factor = after / before;
    const severity = factor >= 5 ? 'critical' : factor >= 2 ? 'warning' : 'info';
    return anomaly(series, 'latency', excursion, [before, after], severity, `Latency p95 rose from ${shown(before)} ms to ${shown(after)} ms`);
  });
}

const p95Of = remembered((measures: Measures) => percentileMs(measures, 95));

function isEverMuchSlower({ requests }: RequestSeries): boolean {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const measures of requests) {
    if (measures === undefined || measures.count === 0) continue;
    const p95 = p95Of(measures);
    lowest = Math.min(lowest, p95);
    highest = Math.max(highest, p95);
  }
  return highest >= MUCH_SLOWER * lowest;
}

function anomaly(series: RequestSeries, metric: Anomaly['metric'], { from, to }: Excursion, [before, after]: readonly [number, number], severity: Severity, description: string): Anomaly {
  const { service: serviceName, fromMs, stretchMs } = series;
  return { serviceName, metric, fromMs: fromMs + from * stretchMs, untilMs: fromMs + to * stretchMs - MINUTE_MS, stretchMs, before: round2(before), after: round2(after), severity, description };
}

function settled({ stretchMs }: RequestSeries): number {
  return Math.ceil((SETTLED_MINUTES * MINUTE_MS) / stretchMs);
}

/** As many digits as tell something. */
function shown(value: number): string {
  return String(value >= 100 ? Math.round(value) : round2(value));
}
