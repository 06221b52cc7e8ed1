import type { ChartData, ChartWindow, ChartSeries } from '../diagnostics/chart-series/chart-series.js';
import { MINUTE_MS } from '../diagnostics/time-windows.js';
import type { ValueRange } from './value-axis.js';

/** Senders of metrics report once a minute, now and then a little late, and a quiet service lacks a request for a minute: that is no gap. */
const MAX_BRIDGED_GAP_MS = 3 * MINUTE_MS;

/** The steps of a chart in which any series has a value or could have one, and one value for each; NaN is a gap. */
export interface SeriesTable {
  /** Begins of steps, ascending, without holes. */
  readonly steps: readonly number[];
  readonly series: readonly StepValues[];
}

export interface StepValues {
  readonly label: string;
  readonly values: readonly number[];
}

/** Every step of the frame with the value of each series. */
export function buildSeriesTable({ frame, series }: ChartData): SeriesTable {
  const first = Math.floor(frame.fromMs / frame.stepMs);
  const count = Math.max(1, Math.ceil(frame.toMs / frame.stepMs) - first);
  const steps = Array.from({ length: count }, (_, index) => (first + index) * frame.stepMs);
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

/** The values with a straight line over gaps of less than three minutes. */
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
 * Each series on top of those before it. In a step in which only some have a value the others add nothing; where none has
 * one there is a gap.
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

/** Values without a neighbour, which no line would show. */
export function findIsolatedValues(values: readonly number[]): boolean[] {
  return values.map(
    (value, index) =>
      !Number.isNaN(value) && Number.isNaN(values[index - 1] ?? NaN) && Number.isNaN(values[index + 1] ?? NaN),
  );
}

/** Least and most of all values, zero and zero where there are none. */
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

/** Range of bars that stand on one another: what is positive above zero, what is negative below. */
export function stackedBarRange(series: readonly StepValues[]): ValueRange {
  const signed = (sign: 1 | -1): StepValues[] =>
    series.map(({ label, values }) => ({ label, values: values.map((value) => (value * sign > 0 ? value : 0)) }));
  return { min: Math.min(0, valueRange(stackSeries(signed(-1))).min), max: valueRange(stackSeries(signed(1))).max };
}

/** Middle of the part of a step that the chart shows: where its value stands. */
export function stepMidpoint(step: number, { fromMs, toMs, stepMs }: ChartWindow): number {
  return (Math.max(step, fromMs) + Math.min(step + stepMs, toMs)) / 2;
}

/** What the chart shows of the step runs on after the moment of the chart: its value is not final. */
export function isStepRunning(step: number, { toMs, nowMs, stepMs }: ChartWindow): boolean {
  return Math.min(step + stepMs, toMs) > nowMs;
}
