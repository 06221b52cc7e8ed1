import type { Sketch } from '../../diagnostics/sketch.js';
import { PackedSketch } from './sketch-codec.js';

const OCTAVES = 64;
const FIRST_SIZE = 32;
/** Bytes that one more bucket takes at most: its distance and count, and one more byte of the distance behind it. */
const LONGEST_ENTRY = 2 + 5 + 1;

/** What is put into the bytes at the moment. */
const scratch = new Uint8Array(2 * LONGEST_ENTRY);

/** Where `seek` stands: an entry begins at `at`; the bucket next to the entry before it is `next`. */
let at = 0;
let next = 0;
/** The entry's bucket, or -1 past the last, and where its count begins. */
let found = -1;
let countAt = 0;

/**
 * A sketch that is packed all the time: to write it is to copy its bytes, which are a tenth of what its counts would take.
 * To add is to change a byte, mostly. For those that are written far more often than read.
 */
export class GrowingSketch extends PackedSketch {
  private sum = 0;
  /** Of each octave: where the first entry from it on begins, and the bucket next to the entry before that. */
  private readonly starts = new Uint16Array(OCTAVES);
  private readonly nexts = new Uint16Array(OCTAVES);

  constructor(from?: Sketch) {
    super(new Uint8Array(FIRST_SIZE), 0, 0);
    from?.each((bucket, count) => this.addBucket(bucket, count));
  }

  override get count(): number {
    return this.sum;
  }

  override addBucket(bucket: number, times = 1): void {
    this.sum += times;
    this.seek(bucket);
    if (found !== bucket) return this.replace(bucket, times, found, countAt);
    const byte = this.bytes[countAt];
    const low = (byte & 127) + times;
    if (low <= 127 && low >= (byte > 127 ? 0 : 1)) this.bytes[countAt] = byte + times;
    else this.recount(bucket, times);
  }

  override addBuckets(buckets: Uint16Array, counts: Uint32Array, size: number): void {
    for (let i = 0; i < size; i++) this.addBucket(buckets[i], counts[i]);
  }

  override merge(other: Sketch): void {
    other.each((bucket, count) => this.addBucket(bucket, count));
  }

  override clear(): void {
    this.end = this.sum = 0;
    this.starts.fill(0);
    this.nexts.fill(0);
  }

  /** Finds the entry of the bucket, or the one behind it. */
  private seek(bucket: number): void {
    const { bytes, end } = this;
    at = this.starts[bucket >>> 6];
    next = this.nexts[bucket >>> 6];
    while (at < end) {
      countAt = at + 1;
      let distance = bytes[at];
      if (distance > 127) distance = (distance & 127) | (bytes[countAt++] << 7);
      found = next + distance;
      if (found >= bucket) return;
      next = found + 1;
      at = countAt;
      while (bytes[at++] > 127);
    }
    found = -1;
    countAt = at;
  }

  /** Changes the length of a count, or drops its entry. `seek` stands there. */
  private recount(bucket: number, times: number): void {
    const { bytes, end } = this;
    let [count, behind] = [0, countAt];
    for (let shift = 0; ; shift += 7) {
      count |= (bytes[behind] & 127) << shift;
      if (bytes[behind++] < 128) break;
    }
    if (behind === end) return this.replace(bucket, count + times, -1, end);
    let distance = bytes[behind++];
    if (distance > 127) distance = (distance & 127) | (bytes[behind++] << 7);
    this.replace(bucket, count + times, bucket + 1 + distance, behind);
  }

  /**
   * Puts the bucket with its count where `seek` stands, or nothing for a count of 0. `following`: the bucket of the entry
   * behind it, or -1; its distance, which ends at `behind`, is put anew.
   */
  private replace(bucket: number, count: number, following: number, behind: number): void {
    let size = 0;
    if (count !== 0) {
      size = put(put(0, bucket - next), count >>> 0);
      next = bucket + 1;
    }
    const start = at + size;
    if (following >= 0) size = put(size, following - next);
    this.splice(behind, size);
    const shift = at + size - behind;
    const last = following < 0 ? OCTAVES - 1 : following >>> 6;
    for (let octave = (bucket >>> 6) + 1; octave < OCTAVES; octave++) {
      if (octave > last) this.starts[octave] += shift;
      else {
        this.starts[octave] = start;
        this.nexts[octave] = next;
      }
    }
  }

  /** Puts the first `size` bytes of the scratch in the place of those from `at` to `behind`. */
  private splice(behind: number, size: number): void {
    const length = this.end + at + size - behind;
    if (length > this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    if (behind < this.end && behind !== at + size) this.bytes.copyWithin(at + size, behind, this.end);
    for (let i = 0; i < size; i++) this.bytes[at + i] = scratch[i];
    this.end = length;
  }
}

/** Puts a number into the scratch, as ByteWriter does; answers where it ends. */
function put(to: number, value: number): number {
  let rest = value;
  for (; rest > 127; rest >>>= 7) scratch[to++] = (rest & 127) | 128;
  scratch[to++] = rest;
  return to;
}
