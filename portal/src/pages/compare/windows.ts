const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What the view's time is compared with. */
export const AGAINST = [
  { id: 'before', title: 'the time just before', shiftMs: 0 },
  { id: 'hour', title: 'an hour before', shiftMs: HOUR_MS },
  { id: 'day', title: 'a day before', shiftMs: 24 * HOUR_MS },
  { id: 'week', title: 'a week before', shiftMs: 168 * HOUR_MS },
] as const;

export interface Asked {
  /** One of AGAINST; anything else is the first of them. */
  readonly against: string;
  /** A moment to compare the times before and after of; overrules `against`. */
  readonly around: number | undefined;
  /** A baseline of one's own; overrules `against`. */
  readonly baseline: Stretch | undefined;
}

export interface Windows {
  readonly current: Stretch;
  readonly baseline: Stretch;
}

/** Around a moment, so much on either side. */
const SIDE_MS = 30 * MINUTE_MS;

/** The two windows to compare, for what the view shows; nothing of them lies after its end. Whole minutes, as the service counts. */
export function windowsOf({ against, around, baseline }: Asked, view: Stretch): Windows {
  const current = wholeMinutes(view);
  if (around !== undefined) {
    const at = Math.min(floor(around), current.to - MINUTE_MS);
    return { current: { from: at, to: Math.min(at + SIDE_MS, current.to) }, baseline: { from: at - SIDE_MS, to: at } };
  }
  if (baseline !== undefined) return { current, baseline: wholeMinutes(baseline) };
  const shift = AGAINST.find(({ id }) => id === against)?.shiftMs;
  const by = shift === undefined || shift === 0 ? current.to - current.from : shift;
  return { current, baseline: { from: current.from - by, to: current.to - by } };
}

function wholeMinutes({ from, to }: Stretch): Stretch {
  const start = floor(from);
  return { from: start, to: Math.max(floor(to), start + MINUTE_MS) };
}

function floor(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
