import { Sketch } from '../rollups/sketch.js';
import { scoreRateChange, type Split } from './robust-statistics.js';

/** Times of one operation or edge: how many there are, and their sketches, by stretch. */
export interface CallTimes {
  readonly count: Float64Array;
  readonly sketches: readonly (Sketch | undefined)[];
}

/** Percentiles of what came before, beyond which a call is slow, or fast. */
const SLOW_PERCENTILE = 90;
const FAST_PERCENTILE = 10;

/** How many calls of each stretch were extreme beside their own past. */
export interface ExtremeCalls {
  readonly slow: Float64Array;
  readonly fast: Float64Array;
}

/** Remembers what it counted: splits one after another ask for the same. */
export type ExtremeCallCounter = (times: CallTimes) => ExtremeCalls;

/**
 * Counts extreme calls. Their past is what lies before the window, or the first stretch where nothing does. A single wild
 * value moves a mean but is only one call here.
 */
export function createExtremeCallCounter(windowStart: number): ExtremeCallCounter {
  const known = new Map<CallTimes['sketches'], ExtremeCalls>();
  return (times) => {
    const extremes = known.get(times.sketches) ?? countExtremeCalls(times, windowStart);
    known.set(times.sketches, extremes);
    return extremes;
  };
}

function countExtremeCalls({ count, sketches }: CallTimes, windowStart: number): ExtremeCalls {
  const first = count.findIndex((each) => each > 0);
  const past = new Sketch();
  for (const sketch of sketches.slice(0, first < windowStart ? windowStart : first + 1))
    if (sketch !== undefined) past.merge(sketch);
  const slow = past.percentile(SLOW_PERCENTILE);
  const fast = past.percentile(FAST_PERCENTILE);
  const above = (limit: number) => count.map((_, at) => sketches[at]?.countAbove(limit) ?? 0);
  return { slow: above(slow), fast: above(fast).map((rest, at) => count[at] - rest) };
}

/** How surprising the share of extreme calls is, all the given kinds taken together. */
export function scoreExtremeCalls(
  times: readonly CallTimes[],
  which: keyof ExtremeCalls,
  extremes: ExtremeCallCounter,
  split: Split,
): number {
  const extreme = new Float64Array(split.to);
  const count = new Float64Array(split.to);
  for (const each of times) {
    const counts = extremes(each)[which];
    for (let i = 0; i < split.to; i++) {
      extreme[i] += counts[i];
      count[i] += each.count[i];
    }
  }
  return scoreRateChange(extreme, count, split)?.score ?? 0;
}
