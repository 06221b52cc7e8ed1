import { PackedSketch } from './packed-sketch.js';
import { damagedSketchError, SKETCH_BUCKETS } from './sketch.js';

const buckets = new Uint16Array(SKETCH_BUCKETS);
const counts = new Uint32Array(SKETCH_BUCKETS);

/**
 * A sketch in the form that rollups of spans had before version 4: for each bucket the number of skipped ones and its
 * count, both as varints. Readers meet it until the read models are rebuilt. Throws DamagedRollup.
 */
export function readVarintSketch(bytes: Uint8Array, start: number, end: number): PackedSketch {
  let [size, bucket, at] = [0, -1, start];
  while (at < end) {
    let distance = bytes[at++];
    if (distance > 127) distance = (distance & 127) | (bytes[at++] << 7);
    let byte = bytes[at++];
    let count = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) count |= ((byte = bytes[at++]) & 127) << shift;
    bucket += distance + 1;
    if (at > end || bucket >= SKETCH_BUCKETS) throw damagedSketchError(bucket);
    buckets[size] = bucket;
    counts[size++] = count;
  }
  return PackedSketch.fromBucketsInSlab(buckets, counts, size);
}
