/** Where the first minute lies of which something is true: after `after`, and no later than `by`. */
export interface Bracket {
  readonly after: number;
  readonly by: number;
}

/**
 * The minute to look at next: is it true of anything up to it? Undefined once `by` is that minute. Candidates, ascending, are
 * minutes in which it is likely; the likeliest are looked at first, each by two looks: just before it, and at it.
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

/** What is left of the bracket after a look. */
export function narrowBracket({ after, by }: Bracket, looked: number, isTrue: boolean): Bracket {
  return isTrue ? { after, by: looked } : { after: looked, by };
}
