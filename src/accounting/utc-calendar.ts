const DAY_MS = 86_400_000;

/** Days and months are in UTC; times are ms since 1970. */

/** Such as `2026-11-20`. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Such as `2026-11`. */
export function utcMonth(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

export function startOfNextDay(ms: number): number {
  return (Math.floor(ms / DAY_MS) + 1) * DAY_MS;
}

export function startOfNextMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** All days from `fromMs` to `toMs` (inclusive), ascending; none if to < from. */
export function listDays(fromMs: number, toMs: number): string[] {
  const days: string[] = [];
  if (toMs < fromMs) return days;
  for (let ms = Math.floor(fromMs / DAY_MS) * DAY_MS; ms <= toMs; ms += DAY_MS) days.push(utcDay(ms));
  return days;
}
