/**
 * Comparison of what came before a moment with what came after it. All of it is robust against stray minutes: a centre is
 * a weighted median, a spread the median distance from it (MAD, Rousseeuw and Croux 1993; × 1.4826 estimates the standard
 * deviation of a normal distribution).
 */
const MAD_TO_SIGMA = 1.4826;

/** Stretches 0 ≤ i < past came before the moment, at ≤ i < to after it. */
export interface Split {
  readonly past: number;
  readonly at: number;
  readonly to: number;
}

export interface MeanShift {
  readonly before: number;
  readonly after: number;
  /** Weights on both sides: of means the number of values. */
  readonly weightBefore: number;
  readonly weightAfter: number;
  /** Standard error of `after − before`. */
  readonly error: number;
}

/** A spread is never taken for smaller than this share of its centre: a tenth up or down is no finding. */
export const MIN_RELATIVE_SPREAD = 0.1;
/** Taken for the spread, as a share of the centre, where fewer than three stretches tell it. */
const ASSUMED_SPREAD = 0.3;

/**
 * Change of a mean, of which sums and counts are known per stretch. The error has three parts: how much the mean differs
 * between stretches anyway, the sampling error of values that scatter like an exponential distribution, and LEAST_SPREAD.
 */
export function estimateMeanShift(sum: Float64Array, count: Float64Array, split: Split): MeanShift | undefined {
  const before = computeCentre(sum, count, 0, split.past);
  const after = computeCentre(sum, count, split.at, split.to);
  if (before === undefined || after === undefined) return undefined;
  const level = lastingLevel(sum, count, split, before.value, after.value);
  const sampling = before.value ** 2 / before.weight + (before.value * level) / after.weight;
  const error = Math.sqrt(before.spread ** 2 * (1 + 1 / before.stretches) + sampling);
  return { before: before.value, after: level, weightBefore: before.weight, weightAfter: after.weight, error };
}

export interface Centre {
  readonly value: number;
  readonly spread: number;
  readonly weight: number;
  readonly stretches: number;
}

/** Weighted median of sum / count over the stretches that have any, and their spread round it. */
export function computeCentre(sum: Float64Array, count: Float64Array, from: number, to: number): Centre | undefined {
  const stretches = gatherRates(sum, count, from, to);
  if (stretches === 0) return undefined;
  const weight = sumRange(weights, 0, stretches);
  const value = weightedMedian(stretches, weight);
  const assumed = ASSUMED_SPREAD * Math.abs(value);
  for (let i = 0; i < stretches; i++) values[i] = Math.abs(values[i] - value);
  const mad = MAD_TO_SIGMA * weightedMedian(stretches, weight);
  const spread = stretches < 3 ? Math.max(assumed, mad) : Math.max(mad, MIN_RELATIVE_SPREAD * Math.abs(value));
  return { value, spread, weight, stretches };
}

/** Room for the stretches of one comparison, used again and again: nothing is kept in it. */
let values = new Float64Array(256);
let weights = new Float64Array(256);

/** Fills the room with the rates of the stretches that have any exposure, and their weights; tells how many. */
function gatherRates(sum: Float64Array, count: Float64Array, from: number, to: number): number {
  if (to - from > values.length)
    [values, weights] = [new Float64Array(2 * (to - from)), new Float64Array(2 * (to - from))];
  let stretches = 0;
  for (let i = from; i < to; i++) {
    if (count[i] <= 0) continue;
    values[stretches] = sum[i] / count[i];
    weights[stretches++] = count[i];
  }
  return stretches;
}

/** Sorts the room by value (insertion: there are some dozens); the least value that with all smaller ones has half of the weight. */
function weightedMedian(stretches: number, weight: number): number {
  sortScratch(stretches);
  let seen = 0;
  for (let i = 0; i < stretches; i++) {
    seen += weights[i];
    if (seen >= weight / 2) return values[i];
  }
  return values[stretches - 1];
}

