import { toUniformSegments } from '../chart-series/histogram-quantile.js';
import type { ObservedRange } from '../rollups/observed-range.js';
import { PackedSketch } from '../rollups/packed-sketch.js';
import { bucketIndex, bucketMidpoint, type Sketch, SKETCH_BUCKETS } from '../rollups/sketch.js';
import type { HistogramBuckets } from '../../telemetry/metric-distributions.js';

/** Positions in a bucket over which its observations are spread. */
const POSITIONS = 16;

/** Observations of histograms in some unit. */
export interface ObservedDistribution extends ObservedRange {
  readonly count: number;
  /** NaN if not reported. */
  readonly sum: number;
  readonly buckets: readonly HistogramBuckets[];
}

/**
 * Collects durations (ns) and packs them. One instance serves all sketches of a thread, one after the other: thousands
 * are built for one answer.
 */
class LatencySketchBuilder {
  private readonly counts = new Uint32Array(SKETCH_BUCKETS);
  private first = SKETCH_BUCKETS;
  private last = -1;

  clear(): void {
    if (this.last >= 0) this.counts.fill(0, this.first, this.last + 1);
    this.first = SKETCH_BUCKETS;
    this.last = -1;
  }

  add(ns: number, times: number): void {
    this.addBucket(bucketIndex(ns), times);
  }

  addBucket(bucket: number, times: number): void {
    this.counts[bucket] += times;
    if (bucket < this.first) this.first = bucket;
    if (bucket > this.last) this.last = bucket;
  }

  /**
   * Adds a distribution; `unitNs`: length of its unit. Observations are spread evenly within their bucket, as for
   * quantiles of charts (see estimateQuantile); without buckets all lie at the mean. What the buckets do not contain,
   * because a sender changed its layouts, lies at the mean as well.
   */
  addDistribution(distribution: ObservedDistribution, unitNs: number): void {
    const { count, sum, buckets } = distribution;
    let rest = count;
    for (const { lower, upper, count: observations } of toUniformSegments(buckets, distribution)) {
      const inBucket = Math.min(rest, Math.round(observations));
      this.addEvenly(Math.max(0, lower) * unitNs, Math.max(0, upper) * unitNs, inBucket);
      rest -= inBucket;
    }
    if (rest > 0) this.add(Number.isNaN(sum) ? 0 : (Math.max(0, sum) / count) * unitNs, rest);
  }

  /** Number of durations that are not above that of `ns`, like the inverse of Sketch.countAbove. */
  countWithin(ns: number): number {
    const limit = Math.min(bucketIndex(ns), this.last);
    let within = 0;
    for (let bucket = this.first; bucket <= limit; bucket++) within += this.counts[bucket];
    return within;
  }

  /** Sum of the durations (ns) of a distribution that does not report it, from the midpoints of buckets. */
  estimateSum(distribution: ObservedDistribution, unitNs: number): number {
    this.clear();
    this.addDistribution(distribution, unitNs);
    let sum = 0;
    for (let bucket = this.first; bucket <= this.last; bucket++)
      if (this.counts[bucket] > 0) sum += this.counts[bucket] * bucketMidpoint(bucket);
    return Math.round(sum);
  }

  pack(): PackedSketch {
    let size = 0;
    for (let bucket = this.first; bucket <= this.last; bucket++) {
      if (this.counts[bucket] === 0) continue;
      packedBuckets[size] = bucket;
      packedCounts[size++] = this.counts[bucket];
    }
    return PackedSketch.fromBuckets(packedBuckets, packedCounts, size);
  }

  private addEvenly(lower: number, upper: number, count: number): void {
    const positions = Math.min(POSITIONS, count);
    for (let i = 0; i < positions; i++) {
      const times = Math.floor((count * (i + 1)) / positions) - Math.floor((count * i) / positions);
      this.add(lower + ((upper - lower) * (i + 0.5)) / positions, times);
    }
  }
}

const packedBuckets = new Uint16Array(SKETCH_BUCKETS);
const packedCounts = new Uint32Array(SKETCH_BUCKETS);

/** Clear before use; valid until the next use. */
export const latencySketchBuilder = new LatencySketchBuilder();

/** A sketch of the same values, each multiplied by `factor`. */
export function scaleSketch(sketch: Sketch, factor: number): PackedSketch {
  latencySketchBuilder.clear();
  const size = sketch.copyBucketsInto(listedBuckets, listedCounts);
  for (let i = 0; i < size; i++) latencySketchBuilder.add(bucketMidpoint(listedBuckets[i]) * factor, listedCounts[i]);
  return latencySketchBuilder.pack();
}

const listedBuckets = new Uint16Array(SKETCH_BUCKETS);
const listedCounts = new Uint32Array(SKETCH_BUCKETS);

/** A sketch of the values of all sketches. */
export function joinSketches(sketches: readonly Sketch[]): Sketch {
  if (sketches.length === 1) return sketches[0];
  latencySketchBuilder.clear();
  for (const sketch of sketches) {
    const size = sketch.copyBucketsInto(listedBuckets, listedCounts);
    for (let i = 0; i < size; i++) latencySketchBuilder.addBucket(listedBuckets[i], listedCounts[i]);
  }
  return latencySketchBuilder.pack();
}
