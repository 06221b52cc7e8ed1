import {
  SKETCH_BUCKETS,
  damagedSketchError,
  LONG_DISTANCE,
  MAX_SHORT_COUNT,
  packBuckets,
  MAX_PACKED_BYTES,
  type PackedBucketSink,
  bucketMidpoint,
  rankFromTop,
} from '../rollups/sketch.js';
import { createImmutableCounts, type ImmutableSketchCounts } from './immutable-sketch-counts.js';

/** Buffers for packing. Not shared with Sketch: one function for both representations takes 1.5 times as long. */
const listedBuckets = new Uint16Array(SKETCH_BUCKETS);
const listedCounts = new Uint32Array(SKETCH_BUCKETS);
const packed = new Uint8Array(MAX_PACKED_BYTES);

/**
 * Counts of a Sketch in an array of all buckets: four times as large, but packed sketches are added in half the time.
 */
export class DenseSketchCounts implements PackedBucketSink {
  private readonly counts = new Uint32Array(SKETCH_BUCKETS);
  /** The highest bucket counted since `clear`, or -1. */
  private highest = -1;
  /** Number of values added. */
  total = 0;

  get bytes(): number {
    return this.counts.byteLength;
  }

  /** Unpacks and adds a packed sketch (format: sketch.ts) in one pass: a chart adds millions of buckets. */
  appendBytes(bytes: Uint8Array, start: number, end: number): void {
    const { counts } = this;
    let [at, bucket, total] = [start, -1, 0];
    while (at < end) {
      const head = bytes[at++];
      let distance = head >> 4;
      let count = head & MAX_SHORT_COUNT;
      if (distance === LONG_DISTANCE) {
        const more = bytes[at++];
        distance += more > 127 ? (more & 127) | (bytes[at++] << 7) : more;
      }
      if (count === 0) {
        let byte = bytes[at++];
        count = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) count |= ((byte = bytes[at++]) & 127) << shift;
        count += MAX_SHORT_COUNT + 1;
      }
      bucket += distance + 1;
      counts[bucket] += count; // ignored beyond the array, which only damaged bytes reach
      total += count >>> 0;
    }
    if (at > end || bucket >= SKETCH_BUCKETS) throw damagedSketchError(bucket);
    this.total += total;
    this.highest = Math.max(this.highest, bucket);
  }

  addTo(into: DenseSketchCounts): void {
    for (let bucket = 0; bucket <= this.highest; bucket++) into.counts[bucket] += this.counts[bucket];
    into.highest = Math.max(into.highest, this.highest);
    into.total += this.total;
  }

  /** Adds the counts of consecutive buckets from `low` on; `total` is their sum. */
  addContiguous(low: number, counts: Uint16Array | Uint32Array, total: number): void {
    const own = this.counts;
    for (let i = 0; i < counts.length; i++) own[low + i] += counts[i];
    this.total += total;
    this.highest = Math.max(this.highest, low + counts.length - 1);
  }

  packTo(sink: PackedBucketSink): void {
    const size = this.listBuckets();
    sink.appendBytes(packed, 0, packBuckets(listedBuckets, listedCounts, size, packed));
  }

  /** An immutable copy; at least one value must have been added. */
  toImmutableCounts(): ImmutableSketchCounts {
    const size = this.listBuckets();
    return createImmutableCounts(listedBuckets, listedCounts, size);
  }

  /** See Sketch.percentile. */
  percentile(p: number): number {
    let remaining = rankFromTop(p, this.total);
    for (let bucket = this.highest; bucket >= 0; bucket--) {
      remaining -= this.counts[bucket];
      if (remaining <= 0) return bucketMidpoint(bucket);
    }
    return 0;
  }

  /** Lists the non-empty buckets in the shared buffers; returns how many there are. */
  private listBuckets(): number {
    let size = 0;
    for (let bucket = 0; bucket <= this.highest; bucket++) {
      if (this.counts[bucket] === 0) continue;
      listedBuckets[size] = bucket;
      listedCounts[size++] = this.counts[bucket];
    }
    return size;
  }

  clear(): void {
    this.counts.fill(0, 0, this.highest + 1);
    this.highest = -1;
    this.total = 0;
  }
}
