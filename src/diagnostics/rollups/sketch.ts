import { DamagedRollup } from './damaged-rollup.js';

/*
 * Encoding of a sketch's counts: buckets ascending. Each begins with a byte whose upper half is the number of skipped
 * buckets before it and whose lower half is its count. Where one of them does not fit, the rest of it follows as a
 * varint (seven bits per byte, lowest first; the last byte is below 128): after an upper half of 15, the distance less
 * 15; after a lower half of 0, the count less 16. Most buckets of a minute take one byte.
 */

/** Upper half of the first byte if a varint with the rest of the distance follows. */
export const LONG_DISTANCE = 15;

/** Largest count in the lower half of the first byte. For a larger one it is 0, and the count less one more follows. */
export const MAX_SHORT_COUNT = 15;

/** Number of buckets of a sketch. */
export const SKETCH_BUCKETS = 4096;

/** The first byte, and the longest rests of a distance and a count. */
const MAX_BYTES_PER_BUCKET = 1 + 2 + 5;

/** Large enough for any packed sketch. */
export const MAX_PACKED_BYTES = SKETCH_BUCKETS * MAX_BYTES_PER_BUCKET;

/** Consumer of a packed sketch. Must read `bytes[start, end)` before it returns: the buffer is reused. */
export interface PackedBucketSink {
  appendBytes(bytes: Uint8Array, start: number, end: number): void;
}

/** Packs the first `size` buckets and their counts; returns the number of bytes written. */
export function packBuckets(buckets: Uint16Array, counts: Uint32Array, size: number, into: Uint8Array): number {
  let [at, previous] = [0, -1];
  for (let i = 0; i < size; i++) {
    const distance = buckets[i] - previous - 1;
    const count = counts[i];
    previous = buckets[i];
    const isShort = count <= MAX_SHORT_COUNT;
    into[at++] = (Math.min(distance, LONG_DISTANCE) << 4) | (isShort ? count : 0);
    if (distance >= LONG_DISTANCE) at = packVarint(distance - LONG_DISTANCE, into, at);
    if (!isShort) at = packVarint(count - MAX_SHORT_COUNT - 1, into, at);
  }
  return at;
}

/** Writes an unsigned number below 2^32 as a varint; returns its end. */
export function packVarint(value: number, into: Uint8Array, start: number): number {
  let [at, rest] = [start, value];
  for (; rest > 127; rest >>>= 7) into[at++] = (rest & 127) | 128;
  into[at++] = rest;
  return at;
}

/**
 * Unpacks `bytes[start, end)` into arrays of SKETCH_BUCKETS length; returns the number of buckets. Throws
 * DamagedRollup.
 */
export function unpackBuckets(
  bytes: Uint8Array,
  start: number,
  end: number,
  buckets: Uint16Array,
  counts: Uint32Array,
): number {
  let [size, bucket, at] = [0, -1, start];
  while (at < end) {
    const head = bytes[at++];
    let distance = head >> 4;
    if (distance === LONG_DISTANCE) {
      const more = bytes[at++];
      distance += more > 127 ? (more & 127) | (bytes[at++] << 7) : more; // a third byte would exceed the last bucket
    }
    let count = head & MAX_SHORT_COUNT;
    if (count === 0) {
      let byte = bytes[at++];
      count = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) count |= ((byte = bytes[at++]) & 127) << shift;
      count += MAX_SHORT_COUNT + 1;
    }
    bucket += distance + 1;
    if (at > end || bucket >= SKETCH_BUCKETS) throw damagedSketchError(bucket);
    buckets[size] = bucket;
    counts[size++] = count;
  }
  return size;
}

export function damagedSketchError(bucket: number): DamagedRollup {
  return new DamagedRollup(`sketch has bucket ${bucket} of ${SKETCH_BUCKETS}, or ends early`);
}

/** Buckets per octave: six mantissa bits, so that a bucket is 1/64 of its lower edge wide. */
const BUCKETS_PER_OCTAVE = 64;
const OCTAVES = 64;

/**
 * Shift of the high half of a double: drops all but the exponent and six mantissa bits; BUCKET_OF_ONE then maps 1 to
 * bucket 1.
 */
const MANTISSA_SHIFT = 14;
const BUCKET_OF_ONE = (1023 << 6) - 1;
const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** Bucket of a value: 0 below 1, otherwise increasing with it. Two values of one bucket differ by less than 1/64. */
export function bucketIndex(value: number): number {
  if (!(value >= 1)) return 0;
  float[0] = value;
  return Math.min((halves[HIGH] >>> MANTISSA_SHIFT) - BUCKET_OF_ONE, OCTAVES * BUCKETS_PER_OCTAVE - 1);
}

/** Midpoint of a bucket: at most 1/128 (0.78 %) away from any value in it. */
export function bucketMidpoint(bucket: number): number {
  if (bucket === 0) return 0;
  const octave = Math.floor((bucket - 1) / BUCKETS_PER_OCTAVE);
  const lower = 1 + ((bucket - 1) % BUCKETS_PER_OCTAVE) / BUCKETS_PER_OCTAVE;
  return (lower + 1 / (2 * BUCKETS_PER_OCTAVE)) * 2 ** octave;
}

/** Rank, counted from the largest of `count` values, of the nearest-rank percentile; 0 without values. */
export function rankFromTop(p: number, count: number): number {
  return count === 0 ? 0 : count - Math.max(1, Math.ceil((p / 100) * count)) + 1;
}

