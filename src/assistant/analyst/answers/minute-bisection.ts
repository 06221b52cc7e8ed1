/** The first minute for which a predicate holds: after `after`, and not later than `by`. */
export interface Bracket {
  readonly after: number;
  readonly by: number;
}

/**
 * The next minute to query: does the predicate hold for any minute up to it? Undefined once `by` is determined.
 * Candidates are likely minutes, ascending; the likeliest are probed first, each with two queries: for the minute
 * before and for the minute itself.
 */
export function nextProbe(
  { after, by }: Bracket,
  candidates: readonly number[],
  likeliest: readonly number[] = [],
): number | undefined {
  if (by - after <= 1) return undefined;
  const inside = candidates.filter((minute) => minute > after && minute <= by);
  if (inside.length === 0) return Math.floor((after + by) / 2);
  const candidate = likeliest.find((minute) => inside.includes(minute)) ?? inside[Math.floor(inside.length / 2)];
  return candidate - 1 > after ? candidate - 1 : candidate < by ? candidate : candidate - 1;
}

/** The bracket after a query with this result. */
export function narrowBracket({ after, by }: Bracket, probe: number, isTrue: boolean): Bracket {
  return isTrue ? { after, by: probe } : { after: probe, by };
}
