import type { Exemplar, ExplicitBuckets, HistogramBuckets } from '../../telemetry/metric-distributions.js';
import {
  isCount,
  isEmptyExponential,
  normalizeExponential,
  subtractExponential,
  sumExponential,
} from './exponential-histogram-sums.js';
import { ROLLUP_BOUNDS } from './rollup-types.js';
import { compareText } from '../text-order.js';

/*
 * Adds and subtracts histograms. Sums do not depend on order or grouping, and equal sums are equal in every field, with
 * two limits: counts are exact below 2^53; and if exponential histograms of different zero thresholds have more than
 * ROLLUP_BOUNDS.buckets, the scale may be smaller in one order than in another, because the larger threshold would have
 * covered some of the buckets that had to be merged.
 */

const NO_BUCKETS: readonly HistogramBuckets[] = [];

/**
 * A histogram as stored in rollups, without empty buckets at the ends of exponential ones. Undefined if it is invalid
 * (bounds that do not ascend or do not match the counts), for explicit ones with more than ROLLUP_BOUNDS.buckets, and
 * for a single bucket, which contains no more than the count.
 */
export function normalizeBuckets(received: HistogramBuckets): HistogramBuckets | undefined {
  if (received.kind === 'exponential') return normalizeExponential(received);
  const { bounds, counts } = received;
  const isValidShape =
    bounds.length > 0 && counts.length === bounds.length + 1 && counts.length <= ROLLUP_BOUNDS.buckets;
  return isValidShape && counts.every(isCount) && isAscending(bounds) ? received : undefined;
}

export function isEmptyHistogram(buckets: HistogramBuckets): boolean {
  return buckets.kind === 'exponential' ? isEmptyExponential(buckets) : buckets.counts.every((count) => count === 0);
}

/**
 * Adds histograms by layout and returns one per layout, in the order of compareLayouts: exponential histograms are one
 * layout, explicit ones with equal bounds another. Empty histograms add nothing, not even their layout. Beyond
 * ROLLUP_BOUNDS.layouts only the first layouts are returned, with complete counts: whatever is first overall is first
 * in every part. All inputs MUST be results of normalizeBuckets.
 */
export function sumBuckets(lists: readonly (readonly HistogramBuckets[])[]): readonly HistogramBuckets[] {
  const layouts: HistogramBuckets[][] = [];
  for (const list of lists) {
    for (const buckets of list) {
      if (isEmptyHistogram(buckets)) continue;
      const same = layouts.find(([first]) => compareLayouts(first, buckets) === 0);
      if (same === undefined) layouts.push([buckets]);
      else same.push(buckets);
    }
  }
  return layouts.length === 0
    ? NO_BUCKETS
    : layouts.map(sumLayout).sort(compareLayouts).slice(0, ROLLUP_BOUNDS.layouts);
}

/**
 * Equals `sumBuckets([sum, [more]])` for a `sum` returned by sumBuckets; faster in the usual case of a single layout.
 */
export function addBuckets(sum: readonly HistogramBuckets[], more: HistogramBuckets): readonly HistogramBuckets[] {
  const [first] = sum;
  if (sum.length !== 1 || first.kind !== 'explicit' || compareLayouts(first, more) !== 0)
    return sumBuckets([sum, [more]]);
  return [sumLayout([first, more])];
}

/**
 * The increase since `older` in a cumulative series; both MUST be results of normalizeBuckets. Undefined if `newer`
 * does not continue it: no common bounds, or a count that decreased. Explicit histograms of different bounds are
 * subtracted at those that both have, because a sender may report only some of the buckets. Exponential ones of different
 * scales or thresholds are subtracted at the coarser of both, because senders reduce the resolution over time.
 */
export function subtractBuckets(newer: HistogramBuckets, older: HistogramBuckets): HistogramBuckets | undefined {
  if (newer.kind === 'exponential') return older.kind === 'exponential' ? subtractExponential(newer, older) : undefined;
  if (older.kind === 'exponential') return undefined;
  const [after, before] = toCommonBounds(newer, older);
  if (after.bounds.length === 0) return undefined;
  const counts = after.counts.map((count, i) => count - before.counts[i]);
  return counts.every((count) => count >= 0) ? { kind: 'explicit', bounds: after.bounds, counts } : undefined;
}

