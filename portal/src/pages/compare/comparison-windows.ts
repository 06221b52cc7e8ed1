const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** What the view's time is compared with. */
export const BASELINE_OPTIONS = [
  { id: 'before', title: 'the time just before', shiftMs: 0 },
  { id: 'hour', title: 'an hour before', shiftMs: HOUR_MS },
  { id: 'day', title: 'a day before', shiftMs: 24 * HOUR_MS },
  { id: 'week', title: 'a week before', shiftMs: 168 * HOUR_MS },
] as const;

export interface BaselineChoice {
  /** One of AGAINST; anything else is the first of them. */
  readonly against: string;
  /** A moment to compare the times before and after of; overrules `against`. */
  readonly around: number | undefined;
  /** A baseline of one's own; overrules `against`. */
  readonly baseline: TimeRange | undefined;
}

export interface ComparisonWindows {
  readonly current: TimeRange;
  readonly baseline: TimeRange;
}

/** Around a moment, so much on either side. */
const AROUND_WINDOW_MS = 30 * MINUTE_MS;

/** The two windows to compare, for what the view shows; nothing of them lies after its end. Whole minutes, as the service counts. */
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
