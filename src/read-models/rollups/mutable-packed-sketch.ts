import { PackedSketch } from '../../diagnostics/rollups/packed-sketch.js';
import { LONG_DISTANCE, MAX_SHORT_COUNT, packVarint, type Sketch } from '../../diagnostics/rollups/sketch.js';

/** Buckets per step of the index, as a shift: the maximum that an addition has to scan. */
const STEP = 4;
/** Index entries hold the position in the upper and the bucket in the lower bits. */
const POSITION = 2 ** 16;
const FIRST_SIZE = 32;
/** Maximum bytes of a bucket: its first byte and the rests of its distance and its count. */
const LONGEST_ENTRY = 1 + 2 + 5;

/** Bytes that are about to be inserted. */
const scratch = new Uint8Array(2 * LONGEST_ENTRY);

/** Result of `seek`: an entry starts at `at`; `next` is the bucket after the previous entry. */
let at = 0;
let next = 0;
/** Bucket of the entry, or -1 past the last one, and where the rest of its count starts if there is one. */
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
    const { bytes } = this;
    if (found !== bucket) return this.replace(bucket, times, found, found < 0 ? 0 : shortCount(bytes[at]), countAt);
    const short = shortCount(bytes[at]);
    const low = short === 0 ? (bytes[countAt] & 127) + times : short + times;
    if (short !== 0 && low >= 1 && low <= MAX_SHORT_COUNT) bytes[at] += times;
    else if (short === 0 && low >= 0 && low <= 127) bytes[countAt] += times;
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
      const head = bytes[position];
      const behind = readDistance(bytes, position);
      if (from + distance >= bucket) return setPosition(position, from, from + distance, behind);
      from += distance + 1;
      position = behind;
      if (shortCount(head) === 0) while (bytes[position++] > 127);
    }
    setPosition(position, from, -1, position);
  }

  /** Changes the length of a count, or removes its entry. Call after `seek`. */
  private recount(bucket: number, times: number): void {
    const { bytes, end } = this;
    let [count, behind] = [shortCount(bytes[at]), countAt];
    if (count === 0) {
      for (let shift = 0; ; shift += 7) {
        count |= (bytes[behind] & 127) << shift;
        if (bytes[behind++] < 128) break;
      }
      count += MAX_SHORT_COUNT + 1;
    }
    if (behind === end) return this.replace(bucket, count + times, -1, 0, end);
    const followingCount = shortCount(bytes[behind]);
    const followingEnd = readDistance(bytes, behind);
    this.replace(bucket, count + times, bucket + 1 + distance, followingCount, followingEnd);
  }

  /**
   * Replaces the entry at the result of `seek` by the bucket with its count, or by nothing if the count is 0.
   * `following`: bucket of the next entry, or -1; its first byte, with the short count `followingCount`, and the rest of
   * its distance, which ends at `behind`, are rewritten.
   */
  private replace(bucket: number, count: number, following: number, followingCount: number, behind: number): void {
    let size = 0;
    if (count !== 0) {
      const isShort = count >= 1 && count <= MAX_SHORT_COUNT;
      size = putHead(0, bucket - next, isShort ? count : 0);
      if (!isShort) size = packVarint((count - MAX_SHORT_COUNT - 1) >>> 0, scratch, size);
      next = bucket + 1;
    }
    const start = at + size;
    if (following >= 0) size = putHead(size, following - next, followingCount);
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
      const head = bytes[position];
      position = readDistance(bytes, position);
      bucket += distance;
      while (filled <= (bucket >>> STEP) - from) newIndex[filled++] = mark;
      bucket++;
      if (shortCount(head) === 0) while (bytes[position++] > 127);
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

/** Count in the first byte of an entry, or 0 if it follows. */
function shortCount(head: number): number {
  return head & MAX_SHORT_COUNT;
}

/** Result of `readDistance`. */
let distance = 0;

/** Reads the distance of the entry at `position`; returns its end. */
function readDistance(bytes: Uint8Array, position: number): number {
  distance = bytes[position] >> 4;
  if (distance !== LONG_DISTANCE) return position + 1;
  const more = bytes[position + 1];
  distance += more > 127 ? (more & 127) | (bytes[position + 2] << 7) : more;
  return position + (more > 127 ? 3 : 2);
}

/** Writes the first byte of an entry and the rest of its distance into the scratch buffer; returns the end. */
function putHead(to: number, skipped: number, count: number): number {
  scratch[to] = (Math.min(skipped, LONG_DISTANCE) << 4) | count;
  return skipped < LONG_DISTANCE ? to + 1 : packVarint(skipped - LONG_DISTANCE, scratch, to + 1);
}
