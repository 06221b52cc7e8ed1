import type { BucketCounts, ExponentialBuckets } from '../../telemetry/metric-distributions.js';
import { ROLLUP_BOUNDS } from './rollup-types.js';

/*
 * Arithmetic of exponential histograms (OpenTelemetry metrics data model, "ExponentialHistogram"). Two consecutive
 * buckets, the first at an even index, form one bucket of the next smaller scale, so every scale can be reduced to any
 * smaller one with no loss except resolution.
 */

/** Initial scale of SDKs; above it, indexes are no longer exact. */
const MAX_SCALE = 20;
/** At this scale one bucket holds all doubles above 1. */
const MIN_SCALE = -10;
/** Exponents of the powers of 2 that bound all doubles. */
const MIN_EXPONENT = -1_075;
const MAX_EXPONENT = 1_024;
/** Exceeds the error of log2 for any double. */
const TOLERANCE = 2 ** -40;
/** After this many halvings only the sign of an index remains. */
const MAX_HALVINGS = 52;

const NO_BUCKETS: BucketCounts = { offset: 0, counts: [] };
type Sign = 'positive' | 'negative';

/** Scale at which counts are added, and which of them count as zero. */
interface Resolution {
  readonly scale: number;
  readonly zeroThreshold: number;
  /** Index of the last bucket that the threshold covers; -Infinity if the threshold is 0. */
  readonly covered: number;
}

/**
 * Validates and trims a histogram. Undefined if it is invalid: unsupported scale, counts that are not non-negative
 * integers, or buckets outside the range of doubles.
 */
export function normalizeExponential(received: ExponentialBuckets): ExponentialBuckets | undefined {
  const { scale, zeroCount, zeroThreshold, positive, negative } = received;
  if (!(scale >= MIN_SCALE) || !isCount(zeroCount) || !(zeroThreshold >= 0 && zeroThreshold < Infinity))
    return undefined;
  const trimmed = { ...received, positive: trim(positive), negative: trim(negative) };
  const isValid = [trimmed.positive, trimmed.negative].every(
    (side) => side.counts.every(isCount) && hasRepresentableBounds(side, scale),
  );
  return isValid ? sumExponential([trimmed]) : undefined;
}

export function isEmptyExponential({ zeroCount, positive, negative }: ExponentialBuckets): boolean {
  return zeroCount === 0 && positive.counts.length === 0 && negative.counts.length === 0;
}

/**
 * Adds histograms at the smallest scale among them, or at a smaller one if there would be more than
 * ROLLUP_BOUNDS.buckets. The threshold is the largest one, always widened to the upper end of its bucket, so that the
 * result does not depend on the order.
 */
export function sumExponential(parts: readonly ExponentialBuckets[]): ExponentialBuckets {
  const threshold = parts.reduce((max, { zeroThreshold }) => Math.max(max, zeroThreshold), 0);
  let scale = parts.reduce((min, part) => Math.min(min, part.scale), MAX_SCALE);
  while (countBucketsAt(parts, resolutionFor(scale, threshold)) > ROLLUP_BOUNDS.buckets) scale--;
  return addAtResolution(parts, resolutionFor(scale, threshold));
}

/** Undefined if a count decreased. The result has the coarser resolution of both. */
export function subtractExponential(
  newer: ExponentialBuckets,
  older: ExponentialBuckets,
): ExponentialBuckets | undefined {
  if (isEmptyExponential(older)) return newer;
  const resolution = resolutionFor(
    Math.min(newer.scale, older.scale),
    Math.max(newer.zeroThreshold, older.zeroThreshold),
  );
  const [after, before] = [addAtResolution([newer], resolution), addAtResolution([older], resolution)];
  const zeroCount = after.zeroCount - before.zeroCount;
  const positive = subtractBucketCounts(after.positive, before.positive);
  const negative = subtractBucketCounts(after.negative, before.negative);
  if (zeroCount < 0 || positive === undefined || negative === undefined) return undefined;
  return { ...after, zeroCount, positive, negative };
}

function resolutionFor(scale: number, threshold: number): Resolution {
  if (threshold === 0) return { scale, zeroThreshold: 0, covered: -Infinity };
  const end = Math.ceil((Math.log2(threshold) - TOLERANCE) * 2 ** scale);
  return { scale, zeroThreshold: Math.min(2 ** (end / 2 ** scale), Number.MAX_VALUE), covered: end - 1 };
}

