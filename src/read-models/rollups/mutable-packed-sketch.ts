import type { Sketch } from '../../diagnostics/rollups/sketch.js';
import { PackedSketch } from './sketch-codec.js';

/** Buckets a step of the index, as a shift: what an addition has to go through at most. */
const STEP = 4;
/** Of an index entry: its position above, its bucket below. */
const POSITION = 2 ** 16;
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
export class MutablePackedSketch extends PackedSketch {
  private sum = 0;
  /**
   * Of each step from the first to the last with an entry, and of what comes after: where the first entry from it on
   * begins, and the bucket next to the entry before that.
   */
  private index = new Uint32Array(1);
  private firstStep = 0;

  constructor(from?: Sketch) {
    super(new Uint8Array(FIRST_SIZE), 0, 0);
    from?.forEachBucket((bucket, count) => this.addBucket(bucket, count));
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
    other.forEachBucket((bucket, count) => this.addBucket(bucket, count));
  }

  override clear(): void {
    this.end = this.sum = 0;
    this.index = new Uint32Array(1);
  }

  /** Finds the entry of the bucket, or the one behind it. */
  private seek(bucket: number): void {
    const { bytes, end, index } = this;
    const step = (bucket >>> STEP) - this.firstStep;
    const mark = step < 0 ? 0 : index[Math.min(step, index.length - 1)];
    let position = mark >>> 16;
    let from = mark & (POSITION - 1);
    while (position < end) {
      let behind = position + 1;
      let distance = bytes[position];
      if (distance > 127) distance = (distance & 127) | (bytes[behind++] << 7);
      if (from + distance >= bucket) return setPosition(position, from, from + distance, behind);
      from += distance + 1;
      position = behind;
      while (bytes[position++] > 127);
    }
    setPosition(position, from, -1, position);
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
      size = putVarint(putVarint(0, bucket - next), count >>> 0);
      next = bucket + 1;
    }
    const start = at + size;
    if (following >= 0) size = putVarint(size, following - next);
    this.splice(behind, size);
    this.mark(
      bucket >>> STEP,
      following < 0 ? Infinity : following >>> STEP,
      start * POSITION + next,
      (at + size - behind) * POSITION,
    );
  }

  /** Steps behind `step`, up to that of the entry that follows, begin with it, and those behind have moved. */
  private mark(step: number, following: number, start: number, shift: number): void {
    const { index, firstStep } = this;
    const own = step - firstStep;
    if (own < 0 || own >= index.length - 1) return this.widen(step);
    const last = Math.min(following - firstStep, index.length - 1);
    for (let i = own + 1; i <= last; i++) index[i] = start;
    for (let i = last + 1; i < index.length; i++) index[i] += shift;
  }

  /** Makes the index anew, so that it has the step. */
  private widen(step: number): void {
    const { bytes, end, index, firstStep } = this;
    const from = index.length === 1 ? step : Math.min(step, firstStep);
    const to = index.length === 1 ? step : Math.max(step, firstStep + index.length - 2);
    const made = new Uint32Array(to - from + 2);
    let [filled, position, bucket] = [0, 0, 0];
    while (position < end) {
      const mark = position * POSITION + bucket;
      let distance = bytes[position++];
      if (distance > 127) distance = (distance & 127) | (bytes[position++] << 7);
      bucket += distance;
      while (filled <= (bucket >>> STEP) - from) made[filled++] = mark;
      bucket++;
      while (bytes[position++] > 127);
    }
    made.fill(end * POSITION + bucket, filled);
    this.index = made;
    this.firstStep = from;
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

function setPosition(position: number, from: number, entry: number, count: number): void {
  at = position;
  next = from;
  found = entry;
  countAt = count;
}

/** Puts a number into the scratch, as ByteWriter does; answers where it ends. */
function putVarint(to: number, value: number): number {
  let rest = value;
  for (; rest > 127; rest >>>= 7) scratch[to++] = (rest & 127) | 128;
  scratch[to++] = rest;
  return to;
}
