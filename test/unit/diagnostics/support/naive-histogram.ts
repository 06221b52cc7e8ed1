import type {
  BucketCounts,
  ExplicitBuckets,
  ExponentialBuckets,
} from '../../../../src/telemetry/metric-distributions.js';

/** Histograms made of every single value, by the words of the OpenTelemetry metrics data model. */
export function explicitOf(values: readonly number[], bounds: readonly number[]): ExplicitBuckets {
  const counts = [-Infinity, ...bounds].map(
    (lower, i) => values.filter((value) => value > lower && value <= (bounds[i] ?? Infinity)).length,
  );
  return { kind: 'explicit', bounds, counts };
}

export function exponentialOf(values: readonly number[], scale: number, zeroThreshold = 0): ExponentialBuckets {
  const others = values.filter((value) => Math.abs(value) > zeroThreshold);
  const positive = runOf(
    others.filter((value) => value > 0),
    scale,
  );
  const negative = runOf(
    others.filter((value) => value < 0).map((value) => -value),
    scale,
  );
  return { kind: 'exponential', scale, zeroThreshold, zeroCount: values.length - others.length, positive, negative };
}

function runOf(values: readonly number[], scale: number): BucketCounts {
  if (values.length === 0) return { offset: 0, counts: [] };
  const indexes = values.map((value) => exponentialIndex(value, scale));
  const [first, last] = [Math.min(...indexes), Math.max(...indexes)];
  return {
    offset: first,
    counts: Array.from({ length: last - first + 1 }, (_, i) => indexes.filter((index) => index === first + i).length),
  };
}

/** Of the bucket whose upper end is the first that is not below the value: base^index < value ≤ base^(index + 1). */
export function exponentialIndex(value: number, scale: number): number {
  let index = Math.floor(Math.log2(value) * 2 ** scale) - 2;
  while (2 ** ((index + 1) / 2 ** scale) < value) index++;
  return index;
}
