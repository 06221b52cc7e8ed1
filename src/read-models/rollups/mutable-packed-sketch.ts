import type { Sketch } from '../../diagnostics/rollups/sketch.js';
import { PackedSketch } from '../../diagnostics/rollups/packed-sketch.js';

/** Buckets per step of the index, as a shift: the maximum that an addition has to scan. */
const STEP = 4;
/** Index entries hold the position in the upper and the bucket in the lower bits. */
const POSITION = 2 ** 16;
const FIRST_SIZE = 32;
/** Maximum bytes of one more bucket: its distance and count, and one more byte of the next distance. */
const LONGEST_ENTRY = 2 + 5 + 1;

/** Bytes that are about to be inserted. */
const scratch = new Uint8Array(2 * LONGEST_ENTRY);

/** Result of `seek`: an entry starts at `at`; `next` is the bucket after the previous entry. */
let at = 0;
let next = 0;
/** Bucket of the entry, or -1 past the last one, and the start of its count. */
let found = -1;
let countAt = 0;

/**
 * A sketch that stays encoded: writing it copies its bytes, which are a tenth of the size of its counts, and adding
 * usually changes one byte. For sketches that are written far more often than read.
 */
export class MutablePackedSketch extends PackedSketch {
  private sum = 0;
  /**
   * For each step from the first to the last with an entry, and for the end: start of the first entry from it on, and
   * the bucket after the previous entry.
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

  /** Finds the entry of the bucket, or the next one. */
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

  /** Changes the length of a count, or removes its entry. Call after `seek`. */
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
   * Replaces the entry at the result of `seek` by the bucket with its count, or by nothing if the count is 0.
   * `following`: bucket of the next entry, or -1; its distance, which ends at `behind`, is rewritten.
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

  /** Updates the index: steps after `step` up to that of the next entry start with it, and later ones have moved. */
  private mark(step: number, following: number, start: number, shift: number): void {
    const { index, firstStep } = this;
    const own = step - firstStep;
    if (own < 0 || own >= index.length - 1) return this.widen(step);
    const last = Math.min(following - firstStep, index.length - 1);
    for (let i = own + 1; i <= last; i++) index[i] = start;
    for (let i = last + 1; i < index.length; i++) index[i] += shift;
  }

  /** Rebuilds the index so that it includes the step. */
  private widen(step: number): void {
    const { bytes, end, index, firstStep } = this;
    const from = index.length === 1 ? step : Math.min(step, firstStep);
    const to = index.length === 1 ? step : Math.max(step, firstStep + index.length - 2);
    const newIndex = new Uint32Array(to - from + 2);
    let [filled, position, bucket] = [0, 0, 0];
    while (position < end) {
      const mark = position * POSITION + bucket;
      let distance = bytes[position++];
      if (distance > 127) distance = (distance & 127) | (bytes[position++] << 7);
      bucket += distance;
      while (filled <= (bucket >>> STEP) - from) newIndex[filled++] = mark;
      bucket++;
      while (bytes[position++] > 127);
    }
    newIndex.fill(end * POSITION + bucket, filled);
    this.index = newIndex;
    this.firstStep = from;
  }

  /** Replaces the bytes from `at` to `behind` by the first `size` bytes of the scratch buffer. */
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

/** Writes a number into the scratch buffer, as ByteWriter does; returns its end. */
function putVarint(to: number, value: number): number {
  let rest = value;
  for (; rest > 127; rest >>>= 7) scratch[to++] = (rest & 127) | 128;
  scratch[to++] = rest;
  return to;
}
