import type { Buckets, ExplicitBuckets, ExponentialBuckets } from '../../telemetry/distribution.js';

/** The smallest and the largest observation; NaN where they are not told. */
export interface Extremes {
  readonly min: number;
  readonly max: number;
}

/** So many observations, spread evenly between two values; all at one where these are the same. */
interface Piece {
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** The buckets of one histogram, the lowest first. What edges they have is computed of those that are asked for. */
interface Ascending {
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
export function quantileOf(buckets: readonly Buckets[], q: number, extremes: Extremes): number {
  const layouts = buckets.map((each) => (each.kind === 'explicit' ? ascendingExplicit(each, extremes) : ascendingExponential(each)));
  const total = layouts.reduce((sum, { counts }) => counts.reduce((all, count) => all + count, sum), 0);
  if (total === 0) return NaN;
  return layouts.length === 1 ? valueIn(layouts[0], q * total, extremes) : valueAt(layouts.flatMap((each) => piecesOf(each, extremes)), q * total);
}

/** The same of one histogram, which most are: only one bucket need be looked at. */
function valueIn(buckets: Ascending, rank: number, extremes: Extremes): number {
  let before = 0;
  let index = buckets.counts.findIndex((count) => count > 0);
  while (before + buckets.counts[index] < rank) before += buckets.counts[index++];
  const { lower, upper, count } = pieceOf(buckets, index, extremes);
  return lower + (upper - lower) * ((rank - before) / count);
}

/** Where so many of the observations lie below. */
function valueAt(pieces: readonly Piece[], rank: number): number {
  const edges = edgesOf(pieces);
  const index = firstIndex(edges.length - 1, (i) => countUpTo(pieces, edges[i]) >= rank);
  if (index === 0) return edges[0];
  const [lower, upper] = [edges[index - 1], edges[index]];
  const before = countUpTo(pieces, lower);
  const between = countBelow(pieces, upper) - before;
  // What is not spread below the edge stands on it.
  return rank - before >= between ? upper : lower + (upper - lower) * ((rank - before) / between);
}

/** Ascending, each once. */
function edgesOf(pieces: readonly Piece[]): Float64Array {
  const edges = new Float64Array(2 * pieces.length);
  pieces.forEach(({ lower, upper }, i) => edges.set([lower, upper], 2 * i));
  edges.sort();
  return edges.filter((edge, i) => i === 0 || edge !== edges[i - 1]);
}

/** The first of 0 to `last` for which it holds; it holds for the last, and for all after the first. */
function firstIndex(last: number, holds: (index: number) => boolean): number {
  let [from, to] = [0, last];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function countUpTo(pieces: readonly Piece[], value: number): number {
  return pieces.reduce((sum, piece) => sum + (piece.upper <= value ? piece.count : spreadBelow(piece, value)), 0);
}

/** The same without what stands at the value itself. */
function countBelow(pieces: readonly Piece[], value: number): number {
  return pieces.reduce((sum, piece) => sum + (piece.upper < value || (piece.upper === value && piece.lower < value) ? piece.count : spreadBelow(piece, value)), 0);
}

/** Of a piece that ends behind the value, or stands at it. */
function spreadBelow({ lower, upper, count }: Piece, value: number): number {
  return value <= lower ? 0 : count * ((value - lower) / (upper - lower));
}

function ascendingExplicit({ bounds, counts }: ExplicitBuckets, { min, max }: Extremes): Ascending {
  const last = bounds.length;
  return { counts, edgesOf: (i) => [i === 0 ? firstEdge(bounds[0], min) : bounds[i - 1], i === last ? lastEdge(bounds[last - 1], max) : bounds[i]] };
}

function firstEdge(bound: number, min: number): number {
  return min <= bound ? min : Math.min(bound, 0);
}

function lastEdge(bound: number, max: number): number {
  return max >= bound ? max : bound;
}

function ascendingExponential({ scale, zeroThreshold, zeroCount, positive, negative }: ExponentialBuckets): Ascending {
  const zero = negative.counts.length;
  const [hasNegative, hasPositive] = [zero > 0, positive.counts.length > 0];
  const edge = (index: number): number => Math.min(Math.max(2 ** (index / 2 ** scale), zeroThreshold), Number.MAX_VALUE);
  const edgesOf = (i: number): readonly [number, number] => {
    // 0 - x and not -x, which would be -0.
    if (i === zero) return [hasPositive && !hasNegative ? 0 : 0 - zeroThreshold, hasNegative && !hasPositive ? 0 : zeroThreshold];
    const index = i < zero ? negative.offset + zero - 1 - i : positive.offset + i - zero - 1;
    return i < zero ? [0 - edge(index + 1), 0 - edge(index)] : [edge(index), edge(index + 1)];
  };
  return { counts: [...negative.counts.toReversed(), zeroCount, ...positive.counts], edgesOf };
}

function piecesOf(buckets: Ascending, extremes: Extremes): Piece[] {
  const found: Piece[] = [];
  buckets.counts.forEach((count, i) => {
    if (count > 0) found.push(pieceOf(buckets, i, extremes));
  });
  return found;
}

/** No wider than the extremes allow. */
function pieceOf({ counts, edgesOf }: Ascending, index: number, { min, max }: Extremes): Piece {
  const [lower, upper] = edgesOf(index);
  return { lower: within(lower, min, max), upper: within(upper, min, max), count: counts[index] };
}

function within(value: number, min: number, max: number): number {
  if (value < min) return min;
  return value > max ? max : value;
}
