/**
 * What one point of a series adds up to. Of counts: how many, in how many minutes. Of shares: how many, of how many.
 * Of measurements: the value times its weight, and the weight, which is the inverse of its variance up to a factor.
 */
export interface SeriesPoint {
  readonly sum: number;
  readonly weight: number;
}

/** How chance scatters the points: counts as Poisson does, shares as binomial, measurements as normal. */
export type NoiseFamily = 'poisson' | 'binomial' | 'normal';

export interface ChangePoint {
  /** Of the first point after it. */
  readonly index: number;
  /** Levels (sum by weight) between the steps on either side. */
  readonly before: number;
  readonly after: number;
  /** In standard errors. */
  readonly strength: number;
}

/** In standard errors: chance, also the usual unrest of traffic, leaves this behind only where the levels did change. */
const STEP_THRESHOLD = 4.5;

const FEWEST_POINTS = 4;

/** Points of the blocks that tell of unrest which lasts, and how many blocks it takes to tell. */
const BLOCKS = [3, 8];
const FEWEST_BLOCKS = 10;

/**
 * Where the level of a series changed, in order. Each candidate is the split of an interval by generalised likelihood ratio
 * (Worsley, Biometrika 70, 1983), in units of the scatter from point to point, which a step does not widen. Intervals are
 * those of seeded binary segmentation (Kovács, Bühlmann, Li, Munk, Biometrika 110, 2023) and narrow ones go first
 * (narrowest-over-threshold: Baranowski, Chen, Fryzlewicz, JRSS B 81, 2019), so that a level which came and went is found
 * like one that stayed. Gaps are for the caller to leave out. Costs about 12 · n · log n operations.
 */
export function detectChangePoints(
  points: readonly SeriesPoint[],
  family: NoiseFamily,
  threshold = STEP_THRESHOLD,
): readonly ChangePoint[] {
  if (points.length < FEWEST_POINTS) return [];
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
  const found = edges
    .slice(1)
    .flatMap((to, i) => [...findSplits(series, edges[i], to, threshold), ...(to < points.length ? [to] : [])]);
  return refineChangePoints(series, found, threshold);
}

interface CumulativeSeries {
  readonly family: NoiseFamily;
  /** Sums and weights of all points before the i-th. */
  readonly sums: Float64Array;
  readonly weights: Float64Array;
  /** Standard deviation from point to point, in units of what chance alone makes of it; at least 1 where that is known. */
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
 * Scale of the differences between neighbours: the median one, or the ninth in ten where a few are much larger; and the
 * median one between neighbouring blocks, which is larger where unrest lasts for minutes (Wu and Zhao, JRSS B 69, 2007).
 * A step touches few differences, level and trend none.
 */
function estimateNoise(series: Omit<CumulativeSeries, 'noise'>): number {
  const points = series.sums.length - 1;
  const neighbours = blockDifferences(series, 1);
  const scales = [quantile(neighbours, 0.5) / 0.6745, quantile(neighbours, 0.9) / 1.6449];
  for (const length of BLOCKS)
    if (points >= FEWEST_BLOCKS * length) scales.push(quantile(blockDifferences(series, length), 0.5) / 0.6745);
  return Math.max(series.family === 'normal' ? 0 : 1, ...scales);
}

/** Between each block of so many points and the one after it, in standard errors as chance makes them; ascending sizes. */
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

/** Intervals [from, to) of half the length from layer to layer, each layer overlapping by half. */
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
  const whole = logLikelihood(series, from, to);
  let gain = 0;
  for (let index = from + 1; index < to; index++) {
    const found = logLikelihood(series, from, index) + logLikelihood(series, index, to) - whole;
    if (found > gain) {
      gain = found;
      best = { from, to, index, strength: 0 };
    }
  }
  return { ...best, strength: Math.sqrt(2 * gain) / series.noise };
}

/** What one step hid from the intervals across it: the splits of a stretch, and of its parts. */
function findSplits(series: CumulativeSeries, from: number, to: number, threshold: number): number[] {
  if (to - from < 2) return [];
  const { index, strength } = findBestSplit(series, from, to);
  return strength > threshold
    ? [...findSplits(series, from, index, threshold), index, ...findSplits(series, index, to, threshold)]
    : [];
}

/** Log-likelihood of a stretch with a level of its own, without the terms that every split has in common. */
function logLikelihood({ family, sums, weights }: CumulativeSeries, from: number, to: number): number {
  const sum = sums[to] - sums[from];
  const weight = weights[to] - weights[from];
  if (weight <= 0) return 0;
  if (family === 'normal') return (sum * sum) / (2 * weight);
  const hits = sum > 0 ? sum * Math.log(sum / weight) : 0;
  const misses = weight - sum;
  return family === 'binomial' && misses > 0 ? hits + misses * Math.log(misses / weight) : hits;
}

/** Each step moved to where it is strongest between its neighbours, and left out where it is none there. */
function refineChangePoints(series: CumulativeSeries, chosen: readonly number[], threshold: number): ChangePoint[] {
  const last = series.sums.length - 1;
  const kept: number[] = [];
  chosen.forEach((_, i) => {
    const split = findBestSplit(series, kept.at(-1) ?? 0, chosen[i + 1] ?? last);
    if (split.strength > threshold) kept.push(split.index);
  });
  const level = (from: number, to: number): number =>
    (series.sums[to] - series.sums[from]) / (series.weights[to] - series.weights[from]);
  return kept.map((index, i) => {
    const [from, to] = [kept[i - 1] ?? 0, kept[i + 1] ?? last];
    return {
      index,
      before: level(from, index),
      after: level(index, to),
      strength: findBestSplit(series, from, to).strength,
    };
  });
}
