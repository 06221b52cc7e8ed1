import type { WireReader } from './wire-reader.js';

const TWO_32 = 2 ** 32;

/** fixed64: exact to 2^53, above that the nearest double. */
export function unsignedFixed64(reader: WireReader, limit: number): number {
  reader.fixed64(limit);
  return reader.hi * TWO_32 + reader.lo;
}

/** sfixed64, two's complement; exact to ±2^53, beyond that the nearest double. */
export function signedFixed64(reader: WireReader, limit: number): number {
  reader.fixed64(limit);
  return (reader.hi | 0) * TWO_32 + reader.lo;
}

/** sint32, whose sign is the lowest bit. */
export function signedVarint32(reader: WireReader, limit: number): number {
  reader.varint64(limit);
  return (reader.lo >>> 1) ^ -(reader.lo & 1);
}

/** A list of `values[from, to)`. */
export function doublesOf(values: Float64Array, from: number, to: number): number[] {
  const list = new Array<number>(to - from);
  for (let i = from; i < to; i++) list[i - from] = values[i];
  return list;
}
