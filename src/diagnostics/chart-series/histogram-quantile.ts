import type { HistogramBuckets, ExplicitBuckets, ExponentialBuckets } from '../../telemetry/metric-distributions.js';

/** The smallest and the largest observation; NaN where they are not told. */
export interface ObservedRange {
  readonly min: number;
  readonly max: number;
}

/** So many observations, spread evenly between two values; all at one where these are the same. */
interface UniformSegment {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** The buckets of one histogram, the lowest first. What edges they have is computed of those that are asked for. */
interface AscendingBuckets {
  readonly counts: readonly number[];
  readonly edgesOf: (index: number) => readonly [lower: number, upper: number];
}

/**
 * The value that a share `q` (0 to 1) of the observations does not exceed; NaN where there are none. Observations are taken as
 * spread evenly within their bucket, as by histogram_quantile of Prometheus; histograms of different layouts as lying on
 * top of each other.
 *
 * The first bucket of explicit ones begins at the smallest observation where that is told, else at 0 where its bound is
 * above, else it is its bound. The last one ends at the largest observation where that is told, else it is its
 * lower bound. The zero bucket reaches from −threshold to threshold, but no further than there are observations of
 * either sign. No answer lies outside of the extremes.
 */
export function estimateQuantile(buckets: readonly HistogramBuckets[], q: number, extremes: ObservedRange): number {
  const layouts = buckets.map((each) =>
    each.kind === 'explicit' ? toAscendingExplicit(each, extremes) : toAscendingExponential(each),
  );
  const total = layouts.reduce((sum, { counts }) => counts.reduce((all, count) => all + count, sum), 0);
  if (total === 0) return NaN;
  return layouts.length === 1
    ? estimateInOneHistogram(layouts[0], q * total, extremes)
    : estimateAcrossSegments(
        layouts.flatMap((each) => toSegments(each, extremes)),
        q * total,
      );
}

/** The same of one histogram, which most are: only one bucket need be looked at. */
function estimateInOneHistogram(buckets: AscendingBuckets, rank: number, extremes: ObservedRange): number {
  let before = 0;
  let index = buckets.counts.findIndex((count) => count > 0);
  while (before + buckets.counts[index] < rank) before += buckets.counts[index++];
  const { lower, upper, count } = toSegment(buckets, index, extremes);
  return lower + (upper - lower) * ((rank - before) / count);
}

/** Where so many of the observations lie below. */
function estimateAcrossSegments(pieces: readonly UniformSegment[], rank: number): number {
  const edges = distinctEdges(pieces);
  const index = findFirstIndex(edges.length - 1, (i) => countAtOrBelow(pieces, edges[i]) >= rank);
  if (index === 0) return edges[0];
  const [lower, upper] = [edges[index - 1], edges[index]];
  const before = countAtOrBelow(pieces, lower);
  const between = countBelow(pieces, upper) - before;
  // What is not spread below the edge stands on it.
  return rank - before >= between ? upper : lower + (upper - lower) * ((rank - before) / between);
}

/** Ascending, each once. */
function distinctEdges(pieces: readonly UniformSegment[]): Float64Array {
  const edges = new Float64Array(2 * pieces.length);
  pieces.forEach(({ lower, upper }, i) => edges.set([lower, upper], 2 * i));
  edges.sort();
  return edges.filter((edge, i) => i === 0 || edge !== edges[i - 1]);
}

/** The first of 0 to `last` for which it holds; it holds for the last, and for all after the first. */
function findFirstIndex(last: number, holds: (index: number) => boolean): number {
  let [from, to] = [0, last];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function countAtOrBelow(pieces: readonly UniformSegment[], value: number): number {
  return pieces.reduce(
    (sum, piece) => sum + (piece.upper <= value ? piece.count : interpolateCountBelow(piece, value)),
    0,
  );
}

/** The same without what stands at the value itself. */
function countBelow(pieces: readonly UniformSegment[], value: number): number {
  return pieces.reduce(
    (sum, piece) =>
      sum +
      (piece.upper < value || (piece.upper === value && piece.lower < value)
        ? piece.count
        : interpolateCountBelow(piece, value)),
    0,
  );
}

/** Of a piece that ends behind the value, or stands at it. */
function interpolateCountBelow({ lower, upper, count }: UniformSegment, value: number): number {
  return value <= lower ? 0 : count * ((value - lower) / (upper - lower));
}

function toAscendingExplicit({ bounds, counts }: ExplicitBuckets, { min, max }: ObservedRange): AscendingBuckets {
  const last = bounds.length;
  return {
    counts,
    edgesOf: (i) => [
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
  const edgesOf = (i: number): readonly [number, number] => {
    // 0 - x and not -x, which would be -0.
    if (i === zero)
      return [hasPositive && !hasNegative ? 0 : 0 - zeroThreshold, hasNegative && !hasPositive ? 0 : zeroThreshold];
    const index = i < zero ? negative.offset + zero - 1 - i : positive.offset + i - zero - 1;
    return i < zero ? [0 - edge(index + 1), 0 - edge(index)] : [edge(index), edge(index + 1)];
  };
  return { counts: [...negative.counts.toReversed(), zeroCount, ...positive.counts], edgesOf };
}

function toSegments(buckets: AscendingBuckets, extremes: ObservedRange): UniformSegment[] {
  const found: UniformSegment[] = [];
  buckets.counts.forEach((count, i) => {
    if (count > 0) found.push(toSegment(buckets, i, extremes));
  });
  return found;
}

/** No wider than the extremes allow. */
function toSegment({ counts, edgesOf }: AscendingBuckets, index: number, { min, max }: ObservedRange): UniformSegment {
  const [lower, upper] = edgesOf(index);
  return { lower: clamp(lower, min, max), upper: clamp(upper, min, max), count: counts[index] };
}

function clamp(value: number, min: number, max: number): number {
  if (value < min) return min;
  return value > max ? max : value;
}
