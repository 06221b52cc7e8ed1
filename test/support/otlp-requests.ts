import type { Signal } from '../../src/telemetry/signals.js';
import { officialEncode } from './official-otlp.js';

/** Builders for OTLP/JSON export requests. Times are nanoseconds since 1970, ids are hex text. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A complete AnyValue such as `{ bytesValue: 'AQID' }`; or a text, a boolean, an int64 (bigint) or a double (number). */
export type Value = string | boolean | bigint | number | { readonly [key: string]: Json };
/** A list, to permit duplicate keys and `__proto__`. */
export type Pairs = readonly (readonly [key: string, value: Value])[];

export const KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
export const STATUS = { unset: 0, ok: 1, error: 2 } as const;

export interface SpanFields {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly kind?: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes?: Pairs;
  readonly events?: readonly { readonly name: string; readonly time: bigint; readonly attributes?: Pairs }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string; readonly attributes?: Pairs }[];
  readonly status?: { readonly code: number; readonly message?: string };
}

export interface LogFields {
  readonly time?: bigint;
  readonly observed?: bigint;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: Value;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes?: Pairs;
}

/** A request with spans of one resource; `resource` may be a service name. */
export function spansOf(resource: string | Pairs, ...spans: readonly SpanFields[]): { resourceSpans: Json[] } {
  return {
    resourceSpans: [
      { resource: { attributes: pairs(resourcePairs(resource)) }, scopeSpans: [{ spans: spans.map(spanJson) }] },
    ],
  };
}

/** A request with log records of one resource. */
export function logsOf(resource: string | Pairs, ...logs: readonly LogFields[]): { resourceLogs: Json[] } {
  return {
    resourceLogs: [
      { resource: { attributes: pairs(resourcePairs(resource)) }, scopeLogs: [{ logRecords: logs.map(logJson) }] },
    ],
  };
}

/** A trace id derived from a number. */
export function traceId(number: number): string {
  return `a0${number.toString(16).padStart(30, '0')}`;
}

/** A span id derived from a number, in the same sort order. */
export function spanId(number: number): string {
  return `b0${number.toString(16).padStart(14, '0')}`;
}

/** A span with ids and name derived from a number. */
export function span(number: number, start: bigint, more: Partial<SpanFields> = {}): SpanFields {
  return { traceId: traceId(number), spanId: spanId(number), name: `span ${number}`, start, end: start, ...more };
}

export function array(...values: readonly Value[]): Value {
  return { arrayValue: { values: values.map(anyValue) } };
}

export function map(...entries: Pairs): Value {
  return { kvlistValue: { values: pairs(entries) } };
}

function resourcePairs(resource: string | Pairs): Pairs {
  return typeof resource === 'string' ? [['service.name', resource]] : resource;
}

function spanJson({ start, end, attributes = [], events = [], links = [], ...fields }: SpanFields): Json {
  return {
    ...fields,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
    attributes: pairs(attributes),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: String(event.time),
      attributes: pairs(event.attributes ?? []),
    })),
    links: links.map((link) => ({ ...link, attributes: pairs(link.attributes ?? []) })),
  };
}

function logJson({ time, observed, body, attributes = [], ...fields }: LogFields): Json {
  return {
    ...fields,
    ...(time !== undefined && { timeUnixNano: String(time) }),
    ...(observed !== undefined && { observedTimeUnixNano: String(observed) }),
    ...(body !== undefined && { body: anyValue(body) }),
    attributes: pairs(attributes),
  };
}

function pairs(list: Pairs): Json[] {
  return list.map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: Value): { readonly [key: string]: Json } {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'bigint':
      return { intValue: String(value) };
    case 'number':
      return { doubleValue: Number.isFinite(value) ? value : String(value) };
    default:
      return value;
  }
}

/** Converts a request to protobuf with the official codec. */
export function protobufOf(signal: Signal, request: object): Uint8Array {
  return officialEncode(signal, fromJson('', request as Json) as object);
}

function fromJson(key: string, value: Json): unknown {
  if (Array.isArray(value)) return value.map((each: Json) => fromJson(key, each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fromJson(name, each)]));
  if (/(?:trace|span)Id$/i.test(key)) return Buffer.from(String(value), 'hex');
  if (key === 'bytesValue') return Buffer.from(String(value), 'base64');
  if (/UnixNano$|^intValue$/.test(key)) return BigInt(String(value));
  return key === 'doubleValue' ? Number(value) : value;
}
