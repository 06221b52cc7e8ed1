import type { ChartData, ChartWindow, ChartSeries } from '../diagnostics/chart-series/chart-series.js';
import { MINUTE_MS } from '../diagnostics/time-windows.js';
import type { ValueRange } from './value-axis.js';

/**
 * Gaps shorter than this are bridged: exporters report once a minute, sometimes late, and a quiet service may have a
 * minute without requests.
 */
const MAX_BRIDGED_GAP_MS = 3 * MINUTE_MS;

/** Steps of a chart, and the values of each series per step; NaN marks a gap. */
export interface SeriesTable {
  /** Start of each step in ms since 1970, ascending, without gaps. */
  readonly steps: readonly number[];
  readonly series: readonly StepValues[];
}

export interface StepValues {
  readonly label: string;
  readonly values: readonly number[];
}

/** Aligns the values of all series to the steps of the frame. */
export function buildSeriesTable({ frame, series }: ChartData): SeriesTable {
  const firstStep = Math.floor(frame.fromMs / frame.stepMs);
  const count = Math.max(1, Math.ceil(frame.toMs / frame.stepMs) - firstStep);
  const steps = Array.from({ length: count }, (_, index) => (firstStep + index) * frame.stepMs);
  return { steps, series: series.map((one) => ({ label: one.label, values: valuesByStep(one, steps, frame.stepMs) })) };
}

function valuesByStep({ points }: ChartSeries, steps: readonly number[], stepMs: number): number[] {
  const values = new Array<number>(steps.length).fill(NaN);
  for (const { atMs, value } of points) {
    const index = Math.round((atMs - steps[0]) / stepMs);
    if (index in values && Number.isFinite(value)) values[index] = value;
  }
  return values;
}

/** Interpolates linearly over gaps of less than three minutes. */
export function bridgeShortGaps(values: readonly number[], stepMs: number): number[] {
  const result = [...values];
  let last = -1;
  values.forEach((value, index) => {
    if (Number.isNaN(value)) return;
    const missing = index - last - 1;
    if (last >= 0 && missing > 0 && missing * stepMs < MAX_BRIDGED_GAP_MS) interpolateGap(result, last, index);
    last = index;
  });
  return result;
}

function interpolateGap(values: number[], from: number, to: number): void {
  for (let index = from + 1; index < to; index++)
    values[index] = values[from] + ((values[to] - values[from]) * (index - from)) / (to - from);
}

/**
 * Stacks each series on top of the previous ones. A missing value counts as zero if another series has one in that
 * step; if none has, there is a gap.
 */
export function stackSeries(series: readonly StepValues[]): StepValues[] {
  const sums = series[0]?.values.map(() => 0) ?? [];
  const gaps = sums.map((_, index) => series.every(({ values }) => Number.isNaN(values[index])));
  return series.map(({ label, values }) => ({
    label,
    values: values.map((value, index) => {
      sums[index] += Number.isNaN(value) ? 0 : value;
      return gaps[index] ? NaN : sums[index];
    }),
  }));
}

/** Marks values without neighbours, which would be invisible in a line. */
export function findIsolatedValues(values: readonly number[]): boolean[] {
  return values.map(
    (value, index) =>
      !Number.isNaN(value) && Number.isNaN(values[index - 1] ?? NaN) && Number.isNaN(values[index + 1] ?? NaN),
  );
}

/** Minimum and maximum of all values; zero and zero if there are none. */
export function valueRange(series: readonly StepValues[]): ValueRange {
  let [min, max] = [Infinity, -Infinity];
  for (const { values } of series) {
    for (const value of values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return min <= max ? { min, max } : { min: 0, max: 0 };
}

/** Range of stacked bars: positive values stack upwards from zero, negative ones downwards. */
export function stackedBarRange(series: readonly StepValues[]): ValueRange {
  const keepSign = (sign: 1 | -1): StepValues[] =>
    series.map(({ label, values }) => ({ label, values: values.map((value) => (value * sign > 0 ? value : 0)) }));
  return { min: Math.min(0, valueRange(stackSeries(keepSign(-1))).min), max: valueRange(stackSeries(keepSign(1))).max };
}

/** Middle of the visible part of a step: the x position of its value. */
export function stepMidpoint(step: number, { fromMs, toMs, stepMs }: ChartWindow): number {
  return (Math.max(step, fromMs) + Math.min(step + stepMs, toMs)) / 2;
}

/** True if the visible part of the step extends beyond the chart's "now", so that its value is not final. */
export function isStepRunning(step: number, { toMs, nowMs, stepMs }: ChartWindow): boolean {
  return Math.min(step + stepMs, toMs) > nowMs;
}
