import {
  type BucketCounts,
  DATA_POINT_LIMITS,
  type ExplicitBuckets,
  type ExponentialBuckets,
  type QuantileValue,
} from '../../metric-distributions.js';
import { BUCKETS, EXPONENTIAL_POINT, HISTOGRAM_POINT } from '../wire/otlp-field-tags.js';
import { copyToNumberList, readSignedVarint32, readUnsignedFixed64 } from '../wire/wire-values.js';
import type { WireReader } from '../wire/wire-reader.js';

/**
 * Reads the explicit buckets of consecutive histogram points from their fields, packed or unpacked. Memory is bounded,
 * whatever a point contains.
 */
export class ExplicitBucketReader {
  private readonly bounds = new Float64Array(DATA_POINT_LIMITS.buckets);
  private readonly counts = new Float64Array(DATA_POINT_LIMITS.buckets);
  /** Number of bounds and counts received, including those beyond the limit. */
  private receivedBounds = 0;
  private receivedCounts = 0;
  /** Bounds of the previous point. Most points have the same ones and then share the array. */
  private lastBounds: readonly number[] = [];

  reset(): void {
    this.receivedBounds = this.receivedCounts = 0;
  }

  /** Reads the field if it belongs to the buckets; returns false for any other tag. */
  readField(reader: WireReader, tag: number, end: number): boolean {
    if (tag === HISTOGRAM_POINT.bucketCounts) this.readCounts(reader, reader.readPayloadEnd(end), end);
    else if (tag === HISTOGRAM_POINT.bounds) this.readBounds(reader, reader.readPayloadEnd(end), end);
    else if (tag === HISTOGRAM_POINT.bucketCount) this.readCounts(reader, reader.pos + 1, end);
    else if (tag === HISTOGRAM_POINT.bound) this.readBounds(reader, reader.pos + 1, end);
    else return false;
    return true;
  }

  /**
   * Undefined if the point has no buckets or too many, if the bounds do not ascend, or if the counts do not match them.
   * An infinite bound separates nothing, so its two buckets are merged. A single bucket holds no more information than
   * the count.
   */
  toBuckets(): ExplicitBuckets | undefined {
    const { receivedBounds, counts } = this;
    if (
      receivedBounds === 0 ||
      receivedBounds >= DATA_POINT_LIMITS.buckets ||
      this.receivedCounts !== receivedBounds + 1 ||
      !this.hasAscendingBounds()
    )
      return undefined;
    const first = this.bounds[0] === -Infinity ? 1 : 0;
    const last = this.bounds[receivedBounds - 1] === Infinity ? receivedBounds - 1 : receivedBounds;
    if (first >= last) return undefined;
    if (first === 1) counts[1] += counts[0];
    if (last < receivedBounds) counts[last] += counts[receivedBounds];
    return {
      kind: 'explicit',
      bounds: this.shareBounds(first, last),
      counts: copyToNumberList(counts, first, last + 1),
    };
  }

  private readCounts(reader: WireReader, until: number, end: number): void {
    while (reader.pos < until) {
      const count = readUnsignedFixed64(reader, end);
      if (this.receivedCounts < this.counts.length) this.counts[this.receivedCounts] = count;
      this.receivedCounts++;
    }
  }

  private readBounds(reader: WireReader, until: number, end: number): void {
    while (reader.pos < until) {
      const bound = reader.readDouble(end);
      if (this.receivedBounds < this.bounds.length) this.bounds[this.receivedBounds] = bound;
      this.receivedBounds++;
    }
  }

  private hasAscendingBounds(): boolean {
    const { bounds, receivedBounds } = this;
    if (Number.isNaN(bounds[0])) return false;
    for (let i = 1; i < receivedBounds; i++) if (!(bounds[i] > bounds[i - 1])) return false;
    return true;
  }

  private shareBounds(first: number, last: number): readonly number[] {
    if (!this.matchesLastBounds(first, last)) this.lastBounds = copyToNumberList(this.bounds, first, last);
    return this.lastBounds;
  }

  private matchesLastBounds(first: number, last: number): boolean {
    const { bounds, lastBounds } = this;
    if (lastBounds.length !== last - first) return false;
    for (let i = first; i < last; i++) if (bounds[i] !== lastBounds[i - first]) return false;
    return true;
  }
}

/**
 * Reads the buckets of consecutive exponential histogram points from their fields. Memory is bounded, whatever a point
 * contains.
 */
