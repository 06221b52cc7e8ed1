import type { HistogramBuckets, BucketCounts } from '../../../../../../src/telemetry/metric-distributions.js';
import { exponentialOf } from '../../../../diagnostics/support/naive-histogram.js';

/**
 * A histogram as numbers of observations by a value that stands for their bucket: of explicit ones the index, of
 * exponential ones (without `bounds`, and of threshold 0) the middle.
 */
export interface Cells {
  readonly bounds?: readonly number[];
  readonly scale: number;
  readonly counts: ReadonlyMap<number, number>;
}

export function cellsOf(buckets: HistogramBuckets): Cells {
  if (buckets.kind === 'explicit')
    return { bounds: buckets.bounds, scale: 0, counts: new Map(buckets.counts.map((count, i) => [i, count])) };
  const { scale, zeroCount, positive, negative } = buckets;
  const sided = ({ offset, counts }: BucketCounts, sign: 1 | -1) =>
    counts.map((count, i): [number, number] => [sign * 2 ** ((offset + i + 0.5) * 2 ** -scale), count]);
  return { scale, counts: new Map([[0, zeroCount], ...sided(positive, 1), ...sided(negative, -1)]) };
}

/** Of exponential ones every observation is counted into the buckets of the coarsest scale. */
export function sumOf(all: readonly Cells[]): Cells {
  const scale = Math.min(...all.map((each) => each.scale));
  const counts = new Map<number, number>();
  for (const each of all) for (const [cell, count] of each.counts) counts.set(cell, (counts.get(cell) ?? 0) + count);
  const [{ bounds }] = all;
  return bounds === undefined ? cellsOf(exponentialOf(observations(counts), scale)) : { bounds, scale, counts };
}

/** Undefined where a count fell, or no bound is the same. */
export function difference(after: Cells, previous: Cells): Cells | undefined {
  if ((after.bounds === undefined) !== (previous.bounds === undefined)) return undefined;
  const common = after.bounds?.filter((bound) => previous.bounds?.includes(bound));
  if (common?.length === 0) return undefined;
  const [newer, older] = [withBounds(after, common), withBounds(previous, common)];
  const nothing = { bounds: newer.bounds, scale: Math.min(newer.scale, older.scale), counts: new Map() };
  const isNothing = observations(older.counts).length === 0;
  const [all, before] = isNothing ? [newer, older] : [sumOf([newer, nothing]), sumOf([older, nothing])];
  const counts = new Map(all.counts);
  for (const [cell, count] of before.counts) counts.set(cell, (counts.get(cell) ?? 0) - count);
  return [...counts.values()].some((count) => count < 0) ? undefined : { ...all, counts };
}

/** The same observations in fewer buckets: each in the first whose bound is not below its own. */
function withBounds(cells: Cells, bounds: readonly number[] | undefined): Cells {
  if (bounds === undefined) return cells;
  const counts = new Map<number, number>();
  for (const [cell, count] of cells.counts) {
    const bound = cells.bounds?.[cell] ?? Infinity;
    const found = bounds.findIndex((each) => each >= bound);
    const at = found < 0 ? bounds.length : found;
    counts.set(at, (counts.get(at) ?? 0) + count);
  }
  return { ...cells, bounds, counts };
}

export function bucketsOf({ bounds, scale, counts }: Cells): HistogramBuckets {
  if (bounds !== undefined)
    return { kind: 'explicit', bounds, counts: [...bounds, Infinity].map((_, i) => counts.get(i) ?? 0) };
  return exponentialOf(observations(counts), scale);
}

function observations(counts: ReadonlyMap<number, number>): number[] {
  return [...counts].flatMap(([cell, count]) => new Array<number>(count).fill(cell));
}