/** False for explicit histograms that have nothing in common but their count. */
export function haveCommonBounds(a: HistogramBuckets, b: HistogramBuckets): boolean {
  if (a.kind === 'exponential' || b.kind === 'exponential' || a.bounds === b.bounds) return true;
  const bounds = new Set(b.bounds);
  return a.bounds.some((bound) => bounds.has(bound));
}

/** Both histograms with the bounds that they have in common. */
function toCommonBounds(a: ExplicitBuckets, b: ExplicitBuckets): readonly [ExplicitBuckets, ExplicitBuckets] {
  if (compareBounds(a.bounds, b.bounds) === 0) return [a, b];
  const others = new Set(b.bounds);
  const bounds = a.bounds.filter((bound) => others.has(bound));
  return [joinBuckets(a, bounds), joinBuckets(b, bounds)];
}

/** Joins the buckets between the given bounds, which MUST be some of its own. */
function joinBuckets({ bounds, counts }: ExplicitBuckets, into: readonly number[]): ExplicitBuckets {
  const joined = new Array<number>(into.length + 1).fill(0);
  let at = 0;
  counts.forEach((count, i) => {
    joined[at] += count;
    if (bounds[i] === into[at]) at++;
  });
  return { kind: 'explicit', bounds: into, counts: joined };
}

/**
 * Orders layouts: exponential buckets first, then by number of bounds descending (most detailed first), then by the
 * bounds. 0: the histograms can be added directly.
 */
export function compareLayouts(a: HistogramBuckets, b: HistogramBuckets): number {
  if (a.kind === 'exponential' || b.kind === 'exponential')
    return Number(b.kind === 'exponential') - Number(a.kind === 'exponential');
  return compareBounds(a.bounds, b.bounds);
}

export function compareBounds(a: readonly number[], b: readonly number[]): number {
  if (a === b) return 0;
  if (a.length !== b.length) return b.length - a.length;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

function sumLayout(parts: readonly HistogramBuckets[]): HistogramBuckets {
  const [first] = parts;
  if (parts.length === 1) return first;
  if (first.kind === 'exponential') return sumExponential(parts as readonly (typeof first)[]);
  const counts = [...first.counts];
  for (let p = 1; p < parts.length; p++) addCounts(counts, (parts[p] as ExplicitBuckets).counts);
  return { kind: 'explicit', bounds: first.bounds, counts };
}

function addCounts(sums: number[], counts: readonly number[]): void {
  for (let i = 0; i < sums.length; i++) sums[i] += counts[i];
}

function isAscending(bounds: readonly number[]): boolean {
  for (let i = 1; i < bounds.length; i++) if (!(bounds[i - 1] < bounds[i])) return false;
  return Number.isFinite(bounds[0]) && Number.isFinite(bounds[bounds.length - 1]);
}

const NO_EXEMPLARS: readonly Exemplar[] = [];

/**
 * The exemplars with the largest values of all lists, without duplicates, at most ROLLUP_BOUNDS.exemplars. The result
 * does not depend on the order of the lists.
 */
export function selectLargestExemplars(lists: readonly (readonly Exemplar[])[]): readonly Exemplar[] {
  const nonEmpty = lists.filter(({ length }) => length > 0);
  if (nonEmpty.length === 0) return NO_EXEMPLARS;
  const sorted = nonEmpty.flat().sort(compareExemplars);
  return sorted
    .filter((each, i) => i === 0 || compareExemplars(sorted[i - 1], each) !== 0)
    .slice(0, ROLLUP_BOUNDS.exemplars);
}

/** By value descending, then time, trace id and span id ascending. */
export function compareExemplars(a: Exemplar, b: Exemplar): number {
  return (
    b.value - a.value || a.timeUs - b.timeUs || compareText(a.traceId, b.traceId) || compareText(a.spanId, b.spanId)
  );
}
