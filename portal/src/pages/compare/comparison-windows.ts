const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Baselines that the time view can be compared with. */
export const BASELINE_OPTIONS = [
  { id: 'before', title: 'the preceding period', shiftMs: 0 },
  { id: 'hour', title: 'one hour earlier', shiftMs: HOUR_MS },
  { id: 'day', title: 'one day earlier', shiftMs: 24 * HOUR_MS },
  { id: 'week', title: 'one week earlier', shiftMs: 168 * HOUR_MS },
] as const;

export interface BaselineChoice {
  /** ID of one of BASELINE_OPTIONS; any other value means the first one. */
  readonly against: string;
  /** Compares the time before and after this moment (ms since 1970) instead of `against`. */
  readonly around: number | undefined;
  /** A custom baseline instead of `against`. */
  readonly baseline: TimeRange | undefined;
}

export interface ComparisonWindows {
  readonly current: TimeRange;
  readonly baseline: TimeRange;
}

/** Length of the windows before and after a moment. */
const AROUND_WINDOW_MS = 30 * MINUTE_MS;

/** The two windows to compare, in whole minutes as the service counts, and never past the end of the view. */
export function resolveComparisonWindows(
  { against, around, baseline }: BaselineChoice,
  view: TimeRange,
): ComparisonWindows {
  const current = roundToMinutes(view);
  if (around !== undefined) {
    const at = Math.min(floorToMinute(around), current.to - MINUTE_MS);
    return {
      current: { from: at, to: Math.min(at + AROUND_WINDOW_MS, current.to) },
      baseline: { from: at - AROUND_WINDOW_MS, to: at },
    };
  }
  if (baseline !== undefined) return { current, baseline: roundToMinutes(baseline) };
  const shift = BASELINE_OPTIONS.find(({ id }) => id === against)?.shiftMs;
  const by = shift === undefined || shift === 0 ? current.to - current.from : shift;
  return { current, baseline: { from: current.from - by, to: current.to - by } };
}

function roundToMinutes({ from, to }: TimeRange): TimeRange {
  const start = floorToMinute(from);
  return { from: start, to: Math.max(floorToMinute(to), start + MINUTE_MS) };
}

function floorToMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
