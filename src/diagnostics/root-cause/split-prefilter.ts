import { MIN_RELATIVE_SPREAD, poissonDeviance } from './robust-statistics.js';

/**
 * A cheap look at every series before the robust comparison, which sorts: most series never change, and of those that do
 * it tells at which splits. By sums alone, and generous: the mean after a split bounds what lasts, the lowest of three means
 * the median before. 1 at a split that is worth the comparison.
 */
export type CandidateSplits = Uint8Array;

/** Standard scores below this come to nothing. */
const LEAST_SCORE = 2.5;
/** Stretches of history from which on three means stand for a median. */
const ENOUGH_HISTORY = 6;

interface Bounds {
  readonly lowest: number;
  readonly highest: number;
  readonly weight: number;
}

/** Splits from which on a mean may have risen. Undefined for none. */
export function findMeanRiseSplits(
  sum: Float64Array,
  weight: Float64Array,
  first: number,
): CandidateSplits | undefined {
  return findSplits(sum, weight, first, (after, n, { lowest, weight: history }) => {
    const variance = (MIN_RELATIVE_SPREAD * lowest) ** 2 + lowest ** 2 / history + (lowest * after) / n;
    return after > lowest && (after - lowest) ** 2 >= LEAST_SCORE ** 2 * variance;
  });
}

/** Splits from which on the level of something that is measured, not sampled, may be higher. */
export function findLevelRiseSplits(
  sum: Float64Array,
  weight: Float64Array,
  first: number,
): CandidateSplits | undefined {
  return findSplits(
    sum,
    weight,
    first,
    (after, _, { lowest }) => after >= (1 + LEAST_SCORE * MIN_RELATIVE_SPREAD) * lowest && after > 0,
  );
}

/** Splits from which on a mean may have fallen to a share of what it was. */
export function findMeanFallSplits(
  sum: Float64Array,
  weight: Float64Array,
  first: number,
  share: number,
): CandidateSplits | undefined {
  return findSplits(sum, weight, first, (after, _, { highest }) => after <= share * highest);
}

/** Splits from which on events may have become more. */
export function findCountRiseSplits(
  count: Float64Array,
  exposure: Float64Array,
  first: number,
): CandidateSplits | undefined {
  if (!hasAny(count, first)) return undefined;
  return findSplits(count, exposure, first, (rate, n, { lowest, weight }) => {
    const expected = (lowest + 0.5 / weight) * n;
    return rate * n > expected && poissonDeviance(rate * n, expected) >= LEAST_SCORE ** 2;
  });
}

/** Splits from which on events may have become fewer, or some of those that always come are missing. */
export function findCountFallSplits(
  count: Float64Array,
  exposure: Float64Array,
  first: number,
): CandidateSplits | undefined {
  return findSplits(count, exposure, first, (rate, n, { highest, weight }) => {
    if (isNearWholeNumber(highest)) return n * (Math.round(highest) - rate) > 1;
    const expected = (highest - 0.5 / weight) * n;
    return rate * n < expected && poissonDeviance(rate * n, expected) >= LEAST_SCORE ** 2;
  });
}

/** Either of two. */
export function uniteSplits(
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
  let found: CandidateSplits | undefined;
  let [sumAfter, weightAfter] = [0, 0];
  for (let at = sum.length - 1; at >= first; at--) {
    sumAfter += sum[at];
    weightAfter += weight[at];
    if (weight[at] <= 0) continue;
    const before = history ?? computeBoundsBefore(sum, weight, at);
    if (before.weight > 0 && test(sumAfter / weightAfter, weightAfter, before))
      (found ??= new Uint8Array(sum.length))[at] = 1;
  }
  return found;
}

/** Lowest and highest mean of the three parts of what came before the window; undefined where that is little. */
function computeHistoryBounds(sum: Float64Array, weight: Float64Array, first: number): Bounds | undefined {
  let stretches = 0;
  let total = 0;
  for (let i = 0; i < first; i++) {
    if (weight[i] <= 0) continue;
    stretches++;
    total += weight[i];
  }
  if (stretches < ENOUGH_HISTORY) return undefined;
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

/** Within what surpriseOfAbsence takes for "always". */
function isNearWholeNumber(rate: number): boolean {
  return rate >= 0.5 && Math.abs(rate - Math.round(rate)) <= 0.05 * rate;
}