function sortScratch(stretches: number): void {
  for (let i = 1; i < stretches; i++) {
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
 * What lasts after the moment: the mean or the median stretch, whichever is nearer to what was before. One wild stretch
 * moves the mean but not the median; stretches from before the true onset move the mean.
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
  /** Per unit of exposure. */
  readonly before: number;
  readonly after: number;
  readonly count: number;
  readonly expected: number;
  readonly exposure: number;
  /** Root of the deviance, signed as the change: a standard score where counts are not small. */
  readonly score: number;
}

/** A change by less than this share is no finding, however many events prove it. */
const LEAST_CHANGE = 0.05;
/** Of the exposure before, the share with the highest rates that is left out: a fault that is over, a burst. */
const TRIMMED = 0.2;
/** Variance over mean of counts of mixed traffic where little is known, and the number of stretches that it weighs. */
const ASSUMED_DISPERSION = 2;
const ASSUMED_STRETCHES = 2;

/**
 * How surprising counts are, given how often the same came before for the same exposure (requests, calls of the parent):
 * the deviance of the Poisson distribution, 2(k ln(k/E) − k + E), over the dispersion that the stretches themselves show
 * (quasi-likelihood, Wedderburn 1974). What counts after the onset is the rate of its median stretch: a burst is no state.
 * The expectation is half an event nearer, so that little history gives little surprise.
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
  const expected = rises ? before * weight * (1 + LEAST_CHANGE) + half : before * weight * (1 - LEAST_CHANGE) - half;
  const isSurprise = expected > 0 && k > expected === rises;
  const deviance = isSurprise
    ? poissonDeviance(k, expected) / estimateDispersion(count, exposure, before, after, split)
    : 0;
  const isNews = isSurprise && rateRatioDeviance(before * history, history, k, weight) >= LEAST_NEWS ** 2;
  return {
    before,
    after,
    count: k,
    expected: before * weight,
    exposure: weight,
    score: isNews ? Math.sqrt(deviance) * (rises ? 1 : -1) : 0,
  };
}

/** Standard scores below this do not tell two rates apart. */
const LEAST_NEWS = 2;

/**
 * Deviance of two Poisson counts under one rate: given their sum, the later one is binomial with the share of its exposure
 * (Przyborowski and Wilenski, Biometrika 1940). Unlike a comparison with an expectation it knows how little a short past tells.
 */
export function rateRatioDeviance(before: number, history: number, after: number, exposure: number): number {
  const rate = (before + after) / (history + exposure);
  return rate <= 0 ? 0 : poissonDeviance(before, rate * history) + poissonDeviance(after, rate * exposure);
}

/** Absences beyond this share of the exposure count: children that arrive late or never are missing for a moment, too. */
const LOST = 0.02;

/**
 * How surprising it is that something is missing, ≥ 0. Where it came exactly once (twice, …) for each unit of exposure, as
 * calls and messages on a straight path do, every absence counts by itself; elsewhere it is a count below its expectation.
 */
export function scoreMissingEvents(count: Float64Array, exposure: Float64Array, split: Split): RateChange | undefined {
  const usual = computeCentre(count, exposure, 0, split.past);
  if (usual === undefined || usual.value <= 0) return undefined;
  const times = Math.round(usual.value);
  if (times === 0 || Math.abs(usual.value - times) > LOST * times)
    return negateScore(scoreRateChange(count, exposure, split));
  const absent = count.map((each, i) => Math.max(0, times * exposure[i] * (1 - LOST) - each));
  const surprise = scoreRateChange(absent, exposure, split);
  if (surprise === undefined) return undefined;
  const expected = times * surprise.exposure;
  return { ...surprise, before: times, after: times - surprise.after, count: expected - surprise.count, expected };
}

function negateScore(surprise: RateChange | undefined): RateChange | undefined {
  return surprise === undefined ? undefined : { ...surprise, score: -surprise.score };
}

export function poissonDeviance(k: number, expected: number): number {
  return 2 * ((k > 0 ? k * Math.log(k / expected) : 0) - (k - expected));
}

/** Events per exposure, those stretches left out that hold the highest rates. */
function computeTrimmedRate(count: Float64Array, exposure: Float64Array, { past }: Split): number {
  const stretches = gatherRates(count, exposure, 0, past);
  sortScratch(stretches);
  const kept = sumRange(weights, 0, stretches) * (1 - TRIMMED);
  let left = kept;
  let events = 0;
  for (let i = 0; i < stretches && left > 0; i++) {
    const taken = Math.min(left, weights[i]);
    events += taken * values[i];
    left -= taken;
  }
  return events / kept;
}

/**
 * Mean squared Pearson residual of the stretches of each side round its own rate, the most extreme fifth left out; at
 * least 1, and at least the number of events that come together in one unit of exposure.
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
  const kept = squares.slice(0, Math.ceil(squares.length * (1 - TRIMMED)));
  const mean =
    (kept.reduce((sum, each) => sum + each, 0) + ASSUMED_STRETCHES * ASSUMED_DISPERSION) /
    (kept.length + ASSUMED_STRETCHES);
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
