import { isAllZero, toHex } from '../../trace-identifiers.js';
import type { WireReader } from './wire-reader.js';

/** Readers of single field values; each leaves the cursor after its field. */

export function readText(reader: WireReader, limit: number): string {
  const end = reader.readPayloadEnd(limit);
  const text = reader.decodeText(reader.pos, end);
  reader.pos = end;
  return text;
}

export function readUnixNanos(reader: WireReader, limit: number): bigint {
  reader.readFixed64(limit);
  return (BigInt(reader.hi) << 32n) | BigInt(reader.lo);
}

export function readBytesHex(reader: WireReader, limit: number): string {
  const end = reader.readPayloadEnd(limit);
  const hex = toHex(reader.bytes, reader.pos, end);
  reader.pos = end;
  return hex;
}

/** Hex of an id; "" for the all-zero id and, if `size` is given, for an id of another size. */
export function readIdHex(reader: WireReader, limit: number, size?: number): string {
  const end = reader.readPayloadEnd(limit);
  const from = reader.pos;
  reader.pos = end;
  if ((size !== undefined && end - from !== size) || isAllZero(reader.bytes, from, end)) return '';
  return toHex(reader.bytes, from, end);
}

const TWO_32 = 2 ** 32;

/** fixed64: exact up to 2^53, above that the nearest double. */
export function readUnsignedFixed64(reader: WireReader, limit: number): number {
  reader.readFixed64(limit);
  return reader.hi * TWO_32 + reader.lo;
}

/** sfixed64, two's complement; exact to ±2^53, beyond that the nearest double. */
export function readSignedFixed64(reader: WireReader, limit: number): number {
  reader.readFixed64(limit);
  return (reader.hi | 0) * TWO_32 + reader.lo;
}

/** sint32, whose sign is the lowest bit. */
export function readSignedVarint32(reader: WireReader, limit: number): number {
  reader.readVarint64(limit);
  return (reader.lo >>> 1) ^ -(reader.lo & 1);
}

/** Copies `values[from, to)` into a plain array. */
export function copyToNumberList(values: Float64Array, from: number, to: number): number[] {
  const list = new Array<number>(to - from);
  for (let i = from; i < to; i++) list[i - from] = values[i];
  return list;
}
