const DAY_MS = 86_400_000;
/** Fewest days shown, since usage is listed by day. */
const MIN_DAYS = 7;

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The range extended to the start of its first UTC day, and to at least seven days. Usage is counted by UTC day. */
export function resolveUsageDays({ from, to }: TimeRange): { readonly from: string; readonly to: string } {
  const first = Math.min(startOfDay(from), startOfDay(to) - (MIN_DAYS - 1) * DAY_MS);
  return { from: new Date(first).toISOString(), to: new Date(to).toISOString() };
}

const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** Used percentage of a limit, from 0 to 100. A limit of 0 counts as used up. */
export function computeUsedPercent(used: number, limit: number): number {
  return limit <= 0 ? 100 : Math.min(100, Math.max(0, (100 * used) / limit));
}
