import { toUniformSegments, type ObservedRange } from '../chart-series/histogram-quantile.js';
import { bucketMidpoint, Sketch } from '../rollups/sketch.js';
import type { HistogramBuckets } from '../../telemetry/metric-distributions.js';

/** Positions in a bucket over which its observations are spread. */
const POSITIONS = 16;

/** Observations of a histogram in some unit. */
export interface ObservedDistribution extends ObservedRange {
  readonly count: number;
  /** NaN if not reported. */
  readonly sum: number;
  readonly buckets: readonly HistogramBuckets[];
}

/**
 * Adds a distribution to a sketch of ns; `unitNs`: length of its unit. Observations are spread evenly within their
 * bucket, as for quantiles of charts (see estimateQuantile); without buckets all lie at the mean. What the buckets do
 * not contain, because a sender changed its layouts, lies at the mean as well.
 */
export function addDistribution(sketch: Sketch, distribution: ObservedDistribution, unitNs: number): void {
  const { count, sum, buckets } = distribution;
  let rest = count;
  for (const { lower, upper, count: observations } of toUniformSegments(buckets, distribution)) {
    const inBucket = Math.min(rest, Math.round(observations));
    addEvenly(sketch, Math.max(0, lower) * unitNs, Math.max(0, upper) * unitNs, inBucket);
    rest -= inBucket;
  }
  if (rest > 0) sketch.add(Number.isNaN(sum) ? 0 : (Math.max(0, sum) / count) * unitNs, rest);
}

function addEvenly(sketch: Sketch, lower: number, upper: number, count: number): void {
  const positions = Math.min(POSITIONS, count);
  for (let i = 0; i < positions; i++) {
    const times = Math.floor((count * (i + 1)) / positions) - Math.floor((count * i) / positions);
    sketch.add(lower + ((upper - lower) * (i + 0.5)) / positions, times);
  }
}

/** A sketch of the same values, each multiplied by `factor`. */
export function scaleSketch(sketch: Sketch, factor: number): Sketch {
  const scaled = new Sketch();
  sketch.forEachBucket((bucket, count) => scaled.add(bucketMidpoint(bucket) * factor, count));
  return scaled;
}

/** Sum of the values of a sketch, from the midpoints of its buckets. */
export function estimateSum(sketch: Sketch): number {
  let sum = 0;
  sketch.forEachBucket((bucket, count) => (sum += bucketMidpoint(bucket) * count));
  return Math.round(sum);
}
