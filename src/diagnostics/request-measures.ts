import { memoizeWeak } from './weak-memoize.js';
import { type ServiceCounts, sumGrid, sumMeasures, sumServiceCounts } from './rollups/rollup-sums.js';
import type { GridRollup, Measures, ServiceTotals, TimeBucket } from './rollups/rollup-types.js';
import type { Sketch } from './rollups/sketch.js';
import { MINUTE_MS, type TimeWindow } from './time-windows.js';
import type { Trend } from './diagnostic-results.js';

const NS_PER_MS = 1e6;

/** The buckets that overlap a window, in their order. */
export function selectOverlapping<T>(buckets: readonly TimeBucket<T>[], { fromMs, toMs }: TimeWindow): TimeBucket<T>[] {
  return buckets.filter(({ minute, minutes }) => minute * MINUTE_MS < toMs && (minute + minutes) * MINUTE_MS > fromMs);
}

/** Values of the buckets that lie completely within a window. */
export function selectContainedValues<T>(buckets: readonly TimeBucket<T>[], { fromMs, toMs }: TimeWindow): T[] {
  const contained = buckets.filter(
    ({ minute, minutes }) => minute * MINUTE_MS >= fromMs && (minute + minutes) * MINUTE_MS <= toMs,
  );
  return contained.map(({ value }) => value);
}

/** Entry spans of each service with spans in the window, by name ascending. */
export function computeServiceTotals(
  grids: readonly TimeBucket<GridRollup>[],
  window: TimeWindow,
): readonly ServiceTotals[] {
  return sumServices(selectContainedValues(grids, window));
}

/** Entry spans of each service, by name ascending. */
export function sumServices(rollups: readonly Pick<GridRollup, 'services'>[]): readonly ServiceTotals[] {
  return sumGrid(rollups.map(({ services }) => ({ services, edges: [] }))).services;
}

/**
 * Like computeServiceTotals without latency sketches, which are costly to add; for callers that need no percentiles.
 */
export function computeServiceCounts(
  grids: readonly TimeBucket<GridRollup>[],
  window: TimeWindow,
): readonly ServiceCounts[] {
  return sumServiceCounts(selectContainedValues(grids, window));
}

/** Entry spans of all services together. */
export function computeGridTotal(grids: readonly TimeBucket<GridRollup>[], window: TimeWindow): Measures {
  return sumMeasures(selectContainedValues(grids, window).map(sumAllServices));
}

/** Number of services from which memoizing their sum is worth its memory. */
const MANY_SERVICES = 10;

const memoizedSumOfServices = memoizeWeak(({ services }: GridRollup) => sumMeasures(services));

function sumAllServices(rollup: GridRollup): Measures {
  return rollup.services.length < MANY_SERVICES ? sumMeasures(rollup.services) : memoizedSumOfServices(rollup);
}

/** Apdex 1.1: (satisfied + tolerating / 2) / requests; 1 without requests. */
export function apdexScore({
  count,
  satisfied,
  tolerating,
}: Pick<Measures, 'count' | 'satisfied' | 'tolerating'>): number {
  return count === 0 ? 1 : (satisfied + tolerating / 2) / count;
}

/** Percent; 0 without requests. */
export function errorRatePercent({ count, errors }: Pick<Measures, 'count' | 'errors'>): number {
  return count === 0 ? 0 : (100 * errors) / count;
}

/** Mean duration in ms; 0 without requests. */
export function averageMs({ count, durationNs }: Pick<Measures, 'count' | 'durationNs'>): number {
  return count === 0 ? 0 : durationNs / count / NS_PER_MS;
}

/** Nearest-rank percentile in ms (0 < p ≤ 100); 0 without requests. */
export function percentileMs({ latency }: { readonly latency: Pick<Sketch, 'percentile'> }, p: number): number {
  return latency.percentile(p) / NS_PER_MS;
}

/** Change in percent from which a trend is reported. */
const MIN_TREND_PERCENT = 5;

/**
 * 100 · (current − baseline) / baseline; 0 when both are 0, 100 when only the baseline is. Rounded to 12 digits, so
 * that a threshold of 20 matches exactly 20.
 */
export function percentChange(current: number, baseline: number): number {
  if (baseline === 0) return current === 0 ? 0 : 100;
  return Number(((100 * (current - baseline)) / baseline).toPrecision(12));
}

export function classifyTrend(percent: number): Trend {
  if (Math.abs(percent) < MIN_TREND_PERCENT) return 'stable';
  return percent > 0 ? 'increasing' : 'decreasing';
}
