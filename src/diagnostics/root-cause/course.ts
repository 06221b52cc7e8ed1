/** How a figure went from stretch to stretch: `sum / weight`, once near `before`, later near `after`. */
export interface Course {
  readonly sum: Float64Array;
  readonly weight: Float64Array;
  readonly before: number;
  readonly after: number;
}

/**
 * The stretch between `from` and `to` from which on a course is nearer to what came after than to what was before: the cut that
 * leaves the least absolute deviation, weighed. Of equal ones the first with any weight behind it.
 */
export function turnOf({ sum, weight, before, after }: Course, from: number, to: number): number {
  let best = from;
  let least = Infinity;
  let gain = 0;
  for (let i = from; i < to; i++) {
    if (weight[i] <= 0) continue;
    if (gain < least) [best, least] = [i, gain];
    const value = sum[i] / weight[i];
    gain += weight[i] * (Math.abs(value - before) - Math.abs(value - after));
  }
  return best;
}

/**
 * The stretch between `from` and `to` from which on a course is back at what came before, by the same measure; `to` where it
 * is not.
 */
export function endOf({ sum, weight, before, after }: Course, from: number, to: number): number {
  let best = to;
  let most = 0;
  let gain = 0;
  for (let i = to - 1; i >= from; i--) {
    if (weight[i] <= 0) continue;
    const value = sum[i] / weight[i];
    gain += weight[i] * (Math.abs(value - after) - Math.abs(value - before));
    if (gain > most) [best, most] = [i, gain];
  }
  return best;
}
