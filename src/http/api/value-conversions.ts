import type { TimeRange } from '../../queries/telemetry/telemetry-query-types.js';
import { parseInstant } from '../requests/request-parser.js';
import type { ScalarMap } from '../requests/field-validators.js';
import type { SearchModel } from '../requests/telemetry-search-requests.js';

const NS_PER_US = 1000n;

/**
 * The window in whole microseconds, rounded outwards: nothing in the window is missed, and at most a microsecond is added on
 * either side.
 */
export function toTimeRange({ rangeStart, rangeEnd }: Pick<SearchModel, 'rangeStart' | 'rangeEnd'>): TimeRange {
  return { fromUs: floorMicros(parseValidatedNanos(rangeStart)), toUs: -floorMicros(-parseValidatedNanos(rangeEnd)) };
}

/** String forms of the values, which filters compare. The object has no prototype, so that `__proto__` is an ordinary key. */
export function toStringForms(scalars: ScalarMap): Readonly<Record<string, string>> {
  const forms = Object.create(null) as Record<string, string>;
  for (const [key, scalar] of Object.entries(scalars)) forms[key] = String(scalar);
  return forms;
}

/** Trace and span ids are stored in lower case and are case-insensitive (W3C, OTLP). Other texts are returned unchanged. */
export function normalizeHexId(text: string): string {
  return /^[0-9A-F]+$/i.test(text) ? text.toLowerCase() : text;
}

/** UUIDs are stored in lower case and are case-insensitive (RFC 9562). No stored id contains upper-case letters. */
export function normalizeUuid(text: string): string {
  return text.toLowerCase();
}

/** Nanoseconds since 1970 of a timestamp that was validated. */
export function parseValidatedNanos(text: string): bigint {
  const instant = parseInstant(text);
  if (instant === undefined) throw new TypeError('Cannot parse a validated timestamp');
  return instant;
}

function floorMicros(ns: bigint): number {
  const micros = ns / NS_PER_US;
  return Number(ns < 0n && ns % NS_PER_US !== 0n ? micros - 1n : micros);
}

/** Formats ms since 1970 as ISO 8601 in UTC with milliseconds. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
