import { remembered } from './remembered.js';
import { sumCounts, sumGrid, sumMeasures, type ServiceCounts } from './rollup-sums.js';
import type { GridRollup, Measures, ServiceTotals, Timed } from './rollups.js';
import type { Sketch } from './sketch.js';
import { MINUTE_MS, type Timeframe } from './timeframe.js';

const NS_PER_MS = 1e6;

/** The stretches that a window has any part in, in their order. */
export function touching<T>(stretches: readonly Timed<T>[], { fromMs, toMs }: Timeframe): Timed<T>[] {
  return stretches.filter(({ minute, minutes }) => minute * MINUTE_MS < toMs && (minute + minutes) * MINUTE_MS > fromMs);
}

/** What is in the stretches that lie in a window whole. */
export function within<T>(stretches: readonly Timed<T>[], { fromMs, toMs }: Timeframe): T[] {
  const inside = stretches.filter(({ minute, minutes }) => minute * MINUTE_MS >= fromMs && (minute + minutes) * MINUTE_MS <= toMs);
  return inside.map(({ value }) => value);
}

/** Entry spans of each service that sent spans in the window, by name ascending. */
export function totalsOf(grids: readonly Timed<GridRollup>[], frame: Timeframe): readonly ServiceTotals[] {
  return sumGrid(within(grids, frame).map(({ services }) => ({ services, edges: [] }))).services;
}

/** The same without latencies, for those who ask no percentile. */
export function countsOf(grids: readonly Timed<GridRollup>[], frame: Timeframe): readonly ServiceCounts[] {
  return sumCounts(within(grids, frame));
}

/** Entry spans of all services together. */
export function gridTotal(grids: readonly Timed<GridRollup>[], frame: Timeframe): Measures {
  return sumMeasures(within(grids, frame).map(totalOf));
}

/** Services from which on it is worth its memory, which is less than theirs, to remember what they add up to. */
const MANY_SERVICES = 10;

const rememberedTotal = remembered(({ services }: GridRollup) => sumMeasures(services));

function totalOf(rollup: GridRollup): Measures {
  return rollup.services.length < MANY_SERVICES ? sumMeasures(rollup.services) : rememberedTotal(rollup);
}

/** (satisfied + tolerating / 2) / requests (Apdex 1.1); 1 without requests, as nobody was let down. */
export function apdexOf({ count, satisfied, tolerating }: Pick<Measures, 'count' | 'satisfied' | 'tolerating'>): number {
  return count === 0 ? 1 : (satisfied + tolerating / 2) / count;
}

/** Percent; 0 without requests. */
export function errorRateOf({ count, errors }: Pick<Measures, 'count' | 'errors'>): number {
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
