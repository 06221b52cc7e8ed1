/** A histogram with the bounds that its sender chose (opentelemetry/proto/metrics/v1 HistogramDataPoint). */
export interface ExplicitBuckets {
  readonly kind: 'explicit';
  /** Upper bounds, ascending, each part of its bucket; the last bucket has none. */
  readonly bounds: readonly number[];
  /** One more than there are bounds. */
  readonly counts: readonly number[];
}

/** Counts of the buckets from index `offset` on; all others are empty. */
export interface BucketCounts {
  readonly offset: number;
  readonly counts: readonly number[];
}

/**
 * A histogram of exponential buckets (OpenTelemetry metrics data model, "ExponentialHistogram"): with base = 2^(2^-scale)
 * bucket i holds what lies in (base^i, base^(i+1)]; `negative` the same of absolute values. Values no further from 0 than
 * `zeroThreshold` are `zeroCount`.
 */
export interface ExponentialBuckets {
  readonly kind: 'exponential';
  readonly scale: number;
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  readonly positive: BucketCounts;
  readonly negative: BucketCounts;
}

export type HistogramBuckets = ExplicitBuckets | ExponentialBuckets;

/** What a summary tells: the value of a quantile (0 to 1). */
export type QuantileValue = readonly [quantile: number, value: number];

/** One measurement that a data point is made of, and the span in which it was taken; ids in lower-case hex, "" where it names none. */
export interface Exemplar {
  readonly timeUs: number;
  readonly value: number;
  readonly traceId: string;
  readonly spanId: string;
}

/** What is kept of one data point at most, whatever it sends. */
export const DATA_POINT_LIMITS = {
  /** Explicit buckets; of a histogram with more, none. */
  buckets: 320,
  /** Exponential buckets from the first to the last that is not empty, on either side; of a point with more, none. */
  run: 4_096,
  quantiles: 32,
  /** Those of the largest values. */
  exemplars: 4,
} as const;
