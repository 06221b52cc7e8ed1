import { hexOf, isZero } from '../ids.js';
import type { WireReader } from './wire-reader.js';

/** Values of single fields for the decoders of whole records; each leaves the cursor behind its field. */

export function stringOf(reader: WireReader, limit: number): string {
  const end = reader.end(limit);
  const text = reader.text(reader.pos, end);
  reader.pos = end;
  return text;
}

export function unixNanosOf(reader: WireReader, limit: number): bigint {
  reader.fixed64(limit);
  return (BigInt(reader.hi) << 32n) | BigInt(reader.lo);
}

export function bytesHex(reader: WireReader, limit: number): string {
  const end = reader.end(limit);
  const hex = hexOf(reader.bytes, reader.pos, end);
  reader.pos = end;
  return hex;
}

/** Hex of an id, "" for the all-zero id. */
export function idHex(reader: WireReader, limit: number, size?: number): string {
  const end = reader.end(limit);
  const from = reader.pos;
  reader.pos = end;
  if ((size !== undefined && end - from !== size) || isZero(reader.bytes, from, end)) return '';
  return hexOf(reader.bytes, from, end);
}
