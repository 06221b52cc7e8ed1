import type { Exemplar } from '../../telemetry/metric-distributions.js';
import type { TableCell } from '../chart-table.js';
import { roundTo } from '../rounding.js';

/** Time window of a chart in ms since 1970: whole minutes, divided into steps that begin at multiples of `stepMs`. */
export interface ChartWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whole minutes. The first and the last step may extend beyond the window; only the part inside counts. */
  readonly stepMs: number;
  /** The window is a single step, which begins and ends with it. */
  readonly isWhole?: true;
  /** The moment of the chart: nothing after it is included, and rates exclude the time after it. */
  readonly nowMs: number;
}

/** Value of the step that begins at `atMs`; steps without a value are absent. */
export interface ChartPoint {
  readonly atMs: number;
  readonly value: number;
}

export interface ChartSeries {
  /** Group name, or the name of what is measured if the chart is not grouped. */
  readonly label: string;
  /** Where a table of several figures shows it. */
  readonly cell?: TableCell;
  /** By time ascending. */
  readonly points: readonly ChartPoint[];
  /** Largest first; only for OTLP metrics. */
  readonly exemplars: readonly Exemplar[];
}

export interface ChartData {
  readonly frame: ChartWindow;
  /** Series of at most MAX_NAMED_GROUPS groups, in ranking order, and `other` last. Empty if there is no data. */
  readonly series: readonly ChartSeries[];
  /** UCUM or a display unit: `ms`, `%`, `req/s`, `By`. */
  readonly unit: string;
  /** True if values of different series can be added: areas and bars may be stacked. */
  readonly additive: boolean;
  /** Decimals of values in API results; undefined: unrounded. See `roundForApi`. */
  readonly decimals?: number;
  /**
   * Present if the chart is one of a query or of objectives, which are still to be asked, by whoever can: then there are
   * no series. What is older (ms since 1970) is not retained.
   */
  readonly unansweredFromMs?: number;
  /** Why the chart is empty if not for lack of data, such as an aggregation that the metric does not support. */
  readonly hint?: string;
}

/** Maximum number of points per series. */
export const MAX_SERIES_POINTS = 400;
/** Number of named groups; all others are combined into one more series. */
export const MAX_NAMED_GROUPS = 10;
/** Label of the series that combines all other groups. */
export const OTHER_GROUPS_LABEL = 'other';

/** Rounds the values of a chart for API results; images are rendered from the exact values. */
export function roundForApi(data: ChartData): ChartData {
  const { series, decimals } = data;
  if (decimals === undefined) return data;
  const roundPoint = ({ atMs, value }: ChartPoint): ChartPoint => ({ atMs, value: roundTo(value, decimals) });
  return { ...data, series: series.map((each) => ({ ...each, points: each.points.map(roundPoint) })) };
}

/**
 * Removes the points of steps that ended before the retained telemetry begins: without this, rates there would be 0,
 * although the data is unknown. A step across the boundary keeps its point, computed from the retained part.
 */
export function removeExpiredPoints(data: ChartData, retainedFromMs: number): ChartData {
  const { frame, series } = data;
  if (retainedFromMs <= frame.fromMs) return data;
  const firstMs = retainedFromMs - frame.stepMs;
  return {
    ...data,
    series: series.map((each) => ({ ...each, points: each.points.filter(({ atMs }) => atMs > firstMs) })),
  };
}
