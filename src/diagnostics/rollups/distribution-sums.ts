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
 * Histograms added up and taken from each other. In any order and any grouping the sum is the same, and equal sums are
 * equal in every field, with two limits: counts are exact below 2^53; and where exponential histograms of different zero
 * thresholds have more than ROLLUP_BOUNDS.buckets, the scale may come out smaller in one order than in another, since the
 * larger threshold would have covered some of what had to be made coarser.
 */

const NO_BUCKETS: readonly HistogramBuckets[] = [];

/**
 * A histogram as rollups keep it, without empty buckets at the ends of exponential ones. Undefined for what is none, such
 * as bounds that do not ascend or counts that do not fit them; for explicit ones of more than ROLLUP_BOUNDS.buckets; and
 * for a single bucket, which tells no more than how many observations there were.
 */
export function normalizeBuckets(told: HistogramBuckets): HistogramBuckets | undefined {
  if (told.kind === 'exponential') return normalizeExponential(told);
  const { bounds, counts } = told;
  const fits = bounds.length > 0 && counts.length === bounds.length + 1 && counts.length <= ROLLUP_BOUNDS.buckets;
  return fits && counts.every(isCount) && isAscending(bounds) ? told : undefined;
}

export function isEmptyHistogram(buckets: HistogramBuckets): boolean {
  return buckets.kind === 'exponential' ? isEmptyExponential(buckets) : buckets.counts.every((count) => count === 0);
}

/**
 * One histogram for each layout, in the order of compareLayouts: exponential ones are one layout, explicit ones of equal
 * bounds too. Empty ones add nothing, not even their layout. Of more than ROLLUP_BOUNDS.layouts the first ones stay, and
 * they are whole: what comes first of all comes first of every part. All that goes in MUST be as keptBuckets gives it.
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

/** The sum of `sum`, which sumBuckets made, and one more: the same, sooner where there is one layout, as there mostly is. */
export function addBuckets(sum: readonly HistogramBuckets[], more: HistogramBuckets): readonly HistogramBuckets[] {
  const [first] = sum;
  if (sum.length !== 1 || first.kind !== 'explicit' || compareLayouts(first, more) !== 0)
    return sumBuckets([sum, [more]]);
  return [sumLayout([first, more])];
}

/**
 * What came on top of `older` in a cumulative series; both as keptBuckets gives them. Undefined where `newer` does not
 * continue it: other bounds, or a count that fell. Exponential ones of different scales or thresholds are taken from each
 * other by the coarser of both: senders lose resolution as they go on.
 */
export function subtractBuckets(newer: HistogramBuckets, older: HistogramBuckets): HistogramBuckets | undefined {
  if (newer.kind === 'exponential') return older.kind === 'exponential' ? subtractExponential(newer, older) : undefined;
  if (older.kind === 'exponential' || compareLayouts(newer, older) !== 0) return undefined;
  const counts = newer.counts.map((count, i) => count - older.counts[i]);
  return counts.every((count) => count >= 0) ? { kind: 'explicit', bounds: newer.bounds, counts } : undefined;
}

/** Exponential buckets first; then by the number of bounds, most first: they tell most; then by the bounds themselves. 0: they can be added up as they are. */
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

/** Those of the largest values that a rollup keeps of all lists, each once. Which ones stay does not depend on the order of the lists. */
export function selectLargestExemplars(lists: readonly (readonly Exemplar[])[]): readonly Exemplar[] {
  const told = lists.filter(({ length }) => length > 0);
  if (told.length === 0) return NO_EXEMPLARS;
  const sorted = told.flat().sort(compareExemplars);
  return sorted
    .filter((each, i) => i === 0 || compareExemplars(sorted[i - 1], each) !== 0)
    .slice(0, ROLLUP_BOUNDS.exemplars);
}

/** See MetricSeriesRollup. */
export function compareExemplars(a: Exemplar, b: Exemplar): number {
  return (
    b.value - a.value || a.timeUs - b.timeUs || compareText(a.traceId, b.traceId) || compareText(a.spanId, b.spanId)
  );
}
