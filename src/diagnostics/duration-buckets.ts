/** Ten steps to each power of ten. */
const MANTISSAS = [1, 1.26, 1.58, 2, 2.51, 3.16, 3.98, 5.01, 6.31, 7.94] as const;
/** From a nanosecond to over a hundred days, in powers of ten of milliseconds. */
const [FIRST_POWER, LAST_POWER] = [-6, 10];

/** Lower bounds of the buckets of durations, in ms, ascending; the first one is 0. */
export const DURATION_BUCKETS: readonly number[] = [
  0,
  ...Array.from({ length: LAST_POWER - FIRST_POWER }, (_, at) => FIRST_POWER + at).flatMap((power) =>
    MANTISSAS.map((mantissa) => Number(`${mantissa}e${power}`)),
  ),
];

/** Index of the bucket that a duration (ms) falls into: the last one whose lower bound does not exceed it. */
export function findDurationBucket(ms: number): number {
  let [low, high] = [0, DURATION_BUCKETS.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((DURATION_BUCKETS.at(middle) ?? 0) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Upper bound (ms) of a bucket; that of the last one is beyond all durations. */
export function durationBucketEnd(index: number): number {
  return DURATION_BUCKETS.at(index + 1) ?? LONGEST_MS;
}

const LONGEST_MS = 1e12;

/**
 * The buckets that a heatmap shows, ascending: all from the lowest to the highest of these indexes. That of spans without
 * duration stands directly below the others, without those between.
 */
export function listHeatmapRows(indexes: readonly number[]): readonly number[] {
  const [zero, others] = [indexes.filter((index) => index === 0), indexes.filter((index) => index > 0)];
  if (others.length === 0) return zero.slice(0, 1);
  const [lowest, highest] = [Math.min(...others), Math.max(...others)];
  return [...zero.slice(0, 1), ...Array.from({ length: highest - lowest + 1 }, (_, at) => lowest + at)];
}
