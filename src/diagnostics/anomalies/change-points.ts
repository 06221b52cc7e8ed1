/**
 * One point of a series. Counts: number of events and of minutes. Shares: number of hits and of trials. Measurements:
 * the value times its weight, and the weight, which is proportional to the inverse variance.
 */
export interface SeriesPoint {
  readonly sum: number;
  readonly weight: number;
}

/** Distribution of the points: counts are Poisson, shares binomial, measurements normal. */
export type NoiseFamily = 'poisson' | 'binomial' | 'normal';

export interface ChangePoint {
  /** Index of the first point after the change. */
  readonly index: number;
  /** Levels (sum by weight) of the segments before and after the change. */
  readonly before: number;
  readonly after: number;
  /** In standard errors. */
  readonly strength: number;
}

/**
 * In standard errors: noise, including normal fluctuations of traffic, rarely exceeds this without a change of level.
 */
const STEP_THRESHOLD = 4.5;

const MIN_POINTS = 4;

/** Block lengths for detecting longer fluctuations, and the number of blocks required for that. */
const BLOCK_LENGTHS = [3, 8];
const MIN_BLOCKS = 10;

/**
 * Detects where the level of a series changed, in order. Each candidate is the split of an interval by generalised
 * likelihood ratio (Worsley, Biometrika 70, 1983), in units of the scatter between adjacent points, which a step does
 * not increase. Intervals are those of seeded binary segmentation (Kovács, Bühlmann, Li, Munk, Biometrika 110, 2023)
 * and narrow ones have priority (narrowest-over-threshold: Baranowski, Chen, Fryzlewicz, JRSS B 81, 2019), so that
 * temporary levels are found as well as permanent ones. The caller must exclude gaps. Costs about 12 · n · log n
 * operations.
 */
export function detectChangePoints(
  points: readonly SeriesPoint[],
  family: NoiseFamily,
  threshold = STEP_THRESHOLD,
): readonly ChangePoint[] {
  if (points.length < MIN_POINTS) return [];
  const series = accumulate(points, family);
  if (series.noise === 0) return [];
  const candidates = buildSeededIntervals(points.length)
    .map(([from, to]) => findBestSplit(series, from, to))
    .filter(({ strength }) => strength > threshold);
  candidates.sort((a, b) => a.to - a.from - (b.to - b.from) || b.strength - a.strength || a.index - b.index);
  const chosen: number[] = [];
  for (const { from, to, index } of candidates)
    if (!chosen.some((other) => other > from && other < to)) chosen.push(index);
  const edges = [0, ...chosen.sort((a, b) => a - b), points.length];
  const indexes = edges
    .slice(1)
    .flatMap((to, i) => [...findSplits(series, edges[i], to, threshold), ...(to < points.length ? [to] : [])]);
  return refineChangePoints(series, indexes, threshold);
}

interface CumulativeSeries {
  readonly family: NoiseFamily;
  /** Sums and weights of all points before the i-th. */
  readonly sums: Float64Array;
  readonly weights: Float64Array;
  /**
   * Standard deviation between adjacent points relative to that of pure chance; at least 1 where the latter is known.
   */
  readonly noise: number;
}

interface Split {
  readonly from: number;
  readonly to: number;
  readonly index: number;
  readonly strength: number;
}

function accumulate(points: readonly SeriesPoint[], family: NoiseFamily): CumulativeSeries {
  const sums = new Float64Array(points.length + 1);
  const weights = new Float64Array(points.length + 1);
  points.forEach(({ sum, weight }, i) => {
    sums[i + 1] = sums[i] + sum;
    weights[i + 1] = weights[i] + weight;
  });
  return { family, sums, weights, noise: estimateNoise({ family, sums, weights }) };
}

/**
 * Scale of the differences between adjacent points: the median, or the 90th percentile if a few are much larger; and
 * the median between adjacent blocks, which is larger if fluctuations last for minutes (Wu and Zhao, JRSS B 69, 2007).
 * A step affects few differences, level and trend none.
 */
