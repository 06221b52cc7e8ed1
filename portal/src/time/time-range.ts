const MINUTE_MS = 60_000;

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Divisor for rates over a diagnostic's range, in seconds: the start rounded down and the end rounded up to whole minutes, but not past `now`. */
export function computeRateSeconds({ from, to }: TimeRange, now: number): number {
  const start = Math.floor(from / MINUTE_MS) * MINUTE_MS;
  const end = Math.min(Math.ceil(to / MINUTE_MS) * MINUTE_MS, now);
  return Math.max(1, (end - start) / 1_000);
}

/** The range around a moment, cut at `latest` (all in ms since 1970) and at least a minute long. */
export function rangeAround(at: number, beforeMs: number, afterMs: number, latest: number): TimeRange {
  const to = Math.min(at + afterMs, latest);
  return { from: Math.min(at - beforeMs, to - MINUTE_MS), to };
}
