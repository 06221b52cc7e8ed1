import { DURATION_BUCKETS } from '../../../../src/queries/query/duration-buckets.js';

/** A rectangle of a heatmap: half-open ranges of times (ms since 1970) and durations (ms). */
export interface HeatmapSelection {
  readonly from: number;
  readonly to: number;
  readonly minMs: number;
  readonly maxMs: number;
}

export interface HeatmapCell {
  /** Index of the step, and of the bucket from the bottom. */
  readonly column: number;
  readonly row: number;
  readonly count: number;
}

export interface Heatmap {
  /** Starts of the steps, ms since 1970, and the end of the last one. */
  readonly times: readonly number[];
  /** Lower bounds of the buckets in ms, ascending, and the upper bound of the last one. */
  readonly bounds: readonly number[];
  readonly cells: readonly HeatmapCell[];
  readonly most: number;
}

/** Upper bound of the last bucket that there is. */
const LONGEST_MS = 1e12;

interface BucketSeries {
  readonly group: readonly unknown[];
  readonly points: readonly (readonly unknown[])[];
}

/** The cells of the counts by bucket and step. Buckets between the fastest and the slowest span have a row each. */
export function buildHeatmap(series: readonly BucketSeries[], stepMs: number): Heatmap {
  const starts = (series[0]?.points ?? []).map(([time]) => Date.parse(String(time)));
  const indexes = series.map(({ group: [bound] }) => DURATION_BUCKETS.indexOf(Number(bound)));
  const rows = listRows(indexes);
  const cells = series.flatMap(({ points }, at) =>
    points.flatMap(([, count], column) =>
      Number(count) > 0 ? [{ column, row: rows.indexOf(indexes.at(at) ?? 0), count: Number(count) }] : [],
    ),
  );
  const top = rows.at(-1);
  return {
    times: starts.length === 0 ? [] : [...starts, starts.at(-1)! + stepMs],
    bounds: top === undefined ? [] : [...rows.map(boundAt), DURATION_BUCKETS.at(top + 1) ?? LONGEST_MS],
    cells,
    most: Math.max(0, ...cells.map(({ count }) => count)),
  };
}

const boundAt = (bucket: number): number => DURATION_BUCKETS.at(bucket) ?? LONGEST_MS;

/** Buckets from the lowest to the highest one. That of spans without duration lies directly below the others. */
function listRows(indexes: readonly number[]): readonly number[] {
  const [zero, others] = [indexes.filter((index) => index === 0), indexes.filter((index) => index > 0)];
  if (others.length === 0) return zero.slice(0, 1);
  const [lowest, highest] = [Math.min(...others), Math.max(...others)];
  return [...zero.slice(0, 1), ...Array.from({ length: highest - lowest + 1 }, (_, at) => lowest + at)];
}

/** The whole cells that a rectangle touches. Its corners are fractions of the width from the left and of the height from the bottom. */
export function selectCells(
  { times, bounds }: Pick<Heatmap, 'times' | 'bounds'>,
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
): HeatmapSelection {
  const [columns, rows] = [times.length - 1, bounds.length - 1];
  const toIndex = (fraction: number, count: number): number =>
    Math.min(count - 1, Math.max(0, Math.floor(fraction * count)));
  const [left, right] = [toIndex(Math.min(x1, x2), columns), toIndex(Math.max(x1, x2), columns)];
  const [bottom, top] = [toIndex(Math.min(y1, y2), rows), toIndex(Math.max(y1, y2), rows)];
  return {
    from: times.at(left) ?? 0,
    to: times.at(right + 1) ?? 0,
    minMs: bounds.at(bottom) ?? 0,
    maxMs: bounds.at(top + 1) ?? LONGEST_MS,
  };
}

/** The condition of the spans in a rectangle. */
export function writeSelection({ from, to, minMs, maxMs }: HeatmapSelection): string {
  const [start, end] = [from, to].map((at) => new Date(at).toISOString());
  return `time >= "${start}" and time < "${end}" and duration >= ${minMs}ms and duration < ${maxMs}ms`;
}
