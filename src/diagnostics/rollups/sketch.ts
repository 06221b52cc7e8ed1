import { SKETCH_BUCKETS, MAX_PACKED_BYTES, packBuckets, type PackedBucketSink } from './sketch-encoding.js';

/** Buckets that share an octave: six bits of mantissa, so that a bucket is 1/64 of its lower edge wide. */
const BUCKETS_PER_OCTAVE = 64;
const OCTAVES = 64;

/** Of the high half of a double: drops all but exponent and six mantissa bits, and brings 1 to bucket 1. */
const MANTISSA_SHIFT = 14;
const BUCKET_OF_ONE = (1023 << 6) - 1;
const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** Bucket of a value: 0 below 1, else counting up with it. Two values of one bucket differ by less than 1/64. */
export function bucketIndex(value: number): number {
  if (!(value >= 1)) return 0;
  float[0] = value;
  return Math.min((halves[HIGH] >>> MANTISSA_SHIFT) - BUCKET_OF_ONE, OCTAVES * BUCKETS_PER_OCTAVE - 1);
}

/** The middle of a bucket: at most 1/128 (0.78 %) away from any value in it. */
export function bucketMidpoint(bucket: number): number {
  if (bucket === 0) return 0;
  const octave = Math.floor((bucket - 1) / BUCKETS_PER_OCTAVE);
  const lower = 1 + ((bucket - 1) % BUCKETS_PER_OCTAVE) / BUCKETS_PER_OCTAVE;
  return (lower + 1 / (2 * BUCKETS_PER_OCTAVE)) * 2 ** octave;
}

/** Which of `count` values, counted from the largest, is the nearest-rank percentile; 0 where there are none. */
export function rankFromTop(p: number, count: number): number {
  return count === 0 ? 0 : count - Math.max(1, Math.ceil((p / 100) * count)) + 1;
}

/** What is packed at the moment: thousands of sketches a commit, and nothing is allocated for any. */
const listedBuckets = new Uint16Array(SKETCH_BUCKETS);
const listedCounts = new Uint32Array(SKETCH_BUCKETS);
const packed = new Uint8Array(MAX_PACKED_BYTES);

/** Counts of 64 buckets each. */
export type Octaves = (Uint32Array | undefined)[];

/**
 * Counts of values by logarithmic bucket: percentiles within 0.78 %, whatever was added in whatever order, and sketches
 * of parts add up to that of the whole. The idea is DDSketch's (Masson, Rim, Lee, VLDB 2019); the buckets are the
 * leading bits of the double, which costs neither a logarithm nor a rounding that could differ between machines.
 */
export class Sketch {
  private total = 0;

  /** Whoever keeps the counts in another way gives a list that all of its kind share, so that thousands of them are lighter. */
  constructor(private readonly octaves: Octaves = []) {}

  /** How many values were added. */
  get count(): number {
    return this.total;
  }

  /** A sketch with these counts, as `entries` gave them. */
  static fromEntries(entries: Iterable<readonly [bucket: number, count: number]>): Sketch {
    const sketch = new Sketch();
    for (const [bucket, count] of entries) sketch.addBucket(bucket, count);
    return sketch;
  }

  add(value: number, times = 1): void {
    this.addBucket(bucketIndex(value), times);
  }

  /** Negative `times` takes back what was added before. */
  addBucket(bucket: number, times = 1): void {
    const octave = bucket >> 6;
    const counts = (this.octaves[octave] ??= new Uint32Array(BUCKETS_PER_OCTAVE));
    counts[bucket & (BUCKETS_PER_OCTAVE - 1)] += times;
    this.total += times;
  }

  /** The first `size` buckets and their counts, ascending: many at the cost of few. */
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

  /** Empty again, with the memory that it has. */
  clear(): void {
    for (const counts of this.octaves) counts?.fill(0);
    this.total = 0;
  }

  merge(other: Sketch): void {
    other.addTo(this);
  }

  /** Adds all that this one counts to another: how, is for the one to say that knows how it keeps its counts. */
  addTo(into: Sketch): void {
    for (let octave = 0; octave < this.octaves.length; octave++) {
      const from = this.octaves[octave];
      if (from === undefined) continue;
      const counts = (into.octaves[octave] ??= new Uint32Array(BUCKETS_PER_OCTAVE));
      for (let i = 0; i < BUCKETS_PER_OCTAVE; i++) counts[i] += from[i];
    }
    into.total += this.total;
  }

  /** Visits the buckets with a count, ascending. */
  forEachBucket(visit: (bucket: number, count: number) => void): void {
    for (let octave = 0; octave < this.octaves.length; octave++) {
      const counts = this.octaves[octave];
      if (counts === undefined) continue;
      for (let i = 0; i < BUCKETS_PER_OCTAVE; i++) if (counts[i] > 0) visit(octave * BUCKETS_PER_OCTAVE + i, counts[i]);
    }
  }

  /** Puts the buckets with a count, ascending, and their counts into arrays with room for all; answers how many there are. */
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

  /** Hands over what it counts as packed-buckets.ts says. */
  packTo(sink: PackedBucketSink): void {
    sink.run(
      packed,
      0,
      packBuckets(listedBuckets, listedCounts, this.copyBucketsInto(listedBuckets, listedCounts), packed),
    );
  }

  /** Buckets with a count, ascending. */
  entries(): [bucket: number, count: number][] {
    const entries: [number, number][] = [];
    this.forEachBucket((bucket, count) => entries.push([bucket, count]));
    return entries;
  }

  /** Nearest-rank percentile, 0 < p ≤ 100: the smallest value that at least p % do not exceed. 0 where nothing was added. */
  percentile(p: number): number {
    let left = rankFromTop(p, this.total);
    for (let octave = this.octaves.length - 1; octave >= 0 && left > 0; octave--) {
      const counts = this.octaves[octave];
      if (counts === undefined) continue;
      for (let i = BUCKETS_PER_OCTAVE - 1; i >= 0; i--) {
        left -= counts[i];
        if (left <= 0) return bucketMidpoint(octave * BUCKETS_PER_OCTAVE + i);
      }
    }
    return 0;
  }

  /** How many of the values lie in buckets above that of `value`. */
  countAbove(value: number): number {
    const limit = bucketIndex(value);
    let above = 0;
    this.forEachBucket((bucket, count) => {
      if (bucket > limit) above += count;
    });
    return above;
  }
}
