import type { Exemplar } from '../../telemetry/metric-distributions.js';
import { roundTo } from '../rounding.js';

/** The stretch of time that a chart shows, ms since 1970: whole minutes, cut into steps that begin at multiples of `stepMs`. */
export interface ChartWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whole minutes. The first and the last step may reach over the ends: then they count what lies inside. */
  readonly stepMs: number;
  /** The moment that the chart is about: nothing after it shows, and rates divide by no time after it. */
  readonly nowMs: number;
}

/** Value of the step that begins at `atMs`; steps without a value are absent. */
export interface ChartPoint {
  readonly atMs: number;
  readonly value: number;
}

export interface ChartSeries {
  /** What is grouped by, else what is measured. */
  readonly label: string;
  /** Ascending. */
  readonly points: readonly ChartPoint[];
  /** Largest first; of OTLP metrics alone. */
  readonly exemplars: readonly Exemplar[];
}

export interface ChartData {
  readonly frame: ChartWindow;
  /** Of TOP_GROUPS groups at most, what there is the most to see of first, and `other` last. Empty where there is no data. */
  readonly series: readonly ChartSeries[];
  /** UCUM or a word of ours: `ms`, `%`, `req/s`, `By`. */
  readonly unit: string;
  /** Values of series add up to something: areas and bars may be stacked. */
  readonly additive: boolean;
  /** Decimals of values in answers; undefined: all that they have. See `told`. */
  readonly decimals?: number;
  /** Why there is nothing to see where more than the data is missing, such as an aggregation that the metric does not have. */
  readonly hint?: string;
}

/** Points of one series. */
export const MAX_SERIES_POINTS = 400;
/** Named groups; all others together are one more series. */
export const MAX_NAMED_GROUPS = 10;
/** Label of the groups past the top. */
export const OTHER_GROUPS_LABEL = 'other';

/** The data of a chart as answers tell them in numbers: pictures are drawn from the values themselves. */
export function roundForApi(data: ChartData): ChartData {
  const { series, decimals } = data;
  if (decimals === undefined) return data;
  const toldPoint = ({ atMs, value }: ChartPoint): ChartPoint => ({ atMs, value: roundTo(value, decimals) });
  return { ...data, series: series.map((each) => ({ ...each, points: each.points.map(toldPoint) })) };
}

/**
 * Without the points of steps that were over when what is kept of telemetry begins: rates are 0 where nothing came, but
 * what came there is not known any more. A step that lies across keeps its point, of what is left of it.
 */
export function removeExpiredPoints(data: ChartData, keptFromMs: number): ChartData {
  const { frame, series } = data;
  if (keptFromMs <= frame.fromMs) return data;
  const firstMs = keptFromMs - frame.stepMs;
  return {
    ...data,
    series: series.map((each) => ({ ...each, points: each.points.filter(({ atMs }) => atMs > firstMs) })),
  };
}
