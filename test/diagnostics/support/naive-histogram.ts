import type { BucketRun, ExplicitBuckets, ExponentialBuckets } from '../../../src/telemetry/distribution.js';

/** Histograms made of every single value, by the words of the OpenTelemetry metrics data model. */
export function explicitOf(values: readonly number[], bounds: readonly number[]): ExplicitBuckets {
  const counts = [-Infinity, ...bounds].map((lower, i) => values.filter((value) => value > lower && value <= (bounds[i] ?? Infinity)).length);
  return { kind: 'explicit', bounds, counts };
}

export function exponentialOf(values: readonly number[], scale: number): ExponentialBuckets {
  const zeroCount = values.filter((value) => value === 0).length;
  const positive = runOf(values.filter((value) => value > 0), scale);
  const negative = runOf(values.filter((value) => value < 0).map((value) => -value), scale);
  return { kind: 'exponential', scale, zeroThreshold: 0, zeroCount, positive, negative };
}

function runOf(values: readonly number[], scale: number): BucketRun {
  if (values.length === 0) return { offset: 0, counts: [] };
  const indexes = values.map((value) => indexOf(value, scale));
  const [first, last] = [Math.min(...indexes), Math.max(...indexes)];
  return { offset: first, counts: Array.from({ length: last - first + 1 }, (_, i) => indexes.filter((index) => index === first + i).length) };
}

/** Steps from bucket to bucket until base^index < value ≤ base^(index + 1). */
function indexOf(value: number, scale: number): number {
  const lower = (index: number): number => 2 ** (index * 2 ** -scale);
  let index = 0;
  while (lower(index) >= value) index--;
  while (lower(index + 1) < value) index++;
  return index;
}
