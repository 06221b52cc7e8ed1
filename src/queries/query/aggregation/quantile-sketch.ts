import type { QueryMemory } from '../../scheduling/query-memory.js';

const PAGE_BUCKETS = 64;
/** Pages of a chunk. */
const CHUNK_PAGES = 64;
/** With its share of the lists that lead to it. */
const PAGE_BYTES = PAGE_BUCKETS * 4 + 160;

type Chunk = (Uint32Array | undefined)[];

/** Drops all but sign, exponent and six mantissa bits from the high half of a double. */
const MANTISSA_SHIFT = 14;
const SIGN = 2 ** 17;

const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/**
 * Number of the logarithmic bucket of a finite value: two values of one bucket differ by less than 1/64. Increases with
 * the value.
 */
export function valueBucket(value: number): number {
  float[0] = value;
  const bits = halves[HIGH] >>> MANTISSA_SHIFT;
  return bits < SIGN ? SIGN + bits : 2 * SIGN - 1 - bits;
}

/** Midpoint of a bucket: at most 1/128 (0.78 %) away from any value in it; 0 for the smallest magnitudes. */
export function bucketValue(bucket: number): number {
  if (bucket >= SIGN) return magnitude(bucket - SIGN);
  const value = magnitude(SIGN - 1 - bucket);
  return value === 0 ? 0 : -value;
}

function magnitude(bits: number): number {
  if (bits === 0) return 0;
  halves[HIGH] = bits << MANTISSA_SHIFT;
  halves[1 - HIGH] = 0;
  const lower = float[0];
  halves[HIGH] = (bits << MANTISSA_SHIFT) | (1 << (MANTISSA_SHIFT - 1));
  return Number.isFinite(float[0]) ? float[0] : lower;
}

/**
 * Counts of values by logarithmic bucket, as diagnostics/rollups/sketch.ts has them for durations, for values of any sign
 * and magnitude. The order of additions does not matter, and sketches of parts add up to the sketch of the whole.
 */
export class QuantileSketch {
  /** Pages of counts, in chunks. */
  private readonly chunks: (Chunk | undefined)[] = [];
  private total = 0;

  constructor(private readonly memory: QueryMemory) {}

  addBucket(bucket: number, times = 1): void {
    const number = bucket >>> 6;
    const page = this.chunks[number >>> 6]?.[number & (CHUNK_PAGES - 1)] ?? this.addPage(number);
    page[bucket & (PAGE_BUCKETS - 1)] += times;
    this.total += times;
  }

  /** Adds the values of another sketch. */
  merge(other: QuantileSketch | undefined): void {
    other?.chunks.forEach((chunk, at) =>
      chunk?.forEach((page, within) => {
        if (page === undefined) return;
        const number = at * CHUNK_PAGES + within;
        const own = this.chunks[at]?.[within] ?? this.addPage(number);
        for (let i = 0; i < PAGE_BUCKETS; i++) own[i] += page[i];
      }),
    );
    this.total += other?.total ?? 0;
  }

  /** Nearest-rank percentile, 0 < p ≤ 100; undefined without values. */
  percentile(p: number): number | undefined {
    let remaining = Math.max(1, Math.ceil((p / 100) * this.total));
    for (let chunk = 0; chunk < this.chunks.length; chunk++)
      for (let at = 0; at < (this.chunks[chunk]?.length ?? 0); at++) {
        const page = this.chunks[chunk]![at];
        for (let i = 0; i < (page?.length ?? 0); i++) {
          remaining -= page![i];
          if (remaining <= 0) return bucketValue((chunk * CHUNK_PAGES + at) * PAGE_BUCKETS + i);
        }
      }
    return undefined;
  }

  private addPage(number: number): Uint32Array {
    const chunk = (this.chunks[number >>> 6] ??= []);
    this.memory.charge(PAGE_BYTES);
    return (chunk[number & (CHUNK_PAGES - 1)] = new Uint32Array(PAGE_BUCKETS));
  }
}
