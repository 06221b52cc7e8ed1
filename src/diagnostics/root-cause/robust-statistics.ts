/**
 * Compares values before and after a moment. Robust to outlier minutes: a centre is a weighted median, a spread the
 * median distance from it (MAD, Rousseeuw and Croux 1993; × 1.4826 estimates the standard deviation of a normal
 * distribution).
 */
const MAD_TO_SIGMA = 1.4826;

/** Divides buckets by index: 0 ≤ i < past is before the moment, at ≤ i < to after it. */
export interface Split {
  readonly past: number;
  readonly at: number;
  readonly to: number;
}

export interface MeanShift {
  readonly before: number;
  readonly after: number;
  /** Total weights on both sides; for means the number of values. */
  readonly weightBefore: number;
  readonly weightAfter: number;
  /** Standard error of `after − before`. */
  readonly error: number;
}

/** Minimum spread relative to the centre: a deviation by a tenth is not significant. */
export const MIN_RELATIVE_SPREAD = 0.1;
/** Spread relative to the centre that is assumed with fewer than three buckets. */
const ASSUMED_SPREAD = 0.3;

/**
 * Change of a mean, from sums and counts by bucket. Its error has three parts: the usual variation between buckets, the
 * sampling error of exponentially distributed values, and MIN_RELATIVE_SPREAD. Undefined if either side has no values.
 * `estimatedFrom`: the values are differences of two means, of which the larger one usually is this: both have an error.
 */
export function estimateMeanShift(
  sum: Float64Array,
  count: Float64Array,
  split: Split,
  estimatedFrom?: number,
): MeanShift | undefined {
  const before = computeCentre(sum, count, 0, split.past);
  const after = computeCentre(sum, count, split.at, split.to);
  if (before === undefined || after === undefined) return undefined;
  const level = lastingLevel(sum, count, split, before.value, after.value);
  const sampling =
    estimatedFrom === undefined
      ? before.value ** 2 / before.weight + (before.value * level) / after.weight
      : 2 * (estimatedFrom ** 2 / before.weight + (estimatedFrom * (estimatedFrom + level)) / after.weight);
  const error = Math.sqrt(before.spread ** 2 * (1 + 1 / before.bucketCount) + sampling);
  return { before: before.value, after: level, weightBefore: before.weight, weightAfter: after.weight, error };
}

export interface Centre {
  readonly value: number;
  readonly spread: number;
  readonly weight: number;
  readonly bucketCount: number;
}

/**
 * Weighted median of sum / count over the buckets with values, and their spread around it. Undefined without values.
 */
export function computeCentre(sum: Float64Array, count: Float64Array, from: number, to: number): Centre | undefined {
  const bucketCount = gatherRates(sum, count, from, to);
  if (bucketCount === 0) return undefined;
  const weight = sumRange(weights, 0, bucketCount);
  const value = weightedMedian(bucketCount, weight);
  const assumed = ASSUMED_SPREAD * Math.abs(value);
  for (let i = 0; i < bucketCount; i++) values[i] = Math.abs(values[i] - value);
  const mad = MAD_TO_SIGMA * weightedMedian(bucketCount, weight);
  const spread = bucketCount < 3 ? Math.max(assumed, mad) : Math.max(mad, MIN_RELATIVE_SPREAD * Math.abs(value));
  return { value, spread, weight, bucketCount };
}

/** Scratch arrays for the buckets of one comparison, overwritten by the next. */
let values = new Float64Array(256);
let weights = new Float64Array(256);

/** Fills the scratch arrays with rates and weights of the buckets with exposure; returns their number. */
function gatherRates(sum: Float64Array, count: Float64Array, from: number, to: number): number {
  if (to - from > values.length)
    [values, weights] = [new Float64Array(2 * (to - from)), new Float64Array(2 * (to - from))];
  let bucketCount = 0;
  for (let i = from; i < to; i++) {
    if (count[i] <= 0) continue;
    values[bucketCount] = sum[i] / count[i];
    weights[bucketCount++] = count[i];
  }
  return bucketCount;
}

/**
 * Sorts the scratch arrays by value (insertion sort, as there are only dozens); returns the smallest value that, with
 * all smaller ones, has half of the weight.
 */
function weightedMedian(bucketCount: number, weight: number): number {
  sortScratch(bucketCount);
  let cumulativeWeight = 0;
  for (let i = 0; i < bucketCount; i++) {
    cumulativeWeight += weights[i];
    if (cumulativeWeight >= weight / 2) return values[i];
  }
  return values[bucketCount - 1];
}

