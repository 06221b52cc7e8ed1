/** Arrays that columns are collected in and decoded into. */
export type NumberArray = Float64Array | Uint32Array | Uint16Array | Uint8Array;

const SAMPLE_RUNS = 4;
const SAMPLE_RUN_LENGTH = 128;
const WORTHWHILE_BITS = 7;
const WORTHWHILE_REPEATS = 0.25;
const TWO_32 = 4_294_967_296;

/** Bytes needed for every value up to `span`: 0 for 0, at most 7 (2^53). */
export function byteWidth(span: number): number {
  let width = 0;
  for (let limit = 1; span >= limit; limit *= 256) width++;
  return width;
}

/**
 * Splits values into planes: plane p holds byte p of `value − min` of every value. The high bytes of adjacent values
 * are similar and compress to almost nothing, the low ones are noise and are better left uncompressed.
 */
export function splitPlanes(values: NumberArray, count: number, min: number, width: number): Uint8Array[] {
  const planes: Uint8Array[] = [];
  for (let p = 0; p < width; p++)
    planes.push(p < 4 ? lowPlane(values, count, min, p * 8) : highPlane(values, count, min, p * 8 - 32));
  return planes;
}

function lowPlane(values: NumberArray, count: number, min: number, shift: number): Uint8Array {
  const plane = new Uint8Array(count);
  for (let i = 0; i < count; i++) plane[i] = (values[i] - min) >>> shift;
  return plane;
}

function highPlane(values: NumberArray, count: number, min: number, shift: number): Uint8Array {
  const plane = new Uint8Array(count);
  for (let i = 0; i < count; i++) plane[i] = Math.floor((values[i] - min) / TWO_32) >>> shift;
  return plane;
}

/** Adds byte plane p (0 = lowest) to the values it was split from. */
export function addPlane(values: NumberArray, plane: Uint8Array, p: number): void {
  const weight = 256 ** p;
  for (let i = 0; i < plane.length; i++) values[i] += plane[i] * weight;
}

/** Estimates from a sample whether deflate would make these bytes noticeably smaller. */
export function isLikelyCompressible(bytes: Uint8Array): boolean {
  const counts = new Uint16Array(256);
  let sampled = 0;
  let repeats = 0;
  const stride = Math.max(SAMPLE_RUN_LENGTH, Math.floor(bytes.length / SAMPLE_RUNS));
  for (let from = 0; from < bytes.length; from += stride) {
    const to = Math.min(from + SAMPLE_RUN_LENGTH, bytes.length);
    for (let i = from; i < to; i++, sampled++) {
      counts[bytes[i]]++;
      if (i > from && bytes[i] === bytes[i - 1]) repeats++;
    }
  }
  return (
    repeats > sampled * WORTHWHILE_REPEATS ||
    entropy(counts, sampled) < Math.min(WORTHWHILE_BITS, Math.log2(sampled + 1) - 1)
  );
}

function entropy(counts: Uint16Array, total: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits += count * Math.log2(total / count);
  return bits / total;
}
