import { SKETCH_BUCKETS, MAX_PACKED_BYTES, packBuckets, unpackBuckets } from '../rollups/sketch-encoding.js';
import type { DenseSketchCounts } from './dense-sketch-counts.js';

/** What a sketch counts, for good. */
export interface ImmutableSketchCounts {
  /** Memory, roughly. */
  readonly bytes: number;
  addTo(into: DenseSketchCounts): void;
}

/** What is around the numbers. */
const OBJECT_BYTES = 150;

/** Up to so many buckets of two bytes for each that has a count, empty ones are kept as well: those take as much room as packed ones, and are added in a third of the time. */
const MAX_ROOM_PER_BUCKET = 2;

const LARGEST_SMALL = 2 ** 16 - 1;

/** Spans are cut from arrays of this length, which stay while one of them does: one of their own for each takes longer to make than to fill. */
const SLAB = 8_192;
let slab = new Uint16Array(0);
let slabUsed = 0;

/** What is unpacked and packed at the moment. */
const unpackedBuckets = new Uint16Array(SKETCH_BUCKETS);
const unpackedCounts = new Uint32Array(SKETCH_BUCKETS);
const packed = new Uint8Array(MAX_PACKED_BYTES);

/** Of a packed sketch, `bytes[start, end)`. */
export function createCountsFromPacked(bytes: Uint8Array, start: number, end: number): ImmutableSketchCounts {
  return createImmutableCounts(
    unpackedBuckets,
    unpackedCounts,
    unpackBuckets(bytes, start, end, unpackedBuckets, unpackedCounts),
  );
}

/** Of the first `size` buckets, ascending, and their counts; there is one at least. */
export function createImmutableCounts(buckets: Uint16Array, counts: Uint32Array, size: number): ImmutableSketchCounts {
  const low = buckets[0];
  const length = buckets[size - 1] - low + 1;
  let [total, largest] = [0, 0];
  for (let i = 0; i < size; i++) {
    total += counts[i];
    largest = Math.max(largest, counts[i]);
  }
  const isSmall = largest <= LARGEST_SMALL;
  if (length > (isSmall ? MAX_ROOM_PER_BUCKET : MAX_ROOM_PER_BUCKET / 2) * size)
    return new PackedCounts(packed.slice(0, packBuckets(buckets, counts, size, packed)));
  const span = isSmall ? allocateSmallCounts(length) : new Uint32Array(length);
  for (let i = 0; i < size; i++) span[buckets[i] - low] = counts[i];
  return new ContiguousCounts(low, span, total);
}

/** Zeros. */
function allocateSmallCounts(length: number): Uint16Array {
  if (slabUsed + length > slab.length) [slab, slabUsed] = [new Uint16Array(SLAB), 0];
  slabUsed += length;
  return slab.subarray(slabUsed - length, slabUsed);
}

/** The counts of all buckets from `low` on. */
class ContiguousCounts implements ImmutableSketchCounts {
  constructor(
    private readonly low: number,
    private readonly counts: Uint16Array | Uint32Array,
    private readonly total: number,
  ) {}

  get bytes(): number {
    return OBJECT_BYTES + this.counts.byteLength;
  }

  addTo(into: DenseSketchCounts): void {
    into.addContiguous(this.low, this.counts, this.total);
  }
}

/** As packed-buckets.ts has them: of few values, far apart. */
class PackedCounts implements ImmutableSketchCounts {
  constructor(private readonly run: Uint8Array) {}

  get bytes(): number {
    return OBJECT_BYTES + this.run.byteLength;
  }

  addTo(into: DenseSketchCounts): void {
    into.run(this.run, 0, this.run.length);
  }
}
