import type { NewChart } from '../../../../src/diagnostics/chart-model.js';
import type { ChartData, ChartWindow, ChartSeries } from '../../../../src/diagnostics/chart-series/chart-series.js';
import { createChartFold } from '../../../../src/diagnostics/chart-series/chart-fold.js';
import { createChartWindow, divideWindow } from '../../../../src/diagnostics/chart-series/chart-window.js';
import type { DiagnosticsInput } from '../../../../src/diagnostics/diagnostics-input.js';
import type { TimeBucket } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { HOUR_MS } from '../given-rollups.js';

export type TimeBuckets = Pick<DiagnosticsInput, 'grids' | 'services' | 'logs' | 'metrics'>;

export const NOTHING: TimeBuckets = { grids: [], services: [], logs: [], metrics: [] };

/** The ten minutes before the hour, long over. */
export const TEN_MINUTES = frameOf(10);

/** So many minutes up to the hour. */
export function frameOf(minutes: number, nowMs = HOUR_MS + 60 * MINUTE_MS): ChartWindow {
  return createChartWindow({ fromMs: HOUR_MS - minutes * MINUTE_MS, toMs: HOUR_MS }, nowMs);
}

export function chartOf(chart: Partial<NewChart>): NewChart {
  return {
    title: 'A chart',
    chartType: 'line',
    metric: 'request_rate',
    serviceName: '',
    groupBy: '',
    aggregation: '',
    unit: '',
    ...chart,
  };
}

/** Where oracles look, the first as long as it still runs. */
export const FRAMES: readonly (readonly [name: string, window: ChartWindow])[] = [
  ['an hour by the minute', frameOf(60, HOUR_MS - 35_000)],
  ['twenty hours by three minutes', frameOf(1201)],
  ['three days by the hour', frameOf(3 * 1440 + 25)],
  ['an hour as a whole', divideWindow(frameOf(60, HOUR_MS - 35_000), 'value')],
  ['three days as a whole', divideWindow(frameOf(3 * 1440 + 25), 'table')],
];

/** More than a chart names. */
export const SERVICES = Array.from({ length: 13 }, (_, i) => `service ${String.fromCharCode(97 + i)}`);

/** As hours are read: those that lie in the frame whole in place of their minutes. */
export function withWholeHours<T extends TimeBucket<unknown>>(
  minutes: readonly T[],
  hours: readonly T[],
  { fromMs, toMs }: ChartWindow,
): T[] {
  const isWhole = ({ minute }: T): boolean =>
    Math.floor(minute / 60) * 60 * MINUTE_MS >= fromMs && Math.floor(minute / 60 + 1) * 60 * MINUTE_MS <= toMs;
  return [...minutes.filter((one) => !isWhole(one)), ...hours.filter(isWhole)];
}

/** What the chart shows when the time buckets of its part come in this order. */
export function computeChart(
  chart: Partial<NewChart>,
  timeBuckets: Partial<TimeBuckets>,
  window: ChartWindow = TEN_MINUTES,
  maxBytes?: number,
): ChartData {
  const fold = createChartFold(chartOf(chart), window, maxBytes);
  for (const timeBucket of (timeBuckets[fold.part] ?? []) as TimeBucket<never>[]) fold.add(timeBucket);
  return fold.compute();
}

/** Minutes before the hour, and values. */
export function pointsOf({ points }: ChartSeries): (readonly [minute: number, value: number])[] {
  return points.map(({ atMs, value }) => [(atMs - HOUR_MS) / MINUTE_MS, value]);
}

export function labelsOf({ series }: ChartData): string[] {
  return series.map(({ label }) => label);
}

export function valuesOf(data: ChartData): number[][] {
  return data.series.map(({ points }) => points.map(({ value }) => value));
}
