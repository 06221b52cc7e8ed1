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

export interface Shift {
  readonly before: number;
  readonly after: number;
  /** Weights on both sides: of means the number of values. */
  readonly weightBefore: number;
  readonly weightAfter: number;
  /** Standard error of `after − before`. */
  readonly error: number;
}

/** A spread is never taken for smaller than this share of its centre: a tenth up or down is no finding. */
const LEAST_SPREAD = 0.1;
/** Taken for the spread, as a share of the centre, where fewer than three stretches tell it. */
const ASSUMED_SPREAD = 0.3;

/**
 * Change of a mean, of which sums and counts are known per stretch. The error has three parts: how much the mean differs
 * between stretches anyway, the sampling error of values that scatter like an exponential distribution, and LEAST_SPREAD.
 */
export function shiftOfMean(sum: Float64Array, count: Float64Array, split: Split): Shift | undefined {
  const before = centre(sum, count, 0, split.past);
  const after = centre(sum, count, split.at, split.to);
  if (before === undefined || after === undefined) return undefined;
  const level = lasting(sum, count, split, before.value, after.value);
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
export function centre(sum: Float64Array, count: Float64Array, from: number, to: number): Centre | undefined {
  const values: number[] = [];
  const weights: number[] = [];
  let weight = 0;
  for (let i = from; i < to; i++) {
    if (count[i] <= 0) continue;
    values.push(sum[i] / count[i]);
    weights.push(count[i]);
    weight += count[i];
  }
  if (values.length === 0) return undefined;
  const value = weightedMedian(values, weights);
  const assumed = ASSUMED_SPREAD * Math.abs(value);
  const mad = MAD_TO_SIGMA * weightedMedian(values.map((each) => Math.abs(each - value)), weights);
  const spread = values.length < 3 ? Math.max(assumed, mad) : Math.max(mad, LEAST_SPREAD * Math.abs(value));
  return { value, spread, weight, stretches: values.length };
}

/**
 * What lasts after the moment: the mean or the median stretch, whichever is nearer to what was before. One wild stretch
 * moves the mean but not the median; stretches from before the true onset move the mean.
 */
function lasting(sum: Float64Array, count: Float64Array, { at, to }: Split, before: number, median: number): number {
  const mean = total(sum, at, to) / total(count, at, to);
  return Math.abs(mean - before) < Math.abs(median - before) ? mean : median;
}

export function total(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return sum;
}

/** The least value that together with all smaller ones has at least half of the weight. */
export function weightedMedian(values: readonly number[], weights: readonly number[]): number {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2;
  let seen = 0;
  for (const i of order) {
    seen += weights[i];
    if (seen >= half) return values[i];
  }
  return NaN;
}

export interface Surprise {
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
export function surpriseOf(count: Float64Array, exposure: Float64Array, split: Split): Surprise | undefined {
  const history = total(exposure, 0, split.past);
  const { value: median, weight } = centre(count, exposure, split.at, split.to) ?? { value: 0, weight: 0 };
  if (history <= 0 || weight <= 0) return undefined;
  const before = trimmedRate(count, exposure, split);
  const after = lasting(count, exposure, split, before, median);
  const k = after * weight;
  const rises = after > before;
  const half = (0.5 * weight) / history;
  const expected = rises ? before * weight * (1 + LEAST_CHANGE) + half : before * weight * (1 - LEAST_CHANGE) - half;
  const isSurprise = expected > 0 && k > expected === rises;
  const deviance = isSurprise ? poissonDeviance(k, expected) / dispersionOf(count, exposure, before, after, split) : 0;
  return { before, after, count: k, expected: before * weight, exposure: weight, score: Math.sqrt(deviance) * (rises ? 1 : -1) };
}

/** Absences beyond this share of the exposure count: children that arrive late or never are missing for a moment, too. */
const LOST = 0.02;

/**
 * How surprising it is that something is missing, ≥ 0. Where it came exactly once (twice, …) for each unit of exposure, as
 * calls and messages on a straight path do, every absence counts by itself; elsewhere it is a count below its expectation.
 */
export function surpriseOfAbsence(count: Float64Array, exposure: Float64Array, split: Split): Surprise | undefined {
  const usual = centre(count, exposure, 0, split.past);
  if (usual === undefined || usual.value <= 0) return undefined;
  const times = Math.round(usual.value);
  if (times === 0 || Math.abs(usual.value - times) > LOST * times) return flipped(surpriseOf(count, exposure, split));
  const absent = count.map((each, i) => Math.max(0, times * exposure[i] * (1 - LOST) - each));
  const surprise = surpriseOf(absent, exposure, split);
  if (surprise === undefined) return undefined;
  const expected = times * surprise.exposure;
  return { ...surprise, before: times, after: times - surprise.after, count: expected - surprise.count, expected };
}

function flipped(surprise: Surprise | undefined): Surprise | undefined {
  return surprise === undefined ? undefined : { ...surprise, score: -surprise.score };
}

export function poissonDeviance(k: number, expected: number): number {
  return 2 * ((k > 0 ? k * Math.log(k / expected) : 0) - (k - expected));
}

/** Events per exposure, those stretches left out that hold the highest rates. */
function trimmedRate(count: Float64Array, exposure: Float64Array, { past }: Split): number {
  const order = stretchesWith(exposure, 0, past).sort((a, b) => count[a] / exposure[a] - count[b] / exposure[b]);
  let left = total(exposure, 0, past) * (1 - TRIMMED);
  const kept = left;
  let events = 0;
  for (const i of order) {
    const taken = Math.min(left, exposure[i]);
    events += (taken * count[i]) / exposure[i];
    left -= taken;
  }
  return events / kept;
}

/**
 * Mean squared Pearson residual of the stretches of each side round its own rate, the most extreme fifth left out; at
 * least 1, and at least the number of events that come together in one unit of exposure.
 */
function dispersionOf(count: Float64Array, exposure: Float64Array, before: number, after: number, { past, at, to }: Split): number {
  const squares = [...residuals(count, exposure, before, 0, past), ...residuals(count, exposure, after, at, to)].sort((a, b) => a - b);
  const kept = squares.slice(0, Math.ceil(squares.length * (1 - TRIMMED)));
  const mean = (kept.reduce((sum, each) => sum + each, 0) + ASSUMED_STRETCHES * ASSUMED_DISPERSION) / (kept.length + ASSUMED_STRETCHES);
  return Math.max(1, mean, Math.min(before, after));
}

function residuals(count: Float64Array, exposure: Float64Array, rate: number, from: number, to: number): number[] {
  return stretchesWith(exposure, from, to).map((i) => (rate > 0 ? (count[i] - rate * exposure[i]) ** 2 / (rate * exposure[i]) : 0));
}

function stretchesWith(exposure: Float64Array, from: number, to: number): number[] {
  const found: number[] = [];
  for (let i = from; i < to; i++) if (exposure[i] > 0) found.push(i);
  return found;
}