export class ExponentialBucketReader {
  private scale = 0;
  private zeroCount = 0;
  private zeroThreshold = 0;
  private readonly positive = new BucketCountsReader();
  private readonly negative = new BucketCountsReader();

  reset(): void {
    this.scale = this.zeroCount = this.zeroThreshold = 0;
    this.positive.reset();
    this.negative.reset();
  }

  /** Reads the field if it belongs to the buckets; returns false for any other tag. */
  readField(reader: WireReader, tag: number, end: number): boolean {
    if (tag === EXPONENTIAL_POINT.scale) this.scale = readSignedVarint32(reader, end);
    else if (tag === EXPONENTIAL_POINT.zeroCount) this.zeroCount = readUnsignedFixed64(reader, end);
    else if (tag === EXPONENTIAL_POINT.zeroThreshold) this.zeroThreshold = reader.readDouble(end);
    else if (tag === EXPONENTIAL_POINT.positive) this.positive.read(reader, reader.readPayloadEnd(end));
    else if (tag === EXPONENTIAL_POINT.negative) this.negative.read(reader, reader.readPayloadEnd(end));
    else return false;
    return true;
  }

  /**
   * The buckets as sent, without empty ones at the ends; undefined past DATA_POINT_LIMITS. Scale and threshold are not
   * validated here.
   */
  toBuckets(): ExponentialBuckets | undefined {
    const { scale, zeroCount, zeroThreshold } = this;
    const positive = this.positive.toBucketCounts();
    const negative = this.negative.toBucketCounts();
    if (positive === undefined || negative === undefined) return undefined;
    return { kind: 'exponential', scale, zeroThreshold, zeroCount, positive, negative };
  }
}

const NO_BUCKETS: BucketCounts = { offset: 0, counts: [] };

/** Reads one side of an exponential histogram; repeated messages are merged, as protobuf prescribes. */
class BucketCountsReader {
  private readonly counts = new Float64Array(DATA_POINT_LIMITS.run);
  private offset = 0;
  /** Counts received, index of the first non-zero one, and the length from that to the last non-zero one. */
  private receivedCounts = 0;
  private first = 0;
  private size = 0;

  reset(): void {
    this.counts.fill(0, 0, this.size);
    this.offset = this.receivedCounts = this.first = this.size = 0;
  }

  read(reader: WireReader, end: number): void {
    while (reader.pos < end) {
      const tag = reader.readTag(end);
      if (tag === BUCKETS.counts) this.readPacked(reader, reader.readPayloadEnd(end));
      else if (tag === BUCKETS.count) this.addCount(reader.readVarint(end));
      else if (tag === BUCKETS.offset) this.offset = readSignedVarint32(reader, end);
      else reader.skip(tag, end);
    }
  }

  /** Without the empty buckets at both ends; undefined past DATA_POINT_LIMITS. */
  toBucketCounts(): BucketCounts | undefined {
    const { size } = this;
    if (size === 0) return NO_BUCKETS;
    return size > DATA_POINT_LIMITS.run
      ? undefined
      : { offset: this.offset + this.first, counts: copyToNumberList(this.counts, 0, size) };
  }

  private readPacked(reader: WireReader, end: number): void {
    while (reader.pos < end) this.addCount(reader.readVarint(end));
  }

  private addCount(count: number): void {
    const index = this.receivedCounts++;
    if (count === 0) return;
    if (this.size === 0) this.first = index;
    const at = index - this.first;
    if (at < DATA_POINT_LIMITS.run) this.counts[at] = count;
    this.size = at + 1;
  }
}

/** Collects the quantiles of consecutive summary points. */
export class QuantileCollector {
  private readonly values = new Map<number, number>();

  reset(): void {
    if (this.values.size > 0) this.values.clear();
  }

  /**
   * The last value of a repeated quantile wins. Ignores invalid quantiles, non-finite values (an empty summary sends
   * NaN) and those past the limit.
   */
  add(quantile: number, value: number): void {
    if (!(quantile >= 0 && quantile <= 1) || !Number.isFinite(value)) return;
    if (this.values.size < DATA_POINT_LIMITS.quantiles || this.values.has(quantile)) this.values.set(quantile, value);
  }

  /** By quantile ascending; undefined if there are none. */
  toList(): readonly QuantileValue[] | undefined {
    return this.values.size === 0 ? undefined : [...this.values].sort(([a], [b]) => a - b);
  }
}
