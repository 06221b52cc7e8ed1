const DAY_MS = 86_400_000;
/** A shorter look is of no use day by day. */
const LEAST_DAYS = 7;

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The whole UTC days of a stretch up to its end, and at least the last seven: usage is counted by UTC day. */
export function daysUpTo({ from, to }: Stretch): { readonly from: string; readonly to: string } {
  const first = Math.min(startOfDay(from), startOfDay(to) - (LEAST_DAYS - 1) * DAY_MS);
  return { from: new Date(first).toISOString(), to: new Date(to).toISOString() };
}

const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** The share of a limit that is used, in percent from 0 to 100. A limit of 0 is used up. */
export function shareOf(used: number, limit: number): number {
  return limit <= 0 ? 100 : Math.min(100, Math.max(0, (100 * used) / limit));
}
