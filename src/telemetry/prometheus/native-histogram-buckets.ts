import { DATA_POINT_LIMITS } from '../metric-distributions.js';
import type { NativeBuckets, NativeHistogram } from './remote-write.js';

/** Native histogram in the form of a point of OTLP: exponential, or explicit for custom bounds. */
export type HistogramForm =
  | {
      readonly kind: 'exponential';
      readonly scale: number;
      readonly positive: DenseBuckets;
      readonly negative: DenseBuckets;
    }
  | { readonly kind: 'explicit'; readonly bounds: readonly number[]; readonly counts: readonly number[] };

/** Counts from index `offset` on. */
export interface DenseBuckets {
  readonly offset: number;
  readonly counts: readonly number[];
}

/** Why the histogram has no such form. */
export interface UnfitHistogram {
  readonly fault: string;
}

const [MIN_SCHEMA, MAX_SCHEMA, CUSTOM_SCHEMA] = [-4, 8, -53];
/** At this scale one bucket holds all doubles above 1 (OpenTelemetry metrics data model). */
const MIN_SCALE = -10;
const MAX_INDEX = 2 ** 30;

type Bucket = readonly [index: number, count: number];

/**
 * Converts a native histogram. Its bucket i ends at base^i, that of OTLP begins there, so indexes differ by one. Where a side
 * would have more buckets than are stored, neighbours are joined, as the scale below has them.
 */
export function toHistogramForm(histogram: NativeHistogram): HistogramForm | UnfitHistogram {
  const fault = findFault(histogram);
  if (fault !== undefined) return { fault };
  const [positive, negative] = [listBuckets(histogram.positive), listBuckets(histogram.negative)];
  if (positive === undefined || negative === undefined)
    return {
      fault: 'with spans that do not fit the buckets, or with buckets that are no whole number of observations',
    };
  if (!addsUp(histogram, [...positive, ...negative])) return { fault: 'with buckets that do not add up to the count' };
  if (histogram.schema === CUSTOM_SCHEMA) return toExplicit(histogram, positive, negative);
  return toExponential(histogram.schema, positive, negative);
}

function findFault({
  schema,
  count,
  zeroCount,
  zeroThreshold,
  isGauge,
  isOversized,
}: NativeHistogram): string | undefined {
  if (isOversized) return 'with too many buckets';
  if (isGauge) return 'of the kind gauge histogram, which points of OTLP cannot hold';
  if (schema !== CUSTOM_SCHEMA && (schema < MIN_SCHEMA || schema > MAX_SCHEMA))
    return `with a schema that is neither ${CUSTOM_SCHEMA} nor from ${MIN_SCHEMA} to ${MAX_SCHEMA}`;
  if (!isCount(count) || !isCount(zeroCount)) return 'with counts that are no whole numbers of observations';
  if (!(zeroThreshold >= 0 && zeroThreshold < Infinity)) return 'with an invalid zero threshold';
  return undefined;
}

/** A whole number that a double holds exactly. */
function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The buckets that are not empty, ascending; undefined if spans and counts do not fit, or counts are no counts. */
function listBuckets({ spans, deltas, counts }: NativeBuckets): readonly Bucket[] | undefined {
  const total = Math.max(deltas.length, counts.length);
  const buckets: Bucket[] = [];
  let [index, at, count] = [0, 0, 0];
  for (const [number, { offset, length }] of spans.entries()) {
    if (at + length > total || (number > 0 && offset < 0)) return undefined;
    index += offset;
    for (let left = length; left > 0; left--, index++, at++) {
      count = counts.length > 0 ? counts[at] : count + deltas[at];
      if (!isCount(count) || Math.abs(index) > MAX_INDEX) return undefined;
      if (count > 0) buckets.push([index, count]);
    }
  }
  return at === total ? buckets : undefined;
}

/** NaN is counted, but in no bucket; it makes the sum NaN (Prometheus, histogram.Validate). */
function addsUp({ count, zeroCount, sum }: NativeHistogram, buckets: readonly Bucket[]): boolean {
  const total = buckets.reduce((all, [, own]) => all + own, zeroCount);
  return Number.isNaN(sum) ? total <= count : total === count;
}

function toExplicit(
  { customValues, zeroCount }: NativeHistogram,
  positive: readonly Bucket[],
  negative: readonly Bucket[],
): HistogramForm | UnfitHistogram {
  const isAscending = customValues.every(
    (bound, i) => Number.isFinite(bound) && (i === 0 || bound > customValues[i - 1]),
  );
  if (!isAscending) return { fault: 'with custom bounds that do not ascend' };
  if (negative.length > 0 || zeroCount > 0) return { fault: 'with custom bounds and buckets outside of them' };
  const counts = new Array<number>(customValues.length + 1).fill(0);
  for (const [index, count] of positive) {
    if (index < 0 || index >= counts.length) return { fault: 'with custom bounds and buckets outside of them' };
    counts[index] = count;
  }
  return { kind: 'explicit', bounds: customValues, counts };
}

function toExponential(
  schema: number,
  positive: readonly Bucket[],
  negative: readonly Bucket[],
): HistogramForm | UnfitHistogram {
  let halvings = 0;
  while (Math.max(lengthAt(positive, halvings), lengthAt(negative, halvings)) > DATA_POINT_LIMITS.run) halvings++;
  if (schema - halvings < MIN_SCALE) return { fault: 'with buckets beyond the range of doubles' };
  return {
    kind: 'exponential',
    scale: schema - halvings,
    positive: toDense(positive, halvings),
    negative: toDense(negative, halvings),
  };
}

function indexAt(index: number, halvings: number): number {
  return (index - 1) >> halvings;
}

function lengthAt(buckets: readonly Bucket[], halvings: number): number {
  if (buckets.length === 0) return 0;
  return indexAt(buckets[buckets.length - 1][0], halvings) - indexAt(buckets[0][0], halvings) + 1;
}

function toDense(buckets: readonly Bucket[], halvings: number): DenseBuckets {
  const offset = buckets.length === 0 ? 0 : indexAt(buckets[0][0], halvings);
  const counts = new Array<number>(lengthAt(buckets, halvings)).fill(0);
  for (const [index, count] of buckets) counts[indexAt(index, halvings) - offset] += count;
  return { offset, counts };
}
