import type { AttributeValue } from '../../src/telemetry/attributes.js';
import { readScopeAt } from '../../src/telemetry/otlp/decoding/record-resource.js';
import type { AnyValue, KeyValue, Scope } from './otlp-model.js';

/** Reference implementation of attributes on plain objects. */

export function valueOf(value: AnyValue | undefined): AttributeValue {
  const plain = plainOf(value);
  if (plain === null) return '';
  if (typeof plain === 'boolean') return String(plain);
  return typeof plain === 'object' ? stringify(plain) : plain;
}

export function attributesOf(pairs: readonly KeyValue[]): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const { key, value } of pairs) if (!attributes.has(key)) attributes.set(key, valueOf(value));
  return attributes;
}

/** A scope with its attributes as a map, to be compared whatever the keys. */
export interface ReadScope {
  readonly name: string;
  readonly version: string;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
}

export function toReadScope(scope: Scope | undefined): ReadScope {
  const { name, version, attributes } = scope ?? { name: '', version: '', attributes: [] };
  return { name, version, attributes: attributesOf(attributes) };
}

/** The scope that the product reads for the record at this offset of a request. */
export function scopeAt(body: Uint8Array, offset: number): ReadScope {
  const { name, version, attributes } = readScopeAt(body, offset);
  return { name, version, attributes: new Map(Object.entries(attributes)) };
}

export function serviceOf(pairs: readonly KeyValue[] | undefined): string {
  return String(attributesOf(pairs ?? []).get('service.name') ?? '') || 'unknown_service';
}

/** String form of an attribute; "" if absent. */
export function textOf(pairs: readonly KeyValue[] | undefined, key: string): string {
  return String(attributesOf(pairs ?? []).get(key) ?? '');
}

/** Type and message as stored in the columns; undefined if the attributes contain no exception. */
export function exceptionOf(pairs: readonly KeyValue[]): { type: string; message: string } | undefined {
  const attributes = attributesOf(pairs);
  if (!attributes.has('exception.type') && !attributes.has('exception.message')) return undefined;
  const cut = (text: string): string => [...text].slice(0, 256).join('');
  return { type: cut(textOf(pairs, 'exception.type')), message: cut(textOf(pairs, 'exception.message')) };
}

type Plain = string | number | boolean | null | Plain[] | Map<string, Plain>;

function plainOf(value: AnyValue | undefined): Plain {
  if (value?.stringValue !== undefined) return value.stringValue;
  if (value?.boolValue !== undefined) return value.boolValue;
  if (value?.intValue !== undefined)
    return Number.isSafeInteger(Number(value.intValue)) ? Number(value.intValue) : String(value.intValue);
  if (value?.doubleValue !== undefined)
    return Number.isFinite(value.doubleValue) ? value.doubleValue : String(value.doubleValue);
  if (value?.bytesValue !== undefined) return Buffer.from(value.bytesValue).toString('base64');
  if (value?.arrayValue !== undefined) return value.arrayValue.values.map(plainOf);
  if (value?.kvlistValue === undefined) return null;
  const map = new Map<string, Plain>();
  for (const pair of value.kvlistValue.values) if (!map.has(pair.key)) map.set(pair.key, plainOf(pair.value));
  return map;
}

/** JSON text in insertion order, which objects do not preserve for keys like `1`. */
function stringify(plain: Plain): string {
  if (Array.isArray(plain)) return `[${plain.map(stringify).join(',')}]`;
  if (plain instanceof Map)
    return `{${[...plain].map(([key, value]) => `${JSON.stringify(key)}:${stringify(value)}`).join(',')}}`;
  return JSON.stringify(plain);
}
