import { DURATION_BUCKETS, durationBucketEnd, listHeatmapRows } from '../../../src/diagnostics/duration-buckets.js';

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

/** The spans of one bucket in each step of the range. */
interface BucketCounts {
  /** Lower bound in ms. */
  readonly bound: number;
  /** By time (ms since 1970); the same times in all buckets. No count is none. */
  readonly points: readonly { readonly at: number; readonly count: number | undefined }[];
}

/** The cells of the counts by bucket and step. Buckets between the fastest and the slowest span have a row each. */
export function buildHeatmap(series: readonly BucketCounts[], stepMs: number): Heatmap {
  const starts = (series[0]?.points ?? []).map(({ at }) => at);
  const indexes = series.map(({ bound }) => DURATION_BUCKETS.indexOf(bound));
  const rows = listHeatmapRows(indexes);
  const cells = series.flatMap(({ points }, at) =>
    points.flatMap(({ count = 0 }, column) =>
      count > 0 ? [{ column, row: rows.indexOf(indexes.at(at) ?? 0), count }] : [],
    ),
  );
  const top = rows.at(-1);
  return {
    times: starts.length === 0 ? [] : [...starts, starts.at(-1)! + stepMs],
    bounds: top === undefined ? [] : [...rows.map((row) => DURATION_BUCKETS.at(row)!), durationBucketEnd(top)],
    cells,
    most: Math.max(0, ...cells.map(({ count }) => count)),
  };
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
    maxMs: bounds.at(top + 1) ?? Infinity,
  };
}

/** The condition of the spans in a rectangle. */
export function writeSelection({ from, to, minMs, maxMs }: HeatmapSelection): string {
  const [start, end] = [from, to].map((at) => new Date(at).toISOString());
  return `time >= "${start}" and time < "${end}" and duration >= ${minMs}ms and duration < ${maxMs}ms`;
}