function addAtResolution(parts: readonly ExponentialBuckets[], resolution: Resolution): ExponentialBuckets {
  const { scale, zeroThreshold } = resolution;
  let zeroCount = 0;
  for (const part of parts)
    zeroCount +=
      part.zeroCount + countCovered(part, 'positive', resolution) + countCovered(part, 'negative', resolution);
  return {
    kind: 'exponential',
    scale,
    zeroThreshold,
    zeroCount,
    positive: addBucketCounts(parts, 'positive', resolution),
    negative: addBucketCounts(parts, 'negative', resolution),
  };
}

function countCovered(part: ExponentialBuckets, sign: Sign, { scale, covered }: Resolution): number {
  const { offset, counts } = part[sign];
  let sum = 0;
  const width = bucketsPerMerge(part.scale - scale);
  for (let i = 0; i < counts.length && Math.floor((offset + i) / width) <= covered; i++) sum += counts[i];
  return sum;
}

function addBucketCounts(parts: readonly ExponentialBuckets[], sign: Sign, resolution: Resolution): BucketCounts {
  const { first, last } = findIndexRange(parts, sign, resolution);
  if (first > last) return NO_BUCKETS;
  const sums = new Array<number>(last - first + 1).fill(0);
  for (const part of parts) {
    const { offset, counts } = part[sign];
    const width = bucketsPerMerge(part.scale - resolution.scale);
    for (let i = 0; i < counts.length; i++) {
      const index = Math.floor((offset + i) / width);
      if (index >= first) sums[index - first] += counts[i];
    }
  }
  return { offset: first, counts: sums };
}

function countBucketsAt(parts: readonly ExponentialBuckets[], resolution: Resolution): number {
  const [positive, negative] = [
    findIndexRange(parts, 'positive', resolution),
    findIndexRange(parts, 'negative', resolution),
  ];
  return Math.max(0, positive.last - positive.first + 1) + Math.max(0, negative.last - negative.first + 1);
}

/** Indexes of the first and the last non-empty bucket; counts must be trimmed. */
function findIndexRange(
  parts: readonly ExponentialBuckets[],
  sign: Sign,
  { scale, covered }: Resolution,
): { readonly first: number; readonly last: number } {
  let [first, last] = [Infinity, -Infinity];
  for (const part of parts) {
    const { offset, counts } = part[sign];
    const width = bucketsPerMerge(part.scale - scale);
    const from = counts.findIndex((count, i) => count > 0 && Math.floor((offset + i) / width) > covered);
    if (from < 0) continue;
    first = Math.min(first, Math.floor((offset + from) / width));
    last = Math.max(last, Math.floor((offset + counts.length - 1) / width));
  }
  return { first, last };
}

/**
 * Number of buckets merged into one when the scale is reduced by `halvings`; the new index is the old one divided by
 * this, rounded down.
 */
function bucketsPerMerge(halvings: number): number {
  return 2 ** Math.min(halvings, MAX_HALVINGS);
}

/** Undefined if a count would become negative. */
function subtractBucketCounts({ offset, counts }: BucketCounts, before: BucketCounts): BucketCounts | undefined {
  const remaining = [...counts];
  for (let i = 0; i < before.counts.length; i++) {
    if (before.counts[i] === 0) continue;
    const at = before.offset + i - offset;
    if (!(remaining[at] >= before.counts[i])) return undefined;
    remaining[at] -= before.counts[i];
  }
  return trim({ offset, counts: remaining });
}

/** Removes empty buckets at both ends. */
function trim({ offset, counts }: BucketCounts): BucketCounts {
  let [from, to] = [0, counts.length];
  while (from < to && counts[from] === 0) from++;
  while (to > from && counts[to - 1] === 0) to--;
  return from === to ? NO_BUCKETS : { offset: offset + from, counts: counts.slice(from, to) };
}

/** True for a valid number of observations. */
export function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function hasRepresentableBounds({ offset, counts }: BucketCounts, scale: number): boolean {
  if (counts.length === 0) return true;
  const last = offset + counts.length - 1;
  return Number.isInteger(offset) && (offset + 1) / 2 ** scale > MIN_EXPONENT && last / 2 ** scale < MAX_EXPONENT;
}
