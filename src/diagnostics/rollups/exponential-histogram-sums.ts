import type { BucketCounts, ExponentialBuckets } from '../../telemetry/metric-distributions.js';
import { ROLLUP_BOUNDS } from './rollup-types.js';

/*
 * Arithmetic of exponential histograms (OpenTelemetry metrics data model, "ExponentialHistogram"). Two buckets that
 * follow each other from an even index on are one bucket of the next smaller scale, so every scale can be brought to any
 * smaller one without loss but that of resolution.
 */

/** Scale at which SDKs begin; above it, indexes are no longer exact. */
const LARGEST_SCALE = 20;
/** Here one bucket holds all doubles above 1. */
const SMALLEST_SCALE = -10;
/** Doubles lie between these powers of 2. */
const LEAST_EXPONENT = -1_075;
const LARGEST_EXPONENT = 1_024;
/** More than log2 of any double is wrong by. */
const TOLERANCE = 2 ** -40;
/** Halvings that leave nothing of any index but its sign. */
const MOST_HALVINGS = 52;

const NO_RUN: BucketCounts = { offset: 0, counts: [] };
type Sign = 'positive' | 'negative';

/** At what scale counts are added up, and which of them are as good as zero. */
interface Resolution {
  readonly scale: number;
  readonly zeroThreshold: number;
  /** Index of the last bucket that the threshold covers; -Infinity where it is 0. */
  readonly covered: number;
}

/** Undefined where it is none: no such scale, counts that are none, buckets that hold no double. */
export function normalizeExponential(told: ExponentialBuckets): ExponentialBuckets | undefined {
  const { scale, zeroCount, zeroThreshold, positive, negative } = told;
  if (!(scale >= SMALLEST_SCALE) || !isCount(zeroCount) || !(zeroThreshold >= 0 && zeroThreshold < Infinity))
    return undefined;
  const trimmed = { ...told, positive: trim(positive), negative: trim(negative) };
  const isRight = [trimmed.positive, trimmed.negative].every(
    (run) => run.counts.every(isCount) && hasRepresentableBounds(run, scale),
  );
  return isRight ? sumExponential([trimmed]) : undefined;
}

export function isEmptyExponential({ zeroCount, positive, negative }: ExponentialBuckets): boolean {
  return zeroCount === 0 && positive.counts.length === 0 && negative.counts.length === 0;
}

/**
 * At the smallest scale of all, or a smaller one where there would be more than ROLLUP_BOUNDS.buckets. The threshold is
 * the largest, widened to the upper end of its bucket whether that holds anything or not: so it is the same in any order.
 */
export function sumExponential(parts: readonly ExponentialBuckets[]): ExponentialBuckets {
  const threshold = parts.reduce((most, { zeroThreshold }) => Math.max(most, zeroThreshold), 0);
  let scale = parts.reduce((least, part) => Math.min(least, part.scale), LARGEST_SCALE);
  while (countBucketsAt(parts, resolutionFor(scale, threshold)) > ROLLUP_BOUNDS.buckets) scale--;
  return addAtResolution(parts, resolutionFor(scale, threshold));
}

/** Undefined where a count fell. The result has the coarser grain of both. */
export function subtractExponential(
  newer: ExponentialBuckets,
  older: ExponentialBuckets,
): ExponentialBuckets | undefined {
  if (isEmptyExponential(older)) return newer;
  const grain = resolutionFor(Math.min(newer.scale, older.scale), Math.max(newer.zeroThreshold, older.zeroThreshold));
  const [all, before] = [addAtResolution([newer], grain), addAtResolution([older], grain)];
  const zeroCount = all.zeroCount - before.zeroCount;
  const positive = subtractRun(all.positive, before.positive);
  const negative = subtractRun(all.negative, before.negative);
  if (zeroCount < 0 || positive === undefined || negative === undefined) return undefined;
  return { ...all, zeroCount, positive, negative };
}

function resolutionFor(scale: number, threshold: number): Resolution {
  if (threshold === 0) return { scale, zeroThreshold: 0, covered: -Infinity };
  const end = Math.ceil((Math.log2(threshold) - TOLERANCE) * 2 ** scale);
  return { scale, zeroThreshold: Math.min(2 ** (end / 2 ** scale), Number.MAX_VALUE), covered: end - 1 };
}

function addAtResolution(parts: readonly ExponentialBuckets[], grain: Resolution): ExponentialBuckets {
  const { scale, zeroThreshold } = grain;
  let zeroCount = 0;
  for (const part of parts)
    zeroCount += part.zeroCount + countCovered(part, 'positive', grain) + countCovered(part, 'negative', grain);
  return {
    kind: 'exponential',
    scale,
    zeroThreshold,
    zeroCount,
    positive: addRuns(parts, 'positive', grain),
    negative: addRuns(parts, 'negative', grain),
  };
}

function countCovered(part: ExponentialBuckets, sign: Sign, { scale, covered }: Resolution): number {
  const { offset, counts } = part[sign];
  let sum = 0;
  const width = bucketsPerMerge(part.scale - scale);
  for (let i = 0; i < counts.length && Math.floor((offset + i) / width) <= covered; i++) sum += counts[i];
  return sum;
}

function addRuns(parts: readonly ExponentialBuckets[], sign: Sign, grain: Resolution): BucketCounts {
  const { first, last } = findIndexRange(parts, sign, grain);
  if (first > last) return NO_RUN;
  const sums = new Array<number>(last - first + 1).fill(0);
  for (const part of parts) {
    const { offset, counts } = part[sign];
    const width = bucketsPerMerge(part.scale - grain.scale);
    for (let i = 0; i < counts.length; i++) {
      const index = Math.floor((offset + i) / width);
      if (index >= first) sums[index - first] += counts[i];
    }
  }
  return { offset: first, counts: sums };
}

function countBucketsAt(parts: readonly ExponentialBuckets[], grain: Resolution): number {
  const [positive, negative] = [findIndexRange(parts, 'positive', grain), findIndexRange(parts, 'negative', grain)];
  return Math.max(0, positive.last - positive.first + 1) + Math.max(0, negative.last - negative.first + 1);
}

/** Indexes of the first and the last bucket that hold something, of trimmed runs. */
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

/** How many buckets are one at a scale that is smaller by so much: by their indexes divided by it, rounded down. */
function bucketsPerMerge(halvings: number): number {
  return 2 ** Math.min(halvings, MOST_HALVINGS);
}

/** Undefined where that takes more than there is. */
function subtractRun({ offset, counts }: BucketCounts, before: BucketCounts): BucketCounts | undefined {
  const left = [...counts];
  for (let i = 0; i < before.counts.length; i++) {
    if (before.counts[i] === 0) continue;
    const at = before.offset + i - offset;
    if (!(left[at] >= before.counts[i])) return undefined;
    left[at] -= before.counts[i];
  }
  return trim({ offset, counts: left });
}

/** Without empty buckets at its ends. */
function trim({ offset, counts }: BucketCounts): BucketCounts {
  let [from, to] = [0, counts.length];
  while (from < to && counts[from] === 0) from++;
  while (to > from && counts[to - 1] === 0) to--;
  return from === to ? NO_RUN : { offset: offset + from, counts: counts.slice(from, to) };
}

/** Whether so many observations can lie in a bucket. */
export function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function hasRepresentableBounds({ offset, counts }: BucketCounts, scale: number): boolean {
  if (counts.length === 0) return true;
  const last = offset + counts.length - 1;
  return Number.isInteger(offset) && (offset + 1) / 2 ** scale > LEAST_EXPONENT && last / 2 ** scale < LARGEST_EXPONENT;
}
