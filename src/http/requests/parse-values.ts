/** Syntax alone: there is more to a datetime than its form. */
export const ISO_INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/;

const NS_PER_MS = 1_000_000n;
const MS_PER_MINUTE = 60_000;

/** Years of four digits: what we could not write in an answer we do not take. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');

const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Nanoseconds since 1970 of an ISO 8601 datetime of the Gregorian calendar: `Z` or an offset is required, seconds and up
 * to nine digits of a fraction are not. Undefined for anything else, impossible dates such as 30 February among them, and
 * for moments that an offset takes out of the years 0 to 9999 of UTC.
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

/** `Date.parse` lets 30 February be 2 March, and 24:00 the next day. */
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

/** The UUID that a text is, in lower case: RFC 9562 has UUIDs read without regard to case, and ours are kept so. Undefined where it is none. */
export function parseUuid(text: string): string | undefined {
  const lower = text.toLowerCase();
  return UUID_PATTERN.test(lower) ? lower : undefined;
}
