import { Sketch } from '../sketch.js';
import { surpriseOf, type Split } from './statistics.js';

/** Times of one operation or edge: how many there are, and their sketches, by stretch. */
export interface Times {
  readonly count: Float64Array;
  readonly sketches: readonly (Sketch | undefined)[];
}

/** Percentiles of what came before, beyond which a call is slow, or fast. */
const SLOW_PERCENTILE = 90;
const FAST_PERCENTILE = 10;

/** How many calls of each stretch were extreme beside their own past. */
export interface Extremes {
  readonly slow: Float64Array;
  readonly fast: Float64Array;
}

/** Remembers what it counted: splits one after another ask for the same. */
export type ExtremesOf = (times: Times) => Extremes;

/**
 * Counts extreme calls. Their past is what lies before the window, or the first stretch where nothing does. A single wild
 * value moves a mean but is only one call here.
 */
export function extremesIn(windowStart: number): ExtremesOf {
  const known = new Map<Times['sketches'], Extremes>();
  return (times) => {
    const extremes = known.get(times.sketches) ?? extremesOf(times, windowStart);
    known.set(times.sketches, extremes);
    return extremes;
  };
}

function extremesOf({ count, sketches }: Times, windowStart: number): Extremes {
  const first = count.findIndex((each) => each > 0);
  const past = new Sketch();
  for (const sketch of sketches.slice(0, first < windowStart ? windowStart : first + 1)) if (sketch !== undefined) past.merge(sketch);
  const slow = past.percentile(SLOW_PERCENTILE);
  const fast = past.percentile(FAST_PERCENTILE);
  const above = (limit: number) => count.map((_, at) => sketches[at]?.countAbove(limit) ?? 0);
  return { slow: above(slow), fast: above(fast).map((rest, at) => count[at] - rest) };
}

/** How surprising the share of extreme calls is, all the given kinds taken together. */
export function surpriseOfExtremes(times: readonly Times[], which: keyof Extremes, extremes: ExtremesOf, split: Split): number {
  const extreme = new Float64Array(split.to);
  const count = new Float64Array(split.to);
  for (const each of times) {
    const counts = extremes(each)[which];
    for (let i = 0; i < split.to; i++) {
      extreme[i] += counts[i];
      count[i] += each.count[i];
    }
  }
  return surpriseOf(extreme, count, split)?.score ?? 0;
}