function estimateNoise(series: Omit<CumulativeSeries, 'noise'>): number {
  const points = series.sums.length - 1;
  const neighbours = blockDifferences(series, 1);
  const scales = [quantile(neighbours, 0.5) / 0.6745, quantile(neighbours, 0.9) / 1.6449];
  for (const length of BLOCK_LENGTHS)
    if (points >= MIN_BLOCKS * length) scales.push(quantile(blockDifferences(series, length), 0.5) / 0.6745);
  return Math.max(series.family === 'normal' ? 0 : 1, ...scales);
}

/**
 * Differences between each block of `length` points and the next one, in standard errors of pure chance; absolute,
 * ascending.
 */
function blockDifferences({ family, sums, weights }: Omit<CumulativeSeries, 'noise'>, length: number): Float64Array {
  const differences = new Float64Array(sums.length - 2 * length);
  for (let i = 0; i < differences.length; i++) {
    const [middle, end] = [i + length, i + 2 * length];
    const [left, right] = [weights[middle] - weights[i], weights[end] - weights[middle]];
    if (left <= 0 || right <= 0) continue;
    const level = (sums[end] - sums[i]) / (left + right);
    const variance = family === 'normal' ? 1 : family === 'poisson' ? level : level * (1 - level);
    const change = (sums[end] - sums[middle]) / right - (sums[middle] - sums[i]) / left;
    if (variance > 0) differences[i] = Math.abs(change) / Math.sqrt(variance * (1 / left + 1 / right));
  }
  return differences.sort();
}

function quantile(ascending: Float64Array, q: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(q * ascending.length))];
}

/** Intervals [from, to), halving in length per layer, each layer overlapping by half. */
function buildSeededIntervals(points: number): [from: number, to: number][] {
  const intervals: [number, number][] = [];
  for (let parts = 1; points / parts >= 2; parts *= 2) {
    const length = points / parts;
    const count = 2 * parts - 1;
    for (let i = 0; i < count; i++)
      intervals.push([Math.floor((i * length) / 2), Math.min(points, Math.ceil((i * length) / 2 + length))]);
  }
  return intervals;
}

function findBestSplit(series: CumulativeSeries, from: number, to: number): Split {
  let best = { from, to, index: from, strength: 0 };
  const unsplit = logLikelihood(series, from, to);
  let gain = 0;
  for (let index = from + 1; index < to; index++) {
    const currentGain = logLikelihood(series, from, index) + logLikelihood(series, index, to) - unsplit;
    if (currentGain > gain) {
      gain = currentGain;
      best = { from, to, index, strength: 0 };
    }
  }
  return { ...best, strength: Math.sqrt(2 * gain) / series.noise };
}

/** Recursively splits an interval: finds steps that another step hid from the wider intervals. */
function findSplits(series: CumulativeSeries, from: number, to: number, threshold: number): number[] {
  if (to - from < 2) return [];
  const { index, strength } = findBestSplit(series, from, to);
  return strength > threshold
    ? [...findSplits(series, from, index, threshold), index, ...findSplits(series, index, to, threshold)]
    : [];
}

/** Log-likelihood of a segment with its own level, without the terms common to all splits. */
function logLikelihood({ family, sums, weights }: CumulativeSeries, from: number, to: number): number {
  const sum = sums[to] - sums[from];
  const weight = weights[to] - weights[from];
  if (weight <= 0) return 0;
  if (family === 'normal') return (sum * sum) / (2 * weight);
  const hits = sum > 0 ? sum * Math.log(sum / weight) : 0;
  const misses = weight - sum;
  return family === 'binomial' && misses > 0 ? hits + misses * Math.log(misses / weight) : hits;
}

/** Moves each step to its strongest position between its neighbours and drops those below the threshold there. */
function refineChangePoints(series: CumulativeSeries, chosen: readonly number[], threshold: number): ChangePoint[] {
  const last = series.sums.length - 1;
  const refined: number[] = [];
  chosen.forEach((_, i) => {
    const split = findBestSplit(series, refined.at(-1) ?? 0, chosen[i + 1] ?? last);
    if (split.strength > threshold) refined.push(split.index);
  });
  const level = (from: number, to: number): number =>
    (series.sums[to] - series.sums[from]) / (series.weights[to] - series.weights[from]);
  return refined.map((index, i) => {
    const [from, to] = [refined[i - 1] ?? 0, refined[i + 1] ?? last];
    return {
      index,
      before: level(from, index),
      after: level(index, to),
      strength: findBestSplit(series, from, to).strength,
    };
  });
}