function sortScratch(bucketCount: number): void {
  for (let i = 1; i < bucketCount; i++) {
    const [value, weight] = [values[i], weights[i]];
    let at = i;
    for (; at > 0 && values[at - 1] > value; at--) {
      values[at] = values[at - 1];
      weights[at] = weights[at - 1];
    }
    values[at] = value;
    weights[at] = weight;
  }
}

/**
 * Lasting level after the moment: the mean or the median bucket, whichever is closer to the level before. An outlier
 * bucket affects the mean but not the median; buckets from before the true onset affect the mean.
 */
function lastingLevel(
  sum: Float64Array,
  count: Float64Array,
  { at, to }: Split,
  before: number,
  median: number,
): number {
  const mean = sumRange(sum, at, to) / sumRange(count, at, to);
  return Math.abs(mean - before) < Math.abs(median - before) ? mean : median;
}

export function sumRange(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return sum;
}

export interface RateChange {
  /** Events per unit of exposure. */
  readonly before: number;
  readonly after: number;
  readonly count: number;
  readonly expected: number;
  readonly exposure: number;
  /** Root of the deviance, with the sign of the change: a standard score unless counts are small. */
  readonly score: number;
}

/** A smaller relative change is not significant, however many events confirm it. */
const MIN_RELATIVE_CHANGE = 0.05;
/** Share of the previous exposure, that with the highest rates, to exclude: earlier faults and bursts. */
const TRIMMED_SHARE = 0.2;
/** Dispersion (variance over mean) assumed for mixed traffic, and its weight in number of buckets. */
const ASSUMED_DISPERSION = 2;
const ASSUMED_BUCKETS = 2;

/**
 * Scores a change in the rate of events for a given exposure (requests, calls of the parent): the deviance of the
 * Poisson distribution, 2(k ln(k/E) − k + E), divided by the dispersion of the buckets themselves (quasi-likelihood,
 * Wedderburn 1974). The rate after the onset is that of the median bucket, so that a burst does not count. The
 * expectation is moved by half an event towards it, so that a short history gives a low score. Undefined if either side
 * has no exposure.
 */
export function scoreRateChange(count: Float64Array, exposure: Float64Array, split: Split): RateChange | undefined {
  const history = sumRange(exposure, 0, split.past);
  const { value: median, weight } = computeCentre(count, exposure, split.at, split.to) ?? { value: 0, weight: 0 };
  if (history <= 0 || weight <= 0) return undefined;
  const before = computeTrimmedRate(count, exposure, split);
  const after = lastingLevel(count, exposure, split, before, median);
  const k = after * weight;
  const rises = after > before;
  const half = (0.5 * weight) / history;
  const expected = rises
    ? before * weight * (1 + MIN_RELATIVE_CHANGE) + half
    : before * weight * (1 - MIN_RELATIVE_CHANGE) - half;
  const deviates = expected > 0 && k > expected === rises;
  const deviance = deviates
    ? poissonDeviance(k, expected) / estimateDispersion(count, exposure, before, after, split)
    : 0;
  const isSignificant = deviates && rateRatioDeviance(before * history, history, k, weight) >= MIN_RATIO_SCORE ** 2;
  return {
    before,
    after,
    count: k,
    expected: before * weight,
    exposure: weight,
    score: isSignificant ? Math.sqrt(deviance) * (rises ? 1 : -1) : 0,
  };
}

/** Two rates with a lower standard score are not distinguishable. */
const MIN_RATIO_SCORE = 2;

/**
 * Deviance of two Poisson counts with a common rate: given their sum, the later one is binomial with the share of its
 * exposure (Przyborowski and Wilenski, Biometrika 1940). Unlike a comparison with an expectation it accounts for a
 * short history.
 */
export function rateRatioDeviance(before: number, history: number, after: number, exposure: number): number {
  const rate = (before + after) / (history + exposure);
  return rate <= 0 ? 0 : poissonDeviance(before, rate * history) + poissonDeviance(after, rate * exposure);
}

/**
 * Deviance of the case that all later buckets are above all earlier ones, by chance one of all orders (the exact test of
 * Wilcoxon, Biometrics Bulletin 1945), 2 ln of the binomial coefficient: however large a difference is, a few values
 * prove no more.
 */
export function rankDeviance(before: number, after: number): number {
  let logarithm = 0;
  for (let i = 1; i <= after; i++) logarithm += Math.log((before + i) / i);
  return 2 * logarithm;
}

/** Tolerated share of missing events: children may also arrive late or get lost. */
const TOLERATED_LOSS = 0.02;

