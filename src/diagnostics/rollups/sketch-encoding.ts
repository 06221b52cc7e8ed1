import { DamagedRollup } from './damaged-rollup.js';

/*
 * Encoding of a sketch's counts: buckets ascending, each as the number of skipped buckets before it and its count, both
 * as varints (seven bits per byte, lowest first; the last byte is below 128).
 */

/** Number of buckets of a sketch. */
export const SKETCH_BUCKETS = 4096;

/** Bytes of the longest distance plus the longest count. */
const MAX_BYTES_PER_BUCKET = 2 + 5;

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
    let distance = buckets[i] - previous - 1;
    previous = buckets[i];
    for (; distance > 127; distance >>>= 7) into[at++] = (distance & 127) | 128;
    into[at++] = distance;
    let count = counts[i];
    for (; count > 127; count >>>= 7) into[at++] = (count & 127) | 128;
    into[at++] = count;
  }
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
    let distance = bytes[at++];
    if (distance > 127) distance = (distance & 127) | (bytes[at++] << 7); // a third byte would exceed the last bucket
    let byte = bytes[at++];
    let count = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) count |= ((byte = bytes[at++]) & 127) << shift;
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
