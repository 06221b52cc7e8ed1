/** Syntax of a timestamp; `parseInstant` also checks the calendar. */
export const ISO_INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/;

const NS_PER_MS = 1_000_000n;
const MS_PER_MINUTE = 60_000;

/** Years of four digits: later ones could not be formatted in responses. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Nanoseconds since 1970 of an ISO 8601 timestamp: `Z` or an offset is required; seconds and a fraction of up to nine digits
 * are optional. Undefined for anything else, including impossible dates such as 30 February and timestamps outside the
 * years 0 to 9999 in UTC.
 */
export function parseInstant(text: string): bigint | undefined {
  const match = ISO_INSTANT.exec(text);
  if (match === null) return undefined;
  const [, date = '', hoursMinutes = '', seconds = '00', fraction = '', zone = ''] = match;
  const localMs = Date.parse(`${date}T${hoursMinutes}:${seconds}Z`);
  const offset = parseOffsetMinutes(zone);
  if (offset === undefined || !isSameDay(localMs, date)) return undefined;
  const utcMs = localMs - offset * MS_PER_MINUTE;
  if (utcMs < FIRST_MS || utcMs > LAST_MS) return undefined;
  return BigInt(utcMs) * NS_PER_MS + BigInt(fraction.padEnd(9, '0'));
}

/** Detects dates that `Date.parse` shifts, such as 30 February (2 March) and 24:00 (the next day). */
function isSameDay(ms: number, date: string): boolean {
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

function parseOffsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UUID in lower case, as ids are stored; undefined for other texts. UUIDs are case-insensitive (RFC 9562). */
export function parseUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return UUID_PATTERN.test(lower) ? lower : undefined;
}
