import type { TimeRange } from '../../queries/telemetry/telemetry-query-types.js';
import { parseInstant } from '../requests/parse-values.js';
import type { ScalarMap } from '../requests/field-validators.js';
import type { SearchModel } from '../requests/telemetry-search-requests.js';

const NS_PER_US = 1000n;

/**
 * The window in whole microseconds, widened to them: what lies in the window is never missed, and at most a
 * microsecond on either side comes with it.
 */
export function toTimeRange({ rangeStart, rangeEnd }: SearchModel): TimeRange {
  return { fromUs: floorMicros(parseValidatedNanos(rangeStart)), toUs: -floorMicros(-parseValidatedNanos(rangeEnd)) };
}

/** Filters compare the string form of a value. On a null prototype, so that `__proto__` stays a key. */
export function toStringForms(scalars: ScalarMap): Readonly<Record<string, string>> {
  const forms = Object.create(null) as Record<string, string>;
  for (const [key, scalar] of Object.entries(scalars)) forms[key] = String(scalar);
  return forms;
}

/** Ids are kept in lower-case hex; W3C and OTLP have them compared without regard to case. Any other text stays as it is. */
export function normalizeHexId(text: string): string {
  return /^[0-9A-F]+$/i.test(text) ? text.toLowerCase() : text;
}

/** UUIDs are read without regard to case, as RFC 9562 has it, and kept in lower case. No other text becomes the id of anything. */
export function normalizeUuid(text: string): string {
  return text.toLowerCase();
}

function parseValidatedNanos(text: string): bigint {
  const instant = parseInstant(text);
  if (instant === undefined) throw new TypeError('A validated datetime does not parse');
  return instant;
}

function floorMicros(ns: bigint): number {
  const micros = ns / NS_PER_US;
  return Number(ns < 0n && ns % NS_PER_US !== 0n ? micros - 1n : micros);
}

/** A moment, ms since 1970, as answers print it: ISO 8601 in UTC with milliseconds. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
