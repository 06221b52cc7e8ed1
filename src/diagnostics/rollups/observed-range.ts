/** Smallest and largest observation, or what lies beyond them; NaN if unknown. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/** Smallest and largest observation; NaN if unknown. */
export interface ObservedRange extends ValueRange {
  /**
   * Present where an extreme is not known, but something that no observation lies beyond: cumulative histograms report their
   * extremes since the start, not those of an interval.
   */
  readonly limits?: ValueRange;
}

/** What no observation lies beyond: the extremes where they are known, else their limits. */
export function observedLimits({ min, max, limits }: ObservedRange): ValueRange {
  if (limits === undefined) return { min, max };
  return { min: Number.isNaN(min) ? limits.min : min, max: Number.isNaN(max) ? limits.max : max };
}

/** The `limits` of a range with these extremes, as a property to spread: absent where they add nothing. */
export function limitsBeyond({ min, max }: ValueRange, limits: ValueRange): { readonly limits?: ValueRange } {
  const addsMin = Number.isNaN(min) && !Number.isNaN(limits.min);
  const addsMax = Number.isNaN(max) && !Number.isNaN(limits.max);
  if (!addsMin && !addsMax) return {};
  return { limits: { min: addsMin ? limits.min : NaN, max: addsMax ? limits.max : NaN } };
}
