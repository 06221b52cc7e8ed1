import { memoizeWeak } from './weak-memoize.js';
import { type ServiceCounts, sumGrid, sumMeasures, sumServiceCounts } from './rollups/rollup-sums.js';
import type { GridRollup, Measures, ServiceTotals, TimeBucket } from './rollups/rollup-types.js';
import type { Sketch } from './rollups/sketch.js';
import { MINUTE_MS, type TimeWindow } from './time-windows.js';
import type { Trend } from './diagnostic-results.js';

const NS_PER_MS = 1e6;

/** The stretches that a window has any part in, in their order. */
export function selectOverlapping<T>(
  stretches: readonly TimeBucket<T>[],
  { fromMs, toMs }: TimeWindow,
): TimeBucket<T>[] {
  return stretches.filter(
    ({ minute, minutes }) => minute * MINUTE_MS < toMs && (minute + minutes) * MINUTE_MS > fromMs,
  );
}

/** What is in the stretches that lie in a window whole. */
export function selectContainedValues<T>(stretches: readonly TimeBucket<T>[], { fromMs, toMs }: TimeWindow): T[] {
  const inside = stretches.filter(
    ({ minute, minutes }) => minute * MINUTE_MS >= fromMs && (minute + minutes) * MINUTE_MS <= toMs,
  );
  return inside.map(({ value }) => value);
}

/** Entry spans of each service that sent spans in the window, by name ascending. */
export function computeServiceTotals(
  grids: readonly TimeBucket<GridRollup>[],
  frame: TimeWindow,
): readonly ServiceTotals[] {
  return sumGrid(selectContainedValues(grids, frame).map(({ services }) => ({ services, edges: [] }))).services;
}

/** The same without latencies, for those who ask no percentile. */
export function computeServiceCounts(
  grids: readonly TimeBucket<GridRollup>[],
  frame: TimeWindow,
): readonly ServiceCounts[] {
  return sumServiceCounts(selectContainedValues(grids, frame));
}

/** Entry spans of all services together. */
export function computeGridTotal(grids: readonly TimeBucket<GridRollup>[], frame: TimeWindow): Measures {
  return sumMeasures(selectContainedValues(grids, frame).map(sumServices));
}

/** Services from which on it is worth its memory, which is less than theirs, to remember what they add up to. */
const MANY_SERVICES = 10;

const memoizedSumOfServices = memoizeWeak(({ services }: GridRollup) => sumMeasures(services));

function sumServices(rollup: GridRollup): Measures {
  return rollup.services.length < MANY_SERVICES ? sumMeasures(rollup.services) : memoizedSumOfServices(rollup);
}

/** (satisfied + tolerating / 2) / requests (Apdex 1.1); 1 without requests, as nobody was let down. */
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

/** 0 without requests. */
export function averageMs({ count, durationNs }: Pick<Measures, 'count' | 'durationNs'>): number {
  return count === 0 ? 0 : durationNs / count / NS_PER_MS;
}

/** 0 without requests. */
export function percentileMs({ latency }: { readonly latency: Pick<Sketch, 'percentile'> }, p: number): number {
  return latency.percentile(p) / NS_PER_MS;
}

/** Percent from which a change is a trend. */
const TREND_FROM = 5;

/** 100 · (current − baseline) / baseline; 0 when both are 0, 100 when only the baseline is. Without the last digits of the double: a limit of 20 is met by 20. */
export function percentChange(current: number, baseline: number): number {
  if (baseline === 0) return current === 0 ? 0 : 100;
  return Number(((100 * (current - baseline)) / baseline).toPrecision(12));
}

export function classifyTrend(percent: number): Trend {
  if (Math.abs(percent) < TREND_FROM) return 'stable';
  return percent > 0 ? 'increasing' : 'decreasing';
}
