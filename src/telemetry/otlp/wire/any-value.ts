import type { Attributes, AttributeValue } from '../../attributes.js';
import { ANY_VALUE, ARRAY_VALUE, KEY_VALUE, KEY_VALUE_LIST } from './otlp-field-tags.js';
import { MalformedBody, type WireReader } from './wire-reader.js';

/**
 * Maximum nesting of arrays and maps in an attribute value or a log body (a scalar has depth 1). Protobuf
 * implementations stop at 100 messages; each level here is two messages. A record that nests deeper is rejected.
 */
export const MAX_VALUE_DEPTH = 64;

/** Reads one KeyValue message into `attributes`; the first value of a repeated key wins. */
export function readAttribute(reader: WireReader, end: number, attributes: Attributes): void {
  const { key, from, to } = readKeyValue(reader, end);
  if (!(key in attributes)) attributes[key] = from < 0 ? '' : readAnyValue(reader, from, to);
  reader.pos = end;
}

/** Empty attributes without a prototype, so that `__proto__` is an ordinary key. */
export function createAttributes(): Attributes {
  return Object.create(null) as Attributes;
}

/** Reads the AnyValue message at [from, to) in its API form, see attributes.ts. Leaves the cursor at `to`. */
export function readAnyValue(reader: WireReader, from: number, to: number): AttributeValue {
  const tag = findLastMember(reader, from, to);
  const value =
    tag === ANY_VALUE.array || tag === ANY_VALUE.kvlist
      ? readCompositeJson(reader, tag, to, 1)
      : readScalar(reader, tag, to);
  reader.pos = to;
  return typeof value === 'boolean' || value === undefined ? String(value ?? '') : value;
}

/** True if the AnyValue up to `end` consists of exactly one string; the cursor is then at its first byte. */
export function isSingleText(reader: WireReader, end: number): boolean {
  if (reader.pos >= end || reader.readTag(end) !== ANY_VALUE.string) return false;
  return reader.readPayloadEnd(end) === end;
}

type Scalar = string | number | boolean | undefined;

/** Value of a member that is neither array nor map; the cursor is after its tag. */
function readScalar(reader: WireReader, tag: number, limit: number): Scalar {
  switch (tag) {
    case ANY_VALUE.string: {
      const end = reader.readPayloadEnd(limit);
      return reader.decodeText(reader.pos, end);
    }
    case ANY_VALUE.bool:
      reader.readVarint64(limit);
      return reader.lo !== 0 || reader.hi !== 0;
    case ANY_VALUE.int:
      reader.readVarint64(limit);
      return toExactInteger(reader.hi, reader.lo);
    case ANY_VALUE.double:
      return toFiniteDouble(reader.readDouble(limit));
    case ANY_VALUE.bytes: {
      const end = reader.readPayloadEnd(limit);
      return Buffer.from(reader.bytes.subarray(reader.pos, end)).toString('base64');
    }
    default:
      return undefined;
  }
}

/** Converts a two's complement 64-bit integer: a number if exact, else decimal text. */
export function toExactInteger(hi: number, lo: number): number | string {
  const signedHi = hi | 0;
  const value = signedHi * 2 ** 32 + lo;
  return Number.isSafeInteger(value) ? value : String((BigInt(signedHi) << 32n) | BigInt(lo));
}

function toFiniteDouble(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

/** JSON text of an array or a map. Keeps the order of keys; the first of equal keys wins. */
function readCompositeJson(reader: WireReader, tag: number, limit: number, depth: number): string {
  const end = reader.readPayloadEnd(limit);
  return tag === ANY_VALUE.array ? readArrayJson(reader, end, depth) : readMapJson(reader, end, depth);
}

function readArrayJson(reader: WireReader, end: number, depth: number): string {
  const items: string[] = [];
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag !== ARRAY_VALUE.value) {
      reader.skip(tag, end);
      continue;
    }
    const to = reader.readPayloadEnd(end);
    items.push(readMemberJson(reader, reader.pos, to, depth + 1));
  }
  return `[${items.join(',')}]`;
}

function readMapJson(reader: WireReader, end: number, depth: number): string {
  const members = new Map<string, string>();
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag !== KEY_VALUE_LIST.value) {
      reader.skip(tag, end);
      continue;
    }
    const pairEnd = reader.readPayloadEnd(end);
    const { key, from, to } = readKeyValue(reader, pairEnd);
    if (!members.has(key)) members.set(key, from < 0 ? 'null' : readMemberJson(reader, from, to, depth + 1));
    reader.pos = pairEnd;
  }
  return `{${[...members].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

function readMemberJson(reader: WireReader, from: number, to: number, depth: number): string {
  if (depth > MAX_VALUE_DEPTH) throw new MalformedBody(`a value is nested deeper than ${MAX_VALUE_DEPTH} levels`);
  const tag = findLastMember(reader, from, to);
  const json =
    tag === ANY_VALUE.array || tag === ANY_VALUE.kvlist
      ? readCompositeJson(reader, tag, to, depth)
      : JSON.stringify(readScalar(reader, tag, to) ?? null);
  reader.pos = to;
  return json;
}

/** Tag of the effective oneof member, which is the last one, with the cursor after it; 0 for an empty value. */
function findLastMember(reader: WireReader, from: number, to: number): number {
  let last = 0;
  let at = to;
  reader.pos = from;
  while (reader.pos < to) {
    const tag = reader.readTag(to);
    if (isOneofMember(tag)) {
      last = tag;
      at = reader.pos;
    }
    reader.skip(tag, to);
  }
  reader.pos = at;
  return last;
}

function isOneofMember(tag: number): boolean {
  switch (tag) {
    case ANY_VALUE.string:
    case ANY_VALUE.bool:
    case ANY_VALUE.int:
    case ANY_VALUE.double:
    case ANY_VALUE.array:
    case ANY_VALUE.kvlist:
    case ANY_VALUE.bytes:
      return true;
    default:
      return false;
  }
}

/** Key of a KeyValue message and the range of its value; `from` is −1 if it has none. */
function readKeyValue(reader: WireReader, end: number): { key: string; from: number; to: number } {
  let key = '';
  let from = -1;
  let to = -1;
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (tag === KEY_VALUE.key) {
      const keyEnd = reader.readPayloadEnd(end);
      key = reader.decodeText(reader.pos, keyEnd);
      reader.pos = keyEnd;
    } else if (tag === KEY_VALUE.value) {
      to = reader.readPayloadEnd(end);
      from = reader.pos;
      reader.pos = to;
    } else reader.skip(tag, end);
  }
  return { key, from, to };
}
