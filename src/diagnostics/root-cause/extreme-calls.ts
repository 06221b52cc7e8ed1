import { Sketch } from '../rollups/sketch.js';
import { scoreRateChange, type Split } from './robust-statistics.js';

/** Durations of one operation or edge by bucket: their number and sketches. */
export interface CallTimes {
  readonly count: Float64Array;
  readonly sketches: readonly (Sketch | undefined)[];
}

/** Percentiles of the earlier durations beyond which a call is slow or fast. */
const SLOW_PERCENTILE = 90;
const FAST_PERCENTILE = 10;

/** Number of extreme calls per bucket, relative to their own past. */
export interface ExtremeCalls {
  readonly slow: Float64Array;
  readonly fast: Float64Array;
}

/** Counts extreme calls; results are memoized because many splits need the same counts. */
export type ExtremeCallCounter = (times: CallTimes) => ExtremeCalls;

/**
 * Creates a counter of extreme calls. Their past is everything before the window, or the first bucket if there is
 * nothing before. Robust to outliers: an extreme value moves a mean but counts here as one call.
 */
export function createExtremeCallCounter(windowStart: number): ExtremeCallCounter {
  const cache = new Map<CallTimes['sketches'], ExtremeCalls>();
  return (times) => {
    const extremes = cache.get(times.sketches) ?? countExtremeCalls(times, windowStart);
    cache.set(times.sketches, extremes);
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
  const countAbove = (limit: number) => count.map((_, at) => sketches[at]?.countAbove(limit) ?? 0);
  return { slow: countAbove(slow), fast: countAbove(fast).map((others, at) => count[at] - others) };
}

/** Score of the change in the share of extreme calls, over all given kinds together. */
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
