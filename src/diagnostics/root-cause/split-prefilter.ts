import { MIN_RELATIVE_SPREAD, poissonDeviance } from './robust-statistics.js';

/**
 * Result of an inexpensive check of a series before the robust comparison, which sorts: most series never change, and
 * for others it identifies the splits to compare. It only uses sums and is conservative: the mean after a split bounds
 * the lasting level, the lowest of three means the median before. 1 at each split worth comparing.
 */
export type CandidateSplits = Uint8Array;

/** Lower standard scores are never reported. */
const MIN_SCORE = 2.5;
/** Number of history buckets from which on three means approximate a median. */
const MIN_HISTORY_BUCKETS = 6;

interface Bounds {
  readonly lowest: number;
  readonly highest: number;
  readonly weight: number;
}

/** Splits from which on a mean may have risen; undefined if there are none. */
export function findMeanRiseSplits(
  sum: Float64Array,
  weight: Float64Array,
  first: number,
): CandidateSplits | undefined {
  return findSplits(sum, weight, first, (after, n, { lowest, weight: history }) => {
    const variance = (MIN_RELATIVE_SPREAD * lowest) ** 2 + lowest ** 2 / history + (lowest * after) / n;
    return after > lowest && (after - lowest) ** 2 >= MIN_SCORE ** 2 * variance;
  });
}

/** Splits from which on a measured (not sampled) level may be higher; undefined if there are none. */
export function findLevelRiseSplits(
  sum: Float64Array,
  weight: Float64Array,
  first: number,
): CandidateSplits | undefined {
  return findSplits(
    sum,
    weight,
    first,
    (after, _, { lowest }) => after >= (1 + MIN_SCORE * MIN_RELATIVE_SPREAD) * lowest && after > 0,
  );
}

/**
 * Splits from which on a mean may have fallen to at most `share` of its previous value; undefined if there are none.
 */
export function findMeanFallSplits(
  sum: Float64Array,
  weight: Float64Array,
  first: number,
  share: number,
): CandidateSplits | undefined {
  return findSplits(sum, weight, first, (after, _, { highest }) => after <= share * highest);
}

/** Splits from which on the number of events may have risen; undefined if there are none. */
export function findCountRiseSplits(
  count: Float64Array,
  exposure: Float64Array,
  first: number,
): CandidateSplits | undefined {
  if (!hasAny(count, first)) return undefined;
  return findSplits(count, exposure, first, (rate, n, { lowest, weight }) => {
    const expected = (lowest + 0.5 / weight) * n;
    return rate * n > expected && poissonDeviance(rate * n, expected) >= MIN_SCORE ** 2;
  });
}

/**
 * Splits from which on the number of events may have fallen, or events that always occur are missing; undefined if
 * there are none.
 */
export function findCountFallSplits(
  count: Float64Array,
  exposure: Float64Array,
  first: number,
): CandidateSplits | undefined {
  return findSplits(count, exposure, first, (rate, n, { highest, weight }) => {
    if (isNearWholeNumber(highest)) return n * (Math.round(highest) - rate) > 1;
    const expected = (highest - 0.5 / weight) * n;
    return rate * n < expected && poissonDeviance(rate * n, expected) >= MIN_SCORE ** 2;
  });
}

/** Union of two results. */
export function mergeSplits(
  a: CandidateSplits | undefined,
  b: CandidateSplits | undefined,
): CandidateSplits | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.map((each, i) => each | b[i]);
}

type SplitTest = (after: number, weightAfter: number, before: Bounds) => boolean;

function findSplits(
  sum: Float64Array,
  weight: Float64Array,
  first: number,
  test: SplitTest,
): CandidateSplits | undefined {
  const history = computeHistoryBounds(sum, weight, first);
  let splits: CandidateSplits | undefined;
  let [sumAfter, weightAfter] = [0, 0];
  for (let at = sum.length - 1; at >= first; at--) {
    sumAfter += sum[at];
    weightAfter += weight[at];
    if (weight[at] <= 0) continue;
    const before = history ?? computeBoundsBefore(sum, weight, at);
    if (before.weight > 0 && test(sumAfter / weightAfter, weightAfter, before))
      (splits ??= new Uint8Array(sum.length))[at] = 1;
  }
  return splits;
}

/** Lowest and highest mean of three parts of the history before the window; undefined for a short history. */
function computeHistoryBounds(sum: Float64Array, weight: Float64Array, first: number): Bounds | undefined {
  let bucketCount = 0;
  let total = 0;
  for (let i = 0; i < first; i++) {
    if (weight[i] <= 0) continue;
    bucketCount++;
    total += weight[i];
  }
  if (bucketCount < MIN_HISTORY_BUCKETS) return undefined;
  let [lowest, highest, s, w] = [Infinity, -Infinity, 0, 0];
  for (let i = 0; i < first; i++) {
    s += sum[i];
    w += weight[i];
    if (w < total / 3) continue;
    lowest = Math.min(lowest, s / w);
    highest = Math.max(highest, s / w);
    [s, w] = [0, 0];
  }
  return { lowest, highest, weight: total };
}

function computeBoundsBefore(sum: Float64Array, weight: Float64Array, at: number): Bounds {
  let [lowest, highest, total] = [Infinity, -Infinity, 0];
  for (let i = 0; i < at; i++) {
    if (weight[i] <= 0) continue;
    lowest = Math.min(lowest, sum[i] / weight[i]);
    highest = Math.max(highest, sum[i] / weight[i]);
    total += weight[i];
  }
  return { lowest, highest, weight: total };
}

function hasAny(values: Float64Array, from: number): boolean {
  for (let i = from; i < values.length; i++) if (values[i] > 0) return true;
  return false;
}

/** Like the tolerance of scoreMissingEvents for "always". */
function isNearWholeNumber(rate: number): boolean {
  return rate >= 0.5 && Math.abs(rate - Math.round(rate)) <= 0.05 * rate;
}
