import type { HistogramBuckets, ExplicitBuckets, ExponentialBuckets } from '../../telemetry/metric-distributions.js';
import { observedLimits, type ObservedRange } from '../rollups/observed-range.js';

/** Observations spread evenly between two values; all at one value if these are equal. */
export interface UniformSegment {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** The buckets of one histogram, ascending. Edges are computed on demand. */
interface AscendingBuckets {
  readonly counts: readonly number[];
  readonly edgesAt: (index: number) => readonly [lower: number, upper: number];
}

/**
 * Estimates the quantile `q` (0 to 1): the value that this fraction of the observations does not exceed; NaN without
 * observations. Observations are assumed to be spread evenly within their bucket, like in Prometheus'
 * histogram_quantile; histograms of different layouts are superimposed.
 *
 * The first explicit bucket begins at the smallest observation if known, else at 0 if its bound is positive, else it
 * collapses to its bound. The last one ends at the largest observation if known, else it collapses to its lower bound.
 * The zero bucket extends from −threshold to threshold, limited to signs that have observations. The result never lies
 * outside of the extremes or their limits.
 */
export function estimateQuantile(buckets: readonly HistogramBuckets[], q: number, extremes: ObservedRange): number {
  const layouts = toAscendingLayouts(buckets, extremes);
  const total = layouts.reduce((sum, { counts }) => counts.reduce((all, count) => all + count, sum), 0);
  if (total === 0) return NaN;
  return layouts.length === 1
    ? estimateInOneHistogram(layouts[0], q * total, extremes)
    : estimateAcrossSegments(
        layouts.flatMap((each) => toSegments(each, extremes)),
        q * total,
      );
}

/** The non-empty buckets of all histograms, with the edges that estimateQuantile assumes. */
export function toUniformSegments(buckets: readonly HistogramBuckets[], extremes: ObservedRange): UniformSegment[] {
  return toAscendingLayouts(buckets, extremes).flatMap((each) => toSegments(each, extremes));
}

function toAscendingLayouts(buckets: readonly HistogramBuckets[], extremes: ObservedRange): AscendingBuckets[] {
  return buckets.map((each) =>
    each.kind === 'explicit' ? toAscendingExplicit(each, extremes) : toAscendingExponential(each),
  );
}

/** Fast path for the usual case of one histogram: only one bucket is examined. */
function estimateInOneHistogram(buckets: AscendingBuckets, rank: number, extremes: ObservedRange): number {
  let before = 0;
  let index = buckets.counts.findIndex((count) => count > 0);
  while (before + buckets.counts[index] < rank) before += buckets.counts[index++];
  const { lower, upper, count } = toSegment(buckets, index, extremes);
  return lower + (upper - lower) * ((rank - before) / count);
}

/** The value below which `rank` observations of all segments lie. */
function estimateAcrossSegments(segments: readonly UniformSegment[], rank: number): number {
  const edges = distinctEdges(segments);
  const index = findFirstIndex(edges.length - 1, (i) => countAtOrBelow(segments, edges[i]) >= rank);
  if (index === 0) return edges[0];
  const [lower, upper] = [edges[index - 1], edges[index]];
  const before = countAtOrBelow(segments, lower);
  const between = countBelow(segments, upper) - before;
  // Observations not spread below the edge are located at the edge itself.
  return rank - before >= between ? upper : lower + (upper - lower) * ((rank - before) / between);
}

/** Ascending, without duplicates. */
function distinctEdges(segments: readonly UniformSegment[]): Float64Array {
  const edges = new Float64Array(2 * segments.length);
  segments.forEach(({ lower, upper }, i) => edges.set([lower, upper], 2 * i));
  edges.sort();
  return edges.filter((edge, i) => i === 0 || edge !== edges[i - 1]);
}

/**
 * Binary search for the first index of 0 to `last` that satisfies a monotonic predicate; the last one MUST satisfy it.
 */
function findFirstIndex(last: number, holds: (index: number) => boolean): number {
  let [from, to] = [0, last];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function countAtOrBelow(segments: readonly UniformSegment[], value: number): number {
  return segments.reduce(
    (sum, segment) => sum + (segment.upper <= value ? segment.count : interpolateCountBelow(segment, value)),
    0,
  );
}

/** Like countAtOrBelow, without observations located exactly at the value. */
function countBelow(segments: readonly UniformSegment[], value: number): number {
  return segments.reduce(
    (sum, segment) =>
      sum +
      (segment.upper < value || (segment.upper === value && segment.lower < value)
        ? segment.count
        : interpolateCountBelow(segment, value)),
    0,
  );
}

/** For a segment that ends after the value, or is located at it. */
function interpolateCountBelow({ lower, upper, count }: UniformSegment, value: number): number {
  return value <= lower ? 0 : count * ((value - lower) / (upper - lower));
}

function toAscendingExplicit({ bounds, counts }: ExplicitBuckets, { min, max }: ObservedRange): AscendingBuckets {
  const last = bounds.length;
  return {
    counts,
    edgesAt: (i) => [
      i === 0 ? lowestEdge(bounds[0], min) : bounds[i - 1],
      i === last ? highestEdge(bounds[last - 1], max) : bounds[i],
    ],
  };
}

function lowestEdge(bound: number, min: number): number {
  return min <= bound ? min : Math.min(bound, 0);
}

function highestEdge(bound: number, max: number): number {
  return max >= bound ? max : bound;
}

function toAscendingExponential({
  scale,
  zeroThreshold,
  zeroCount,
  positive,
  negative,
}: ExponentialBuckets): AscendingBuckets {
  const zero = negative.counts.length;
  const [hasNegative, hasPositive] = [zero > 0, positive.counts.length > 0];
  const edge = (index: number): number =>
    Math.min(Math.max(2 ** (index / 2 ** scale), zeroThreshold), Number.MAX_VALUE);
  const edgesAt = (i: number): readonly [number, number] => {
    // 0 - x instead of -x, which would be -0.
    if (i === zero)
      return [hasPositive && !hasNegative ? 0 : 0 - zeroThreshold, hasNegative && !hasPositive ? 0 : zeroThreshold];
    const index = i < zero ? negative.offset + zero - 1 - i : positive.offset + i - zero - 1;
    return i < zero ? [0 - edge(index + 1), 0 - edge(index)] : [edge(index), edge(index + 1)];
  };
  return { counts: [...negative.counts.toReversed(), zeroCount, ...positive.counts], edgesAt };
}

function toSegments(buckets: AscendingBuckets, extremes: ObservedRange): UniformSegment[] {
  const segments: UniformSegment[] = [];
  buckets.counts.forEach((count, i) => {
    if (count > 0) segments.push(toSegment(buckets, i, extremes));
  });
  return segments;
}

/** Clamped to the extremes or their limits. */
function toSegment({ counts, edgesAt }: AscendingBuckets, index: number, extremes: ObservedRange): UniformSegment {
  const [lower, upper] = edgesAt(index);
  const { min, max } = observedLimits(extremes);
  return { lower: clamp(lower, min, max), upper: clamp(upper, min, max), count: counts[index] };
}

function clamp(value: number, min: number, max: number): number {
  if (value < min) return min;
  return value > max ? max : value;
}
