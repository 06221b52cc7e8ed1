import { DamagedRollup } from './rollups.js';

/*
 * The counts of a sketch as bytes: buckets ascending, each as the number of those left out before it and its count, both
 * seven bits a byte, the lowest first; the last byte of a number is below 128.
 */

/** Of a sketch. */
export const BUCKETS = 4096;

/** Bytes of the longest distance and of the longest count. */
const LONGEST_BUCKET = 2 + 5;

/** Takes in `bytes[start, end)` before it returns: they may change afterwards. */
export interface PackedSink {
  run(bytes: Uint8Array, start: number, end: number): void;
}

/** Puts the buckets with a count, ascending, and their counts into arrays with room for all; answers how many there are. */
export interface Listed {
  list(buckets: Uint16Array, counts: Uint32Array): number;
}

/** What is packed at the moment: thousands of sketches a commit, and nothing is allocated for any. */
const listedBuckets = new Uint16Array(BUCKETS);
const listedCounts = new Uint32Array(BUCKETS);
const packed = new Uint8Array(BUCKETS * LONGEST_BUCKET);

/** Packs what is listed, and hands it over. */
export function packTo(sink: PackedSink, listed: Listed): void {
  sink.run(packed, 0, pack(listed.list(listedBuckets, listedCounts)));
}

/** The first `size` that are listed; answers how many bytes they take. */
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

/** Unpacks `bytes[start, end)` into arrays with room for all; answers how many buckets there are. */
export function unpackBuckets(bytes: Uint8Array, start: number, end: number, buckets: Uint16Array, counts: Uint32Array): number {
  let [size, bucket, at] = [0, -1, start];
  while (at < end) {
    let distance = bytes[at++];
    if (distance > 127) distance = (distance & 127) | (bytes[at++] << 7); // three bytes would lead past the last bucket
    let byte = bytes[at++];
    let count = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) count |= ((byte = bytes[at++]) & 127) << shift;
    bucket += distance + 1;
    if (at > end || bucket >= BUCKETS) throw damaged(bucket);
    buckets[size] = bucket;
    counts[size++] = count;
  }
  return size;
}

export function damaged(bucket: number): DamagedRollup {
  return new DamagedRollup(`sketch has bucket ${bucket} of ${BUCKETS}, or ends early`);
}
