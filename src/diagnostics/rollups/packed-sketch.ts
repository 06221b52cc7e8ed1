import {
  MAX_PACKED_BYTES,
  packBuckets,
  type PackedBucketSink,
  SKETCH_BUCKETS,
  unpackBuckets,
  bucketIndex,
  bucketMidpoint,
  type Octaves,
  rankFromTop,
  Sketch,
} from './sketch.js';

/** Buffers for unpacking, one sketch at a time, so that adding thousands allocates nothing. */
const unpackedBuckets = new Uint16Array(SKETCH_BUCKETS);
const unpackedCounts = new Uint32Array(SKETCH_BUCKETS);
const packed = new Uint8Array(MAX_PACKED_BYTES);

/** Small beside the rollup of a service, whose sketches keep it alive. */
const SLAB_BYTES = 4_096;
let slab = new Uint8Array(SLAB_BYTES);
let slabUsed = 0;

function sumCounts(size: number): number {
  let total = 0;
  for (let i = 0; i < size; i++) total += unpackedCounts[i];
  return total;
}

const NO_OCTAVES: Octaves = [];

/**
 * A sketch that stays encoded, usually in the blob it was read from: thousands of them cost hardly more than their
 * blobs, and adding one to another sketch reads it once. It is shared by all users of the rollup and therefore
 * immutable: merge it into a new one.
 */
export class PackedSketch extends Sketch {
  constructor(
    protected bytes: Uint8Array,
    private readonly start: number,
    protected end: number,
  ) {
    super(NO_OCTAVES);
  }

  /** Packs the first `size` buckets (ascending) and their counts. */
  static fromBuckets(buckets: Uint16Array, counts: Uint32Array, size: number): PackedSketch {
    const length = packBuckets(buckets, counts, size, packed);
    return new PackedSketch(packed.slice(0, length), 0, length);
  }

  /** The same, in a slab that it shares with those that are packed next: for many of one rollup, which live as long. */
  static fromBucketsInSlab(buckets: Uint16Array, counts: Uint32Array, size: number): PackedSketch {
    const length = packBuckets(buckets, counts, size, packed);
    if (slab.byteLength - slabUsed < length) [slab, slabUsed] = [new Uint8Array(Math.max(SLAB_BYTES, length)), 0];
    const start = slabUsed;
    slab.set(packed.subarray(0, length), start);
    slabUsed += length;
    return new PackedSketch(slab, start, slabUsed);
  }

  override get count(): number {
    return sumCounts(this.unpack());
  }

  override addTo(into: Sketch): void {
    into.addBuckets(unpackedBuckets, unpackedCounts, this.unpack());
  }

  override forEachBucket(visit: (bucket: number, count: number) => void): void {
    const size = this.unpack();
    const [buckets, counts] = [unpackedBuckets.slice(0, size), unpackedCounts.slice(0, size)];
    buckets.forEach((bucket, i) => visit(bucket, counts[i]));
  }

  override copyBucketsInto(buckets: Uint16Array, counts: Uint32Array): number {
    const size = this.unpack();
    buckets.set(unpackedBuckets.subarray(0, size));
    counts.set(unpackedCounts.subarray(0, size));
    return size;
  }

  override countAbove(value: number): number {
    const [limit, size] = [bucketIndex(value), this.unpack()];
    let above = 0;
    for (let i = size - 1; i >= 0 && unpackedBuckets[i] > limit; i--) above += unpackedCounts[i];
    return above;
  }

  override percentile(p: number): number {
    const size = this.unpack();
    let left = rankFromTop(p, sumCounts(size));
    for (let i = size - 1; i >= 0; i--) {
      left -= unpackedCounts[i];
      if (left <= 0) return bucketMidpoint(unpackedBuckets[i]);
    }
    return 0;
  }

  override addBucket(_bucket: number, _times?: number): void {
    throw new TypeError('a sketch of a stored rollup cannot be changed: merge it into a new one');
  }

  override addBuckets(buckets: Uint16Array, _counts: Uint32Array, _size: number): void {
    this.addBucket(buckets[0]);
  }

  override merge(_other: Sketch): void {
    this.addBucket(0);
  }

  override packTo(sink: PackedBucketSink): void {
    sink.appendBytes(this.bytes, this.start, this.end);
  }

  private unpack(): number {
    return unpackBuckets(this.bytes, this.start, this.end, unpackedBuckets, unpackedCounts);
  }
}
