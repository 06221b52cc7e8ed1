/** A histogram with bounds chosen by its sender (opentelemetry/proto/metrics/v1 HistogramDataPoint). */
export interface ExplicitBuckets {
  readonly kind: 'explicit';
  /** Inclusive upper bounds, ascending; the last bucket is unbounded. */
  readonly bounds: readonly number[];
  /** One entry more than `bounds`. */
  readonly counts: readonly number[];
}

/** Counts of the buckets from index `offset` on; all others are empty. */
export interface BucketCounts {
  readonly offset: number;
  readonly counts: readonly number[];
}

/**
 * A histogram with exponential buckets (OpenTelemetry metrics data model, "ExponentialHistogram"): with base =
 * 2^(2^-scale), bucket i counts values in (base^i, base^(i+1)]; `negative` counts absolute values likewise. `zeroCount`
 * counts values no further from 0 than `zeroThreshold`.
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

/** Entry of a summary: quantile (0 to 1) and its value. */
export type QuantileValue = readonly [quantile: number, value: number];

/** One measurement behind a data point and the span in which it was taken; ids in lower-case hex, "" if absent. */
export interface Exemplar {
  readonly timeUs: number;
  readonly value: number;
  readonly traceId: string;
  readonly spanId: string;
}

/** Limits on what is stored of one data point. */
export const DATA_POINT_LIMITS = {
  /** Explicit buckets; a histogram with more is stored without buckets. */
  buckets: 320,
  /**
   * Exponential buckets from the first to the last non-empty one, on either side; a point with more is stored without
   * buckets.
   */
  run: 4_096,
  quantiles: 32,
  /** Those with the largest values are stored. */
  exemplars: 4,
} as const;
