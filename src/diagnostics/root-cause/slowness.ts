import { Sketch } from '../sketch.js';
import { surpriseOf, type Split } from './statistics.js';

/** Times of one operation or edge: their sketches by stretch. */
export interface Times {
  readonly count: Float64Array;
  readonly sketches: readonly (Sketch | undefined)[];
}

/** Percentile of what came before that counts as slow. */
const SLOW_PERCENTILE = 90;

/** By sketches, which a split after another has in common: how many of each stretch were slower than its reference. */
export type SlowCounts = (times: Times) => Float64Array;

/**
 * Counts of slow calls, each kind against its own past: slower than nine in ten of those before the window, or before
 * the second of its stretches where the window has no past. Remembered by the times asked for.
 */
export function slowCounts(windowStart: number): SlowCounts {
  const known = new Map<Times['sketches'], Float64Array>();
  return (times) => {
    const counts = known.get(times.sketches) ?? slowCountsOf(times, windowStart);
    known.set(times.sketches, counts);
    return counts;
  };
}

function slowCountsOf({ count, sketches }: Times, windowStart: number): Float64Array {
  const past = new Sketch();
  const end = Math.max(1, firstWith(count, 0) < windowStart ? windowStart : firstWith(count, 0) + 1);
  for (const sketch of sketches.slice(0, end)) if (sketch !== undefined) past.merge(sketch);
  const slow = past.percentile(SLOW_PERCENTILE);
  return count.map((_, at) => sketches[at]?.countAbove(slow) ?? 0);
}

/** How surprising the share of slow calls is, all the given kinds taken together. */
export function slownessOf(times: readonly Times[], slow: SlowCounts, split: Split): number {
  const width = times[0].count.length;
  const slowSum = new Float64Array(width);
  const countSum = new Float64Array(width);
  for (const each of times) {
    const counts = slow(each);
    for (let i = 0; i < split.to; i++) {
      slowSum[i] += counts[i];
      countSum[i] += each.count[i];
    }
  }
  return surpriseOf(slowSum, countSum, split)?.score ?? 0;
}

/** First stretch from there with any, or the length. */
export function firstWith(count: Float64Array, from: number): number {
  for (let i = from; i < count.length; i++) if (count[i] > 0) return i;
  return count.length;
}
