/** Seconds are optional, the offset is required: without it the time would be ambiguous. */
const ISO_DATETIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

const NS_PER_MS = 1_000_000n;

/**
 * ms since 1970 of an ISO 8601 datetime, rounded down; undefined for anything else, and for dates that do not exist.
 */
export function parseDatetimeMs(value: unknown): number | undefined {
  const [, day] = (typeof value === 'string' ? ISO_DATETIME.exec(value) : null) ?? [];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const ms = Date.parse(value as string);
  const isInCalendar = Number.isFinite(midnight) && new Date(midnight).toISOString().startsWith(day);
  return isInCalendar && Number.isFinite(ms) ? ms : undefined;
}

/** For validated arguments. */
export function toEpochMs(iso: string): number {
  const ms = parseDatetimeMs(iso);
  if (ms === undefined) throw new TypeError('An argument that was checked is no datetime');
  return ms;
}

export function toIsoString(ms: number): string {
  return new Date(ms).toISOString();
}

/** With ms, rounded down, as the API formats times of spans and logs. */
export function nanosToIsoString(nanos: bigint): string {
  return toIsoString(Number(nanos / NS_PER_MS));
}
