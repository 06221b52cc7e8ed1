import {
  SKETCH_BUCKETS,
  MAX_PACKED_BYTES,
  packBuckets,
  unpackBuckets,
  type PackedBucketSink,
} from '../rollups/sketch.js';

/** Sum to which immutable counts are added; see DenseSketchCounts. */
interface SketchCountsSum extends PackedBucketSink {
  addContiguous(low: number, counts: Uint16Array | Uint32Array, total: number): void;
}

/** Immutable counts of a sketch. */
export interface ImmutableSketchCounts {
  /** Approximate memory. */
  readonly bytes: number;
  addTo(into: SketchCountsSum): void;
}

/** Overhead besides the numbers. */
const OBJECT_BYTES = 150;

/**
 * A sketch is stored contiguously, including empty buckets, if that takes at most this many two-byte buckets per
 * non-empty one: such a range is at most four times as large as a packed sketch and is added in a third of the time.
 */
const MAX_BUCKETS_PER_COUNT = 2;

const MAX_UINT16 = 2 ** 16 - 1;

/**
 * Small ranges are cut from shared arrays of this length, which live as long as any of them: a separate array for each
 * would take longer to allocate than to fill.
 */
const SLAB_LENGTH = 8_192;
let slab = new Uint16Array(0);
let slabUsed = 0;

/** Buffers for unpacking and packing. */
const unpackedBuckets = new Uint16Array(SKETCH_BUCKETS);
const unpackedCounts = new Uint32Array(SKETCH_BUCKETS);
const packed = new Uint8Array(MAX_PACKED_BYTES);

/** From a packed sketch, `bytes[start, end)`. */
export function createCountsFromPacked(bytes: Uint8Array, start: number, end: number): ImmutableSketchCounts {
  return createImmutableCounts(
    unpackedBuckets,
    unpackedCounts,
    unpackBuckets(bytes, start, end, unpackedBuckets, unpackedCounts),
  );
}

/** From the first `size` buckets (at least one, ascending) and their counts. */
export function createImmutableCounts(buckets: Uint16Array, counts: Uint32Array, size: number): ImmutableSketchCounts {
  const low = buckets[0];
  const length = buckets[size - 1] - low + 1;
  let [total, largest] = [0, 0];
  for (let i = 0; i < size; i++) {
    total += counts[i];
    largest = Math.max(largest, counts[i]);
  }
  const isSmall = largest <= MAX_UINT16;
  if (length > (isSmall ? MAX_BUCKETS_PER_COUNT : MAX_BUCKETS_PER_COUNT / 2) * size)
    return new PackedCounts(packed.slice(0, packBuckets(buckets, counts, size, packed)));
  const range = isSmall ? allocateSmallCounts(length) : new Uint32Array(length);
  for (let i = 0; i < size; i++) range[buckets[i] - low] = counts[i];
  return new ContiguousCounts(low, range, total);
}

/** An array of zeros. */
function allocateSmallCounts(length: number): Uint16Array {
  if (slabUsed + length > slab.length) [slab, slabUsed] = [new Uint16Array(SLAB_LENGTH), 0];
  slabUsed += length;
  return slab.subarray(slabUsed - length, slabUsed);
}

/** Counts of all buckets from `low` on. */
class ContiguousCounts implements ImmutableSketchCounts {
  constructor(
    private readonly low: number,
    private readonly counts: Uint16Array | Uint32Array,
    private readonly total: number,
  ) {}

  get bytes(): number {
    return OBJECT_BYTES + this.counts.byteLength;
  }

  addTo(into: SketchCountsSum): void {
    into.addContiguous(this.low, this.counts, this.total);
  }
}

/** Packed counts (format: sketch.ts), for few values far apart. */
class PackedCounts implements ImmutableSketchCounts {
  constructor(private readonly packed: Uint8Array) {}

  get bytes(): number {
    return OBJECT_BYTES + this.packed.byteLength;
  }

  addTo(into: SketchCountsSum): void {
    into.appendBytes(this.packed, 0, this.packed.length);
  }
}
