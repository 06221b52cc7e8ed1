const DAY_MS = 86_400_000;
/** A shorter look is of no use day by day. */
const MIN_DAYS = 7;

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The whole UTC days of a stretch up to its end, and at least the last seven: usage is counted by UTC day. */
export function resolveUsageDays({ from, to }: TimeRange): { readonly from: string; readonly to: string } {
  const first = Math.min(startOfDay(from), startOfDay(to) - (MIN_DAYS - 1) * DAY_MS);
  return { from: new Date(first).toISOString(), to: new Date(to).toISOString() };
}

const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** The share of a limit that is used, in percent from 0 to 100. A limit of 0 is used up. */
export function computeUsedPercent(used: number, limit: number): number {
  return limit <= 0 ? 100 : Math.min(100, Math.max(0, (100 * used) / limit));
}