/** Buffers for packing, shared because thousands of sketches are packed per commit. */
const listedBuckets = new Uint16Array(SKETCH_BUCKETS);
const listedCounts = new Uint32Array(SKETCH_BUCKETS);
const packed = new Uint8Array(MAX_PACKED_BYTES);

/** Counts of 64 buckets each. */
export type Octaves = (Uint32Array | undefined)[];

/**
 * Counts of values by logarithmic bucket: percentiles within 0.78 %, independent of the order of additions, and
 * sketches of parts add up to the sketch of the whole. The idea is from DDSketch (Masson, Rim, Lee, VLDB 2019); buckets
 * are the leading bits of the double, which avoids logarithms and rounding that could differ between machines.
 */
export class Sketch {
  private total = 0;

  /** Subclasses that store their counts differently pass one shared array, which makes thousands of them cheaper. */
  constructor(private readonly octaves: Octaves = []) {}

  /** Number of values added. */
  get count(): number {
    return this.total;
  }

  /** Creates a sketch from the result of `entries`. */
  static fromEntries(entries: Iterable<readonly [bucket: number, count: number]>): Sketch {
    const sketch = new Sketch();
    for (const [bucket, count] of entries) sketch.addBucket(bucket, count);
    return sketch;
  }

  add(value: number, times = 1): void {
    this.addBucket(bucketIndex(value), times);
  }

  /** A negative `times` undoes earlier additions. */
  addBucket(bucket: number, times = 1): void {
    const octave = bucket >> 6;
    const counts = (this.octaves[octave] ??= new Uint32Array(BUCKETS_PER_OCTAVE));
    counts[bucket & (BUCKETS_PER_OCTAVE - 1)] += times;
    this.total += times;
  }

  /** Adds the first `size` buckets (ascending) and their counts in one pass. */
  addBuckets(buckets: Uint16Array, counts: Uint32Array, size: number): void {
    let [octave, total] = [-1, 0];
    let own: Uint32Array | undefined;
    for (let i = 0; i < size; i++) {
      const bucket = buckets[i];
      if (own === undefined || bucket >> 6 !== octave) {
        octave = bucket >> 6;
        own = this.octaves[octave] ??= new Uint32Array(BUCKETS_PER_OCTAVE);
      }
      own[bucket & (BUCKETS_PER_OCTAVE - 1)] += counts[i];
      total += counts[i];
    }
    this.total += total;
  }

  /** Removes all values but keeps the allocated memory. */
  clear(): void {
    for (const counts of this.octaves) counts?.fill(0);
    this.total = 0;
  }

  merge(other: Sketch): void {
    other.addTo(this);
  }

  /** Adds the counts of this sketch to another; subclasses override it for their own representation. */
  addTo(into: Sketch): void {
    for (let octave = 0; octave < this.octaves.length; octave++) {
      const from = this.octaves[octave];
      if (from === undefined) continue;
      const counts = (into.octaves[octave] ??= new Uint32Array(BUCKETS_PER_OCTAVE));
      for (let i = 0; i < BUCKETS_PER_OCTAVE; i++) counts[i] += from[i];
    }
    into.total += this.total;
  }

  /** Visits the non-empty buckets, ascending. */
  forEachBucket(visit: (bucket: number, count: number) => void): void {
    for (let octave = 0; octave < this.octaves.length; octave++) {
      const counts = this.octaves[octave];
      if (counts === undefined) continue;
      for (let i = 0; i < BUCKETS_PER_OCTAVE; i++) if (counts[i] > 0) visit(octave * BUCKETS_PER_OCTAVE + i, counts[i]);
    }
  }

  /**
   * Copies the non-empty buckets, ascending, and their counts into arrays of SKETCH_BUCKETS length; returns how many
   * there are.
   */
  copyBucketsInto(buckets: Uint16Array, counts: Uint32Array): number {
    let size = 0;
    for (let octave = 0; octave < this.octaves.length; octave++) {
      const own = this.octaves[octave];
      if (own === undefined) continue;
      for (let i = 0; i < BUCKETS_PER_OCTAVE; i++) {
        if (own[i] === 0) continue;
        buckets[size] = octave * BUCKETS_PER_OCTAVE + i;
        counts[size++] = own[i];
      }
    }
    return size;
  }

  /** Passes the packed counts to the sink (format above). */
  packTo(sink: PackedBucketSink): void {
    sink.appendBytes(
      packed,
      0,
      packBuckets(listedBuckets, listedCounts, this.copyBucketsInto(listedBuckets, listedCounts), packed),
    );
  }

  /** Non-empty buckets, ascending. */
  entries(): [bucket: number, count: number][] {
    const entries: [number, number][] = [];
    this.forEachBucket((bucket, count) => entries.push([bucket, count]));
    return entries;
  }

  /**
   * Nearest-rank percentile, 0 < p ≤ 100: the smallest value that at least p % do not exceed. 0 if the sketch is empty.
   */
  percentile(p: number): number {
    let remaining = rankFromTop(p, this.total);
    for (let octave = this.octaves.length - 1; octave >= 0 && remaining > 0; octave--) {
      const counts = this.octaves[octave];
      if (counts === undefined) continue;
      for (let i = BUCKETS_PER_OCTAVE - 1; i >= 0; i--) {
        remaining -= counts[i];
        if (remaining <= 0) return bucketMidpoint(octave * BUCKETS_PER_OCTAVE + i);
      }
    }
    return 0;
  }

  /** Number of values in buckets above that of `value`. */
  countAbove(value: number): number {
    const limit = bucketIndex(value);
    let above = 0;
    this.forEachBucket((bucket, count) => {
      if (bucket > limit) above += count;
    });
    return above;
  }
}