/**
 * Scores missing events, ≥ 0. If there was exactly one (two, …) for each unit of exposure, as for calls and messages on
 * an unconditional path, every missing one counts; otherwise it is a rate below its expectation.
 */
export function scoreMissingEvents(count: Float64Array, exposure: Float64Array, split: Split): RateChange | undefined {
  const usual = computeCentre(count, exposure, 0, split.past);
  if (usual === undefined || usual.value <= 0) return undefined;
  const times = Math.round(usual.value);
  if (times === 0 || !isAlways(times, count, exposure, split.past))
    return negateScore(scoreRateChange(count, exposure, split));
  const absent = count.map((each, i) => Math.max(0, times * exposure[i] * (1 - TOLERATED_LOSS) - each));
  const absence = scoreRateChange(absent, exposure, split);
  if (absence === undefined) return undefined;
  const expected = times * absence.exposure;
  return { ...absence, before: times, after: times - absence.after, count: expected - absence.count, expected };
}

/** Buckets that must agree on a number of events above one, unless they agree exactly: few agree by chance. */
const MIN_AGREEING_BUCKETS = 3;

/** True if there were exactly `times` events for each unit of exposure, bucket by bucket. */
function isAlways(times: number, count: Float64Array, exposure: Float64Array, past: number): boolean {
  let [deviation, total, bucketCount] = [0, 0, 0];
  for (let i = 0; i < past; i++) {
    if (exposure[i] <= 0) continue;
    bucketCount++;
    total += times * exposure[i];
    deviation += Math.abs(count[i] - times * exposure[i]);
  }
  if (times > 1 && bucketCount < MIN_AGREEING_BUCKETS) return deviation === 0;
  return deviation <= TOLERATED_LOSS * total;
}

function negateScore(change: RateChange | undefined): RateChange | undefined {
  return change === undefined ? undefined : { ...change, score: -change.score };
}

export function poissonDeviance(k: number, expected: number): number {
  return 2 * ((k > 0 ? k * Math.log(k / expected) : 0) - (k - expected));
}

/** Buckets scatter more than this times a Poisson distribution where there were bursts. */
const BURSTY_DISPERSION = 2;

/**
 * Events per exposure, if there were bursts without the buckets with the highest rates. Without bursts those buckets
 * are chance, and a rate without them would be too low: rare events would have none.
 */
function computeTrimmedRate(count: Float64Array, exposure: Float64Array, { past }: Split): number {
  const rate = sumRange(count, 0, past) / sumRange(exposure, 0, past);
  const squares = squaredResiduals(count, exposure, rate, 0, past);
  if (squares.reduce((sum, each) => sum + each, 0) <= BURSTY_DISPERSION * (squares.length - 1)) return rate;
  const bucketCount = gatherRates(count, exposure, 0, past);
  sortScratch(bucketCount);
  const keptExposure = sumRange(weights, 0, bucketCount) * (1 - TRIMMED_SHARE);
  let remaining = keptExposure;
  let events = 0;
  for (let i = 0; i < bucketCount && remaining > 0; i++) {
    const taken = Math.min(remaining, weights[i]);
    events += taken * values[i];
    remaining -= taken;
  }
  return events / keptExposure;
}

/**
 * Mean squared Pearson residual of the buckets on each side around its own rate, without the most extreme fifth; at
 * least 1, and at least the number of events that occur together in one unit of exposure.
 */
function estimateDispersion(
  count: Float64Array,
  exposure: Float64Array,
  before: number,
  after: number,
  { past, at, to }: Split,
): number {
  const squares = [
    ...squaredResiduals(count, exposure, before, 0, past),
    ...squaredResiduals(count, exposure, after, at, to),
  ].sort((a, b) => a - b);
  const trimmed = squares.slice(0, Math.ceil(squares.length * (1 - TRIMMED_SHARE)));
  const mean =
    (trimmed.reduce((sum, each) => sum + each, 0) + ASSUMED_BUCKETS * ASSUMED_DISPERSION) /
    (trimmed.length + ASSUMED_BUCKETS);
  return Math.max(1, mean, Math.min(before, after));
}

function squaredResiduals(
  count: Float64Array,
  exposure: Float64Array,
  rate: number,
  from: number,
  to: number,
): number[] {
  const squares: number[] = [];
  for (let i = from; i < to; i++)
    if (exposure[i] > 0) squares.push(rate > 0 ? (count[i] - rate * exposure[i]) ** 2 / (rate * exposure[i]) : 0);
  return squares;
}
