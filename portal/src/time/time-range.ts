const MINUTE_MS = 60_000;

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The seconds that rates of a diagnostic divide by: starts round down to whole minutes, ends up, but not past now. */
export function computeRateSeconds({ from, to }: TimeRange, now: number): number {
  const start = Math.floor(from / MINUTE_MS) * MINUTE_MS;
  const end = Math.min(Math.ceil(to / MINUTE_MS) * MINUTE_MS, now);
  return Math.max(1, (end - start) / 1_000);
}

/** From so long before a moment to so long after it, but not past the end of what is looked at. */
export function rangeAround(at: number, beforeMs: number, afterMs: number, latest: number): TimeRange {
  const to = Math.min(at + afterMs, latest);
  return { from: Math.min(at - beforeMs, to - MINUTE_MS), to };
}
