import { bucketOf, middleOf, rankFromTop, Sketch, type Octaves } from '../../diagnostics/sketch.js';
import { type ByteReader, DamagedRollup } from './byte-reader.js';
import type { ByteWriter } from './byte-writer.js';

const BUCKETS = 4096;

/** Bytes of the longest distance and of the longest count. */
const LONGEST_BUCKET = 2 + 5;

/** What is packed at the moment: thousands of sketches a commit, and nothing is allocated for any. */
const listedBuckets = new Uint16Array(BUCKETS);
const listedCounts = new Uint32Array(BUCKETS);
const packed = new Uint8Array(BUCKETS * LONGEST_BUCKET);

/** Buckets ascending, each as the number of those left out before it and its count, with their length in bytes before them. */
export function writeSketch(writer: ByteWriter, sketch: Sketch): void {
  if (sketch instanceof PackedSketch) return sketch.copyTo(writer);
  writer.run(packed, 0, pack(sketch.list(listedBuckets, listedCounts)));
}

/** Packs the buckets listed; answers how many bytes they take. Numbers as in ByteWriter. */
function pack(size: number): number {
  let [at, previous] = [0, -1];
  for (let i = 0; i < size; i++) {
    let distance = listedBuckets[i] - previous - 1;
    previous = listedBuckets[i];
    for (; distance > 127; distance >>>= 7) packed[at++] = (distance & 127) | 128;
    packed[at++] = distance;
    let count = listedCounts[i];
    for (; count > 127; count >>>= 7) packed[at++] = (count & 127) | 128;
    packed[at++] = count;
  }
  return at;
}

export function readSketch(reader: ByteReader): Sketch {
  const start = reader.run();
  return new PackedSketch(reader.bytes, start, reader.position);
}

/** What was unpacked last: one sketch at a time, so that adding thousands up allocates nothing. */
const unpackedBuckets = new Uint16Array(BUCKETS);
const unpackedCounts = new Uint32Array(BUCKETS);

/** Unpacks `bytes[start, end)`; answers how many buckets there are. */
function unpack(bytes: Uint8Array, start: number, end: number): number {
  let [size, bucket, at] = [0, -1, start];
  while (at < end) {
    let distance = bytes[at++];
    if (distance > 127) distance = (distance & 127) | (bytes[at++] << 7); // three bytes would lead past the last bucket
    let byte = bytes[at++];
    let count = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) count |= ((byte = bytes[at++]) & 127) << shift;
    bucket += distance + 1;
    if (at > end || bucket >= BUCKETS) throw new DamagedRollup(`sketch has bucket ${bucket} of ${BUCKETS}, or ends early`);
    unpackedBuckets[size] = bucket;
    unpackedCounts[size++] = count;
  }
  return size;
}

function totalOf(size: number): number {
  let total = 0;
  for (let i = 0; i < size; i++) total += unpackedCounts[i];
  return total;
}

const NO_OCTAVES: Octaves = [];

/**
 * A sketch that stays the bytes it was read from: thousands of them cost hardly more than their blobs, and adding one to
 * another sketch reads them once. It is shared by all who ask for the rollup, so it cannot be changed: merge it into a new one.
 */
export class PackedSketch extends Sketch {
  constructor(
    protected bytes: Uint8Array,
    private readonly start: number,
    protected end: number,
  ) {
    super(NO_OCTAVES);
  }

  override get count(): number {
    return totalOf(this.unpack());
  }

  override addTo(into: Sketch): void {
    into.addBuckets(unpackedBuckets, unpackedCounts, this.unpack());
  }

  override each(visit: (bucket: number, count: number) => void): void {
    const size = this.unpack();
    const [buckets, counts] = [unpackedBuckets.slice(0, size), unpackedCounts.slice(0, size)];
    buckets.forEach((bucket, i) => visit(bucket, counts[i]));
  }

  override list(buckets: Uint16Array, counts: Uint32Array): number {
    const size = this.unpack();
    buckets.set(unpackedBuckets.subarray(0, size));
    counts.set(unpackedCounts.subarray(0, size));
    return size;
  }

  override countAbove(value: number): number {
    const [limit, size] = [bucketOf(value), this.unpack()];
    let above = 0;
    for (let i = size - 1; i >= 0 && unpackedBuckets[i] > limit; i--) above += unpackedCounts[i];
    return above;
  }

  override percentile(p: number): number {
    const size = this.unpack();
    let left = rankFromTop(p, totalOf(size));
    for (let i = size - 1; i >= 0; i--) {
      left -= unpackedCounts[i];
      if (left <= 0) return middleOf(unpackedBuckets[i]);
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

  copyTo(writer: ByteWriter): void {
    writer.run(this.bytes, this.start, this.end);
  }

  private unpack(): number {
    return unpack(this.bytes, this.start, this.end);
  }
}
