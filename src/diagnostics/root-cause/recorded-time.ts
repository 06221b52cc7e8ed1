import type { ServiceRollup } from '../rollups/rollup-types.js';
import { MINUTE_MS } from '../time-windows.js';

/**
 * Which part of each bucket has spans of the Grid. Recording starts, stops and has gaps; a minute of which ten seconds
 * were recorded has neither fewer requests nor requests that call less.
 */
export interface RecordedTime {
  /** Share of each bucket, 0 to 1. */
  readonly share: Float64Array;
  /** Recorded time in ns of buckets within which recording began, Infinity for others. */
  readonly sinceStartNs: Float64Array;
  /** True if recording began within any bucket. */
  readonly hasStarts: boolean;
}

/** Ends of the first and the last span of a bucket, µs since 1970; undefined if no span tells. */
export type RecordedPeriod = { readonly firstUs: number; readonly lastUs: number } | undefined;

/** Times of spans in a rollup; undefined where no span names a version or an instance. */
export function findRecordedPeriod({ versions, instances }: ServiceRollup): RecordedPeriod {
  let [firstUs, lastUs] = [Infinity, -Infinity];
  for (const observations of [versions, instances])
    for (const each of observations) {
      firstUs = Math.min(firstUs, each.firstUs);
      lastUs = Math.max(lastUs, each.lastUs);
    }
  return firstUs === Infinity ? undefined : { firstUs, lastUs };
}

/** From the earlier of both to the later. */
export function joinPeriods(a: RecordedPeriod, b: RecordedPeriod): RecordedPeriod {
  if (a === undefined || b === undefined) return a ?? b;
  return { firstUs: Math.min(a.firstUs, b.firstUs), lastUs: Math.max(a.lastUs, b.lastUs) };
}

/** A gap is certain if requests at random times leave one as long with at most this probability. */
const MAX_CHANCE = 0.01;

/**
 * Measures the gaps at both edges of each bucket. `requests`: the number of independent requests in each.
 */
export function measureRecordedTime(
  starts: readonly number[],
  lengths: readonly number[],
  periods: readonly RecordedPeriod[],
  requests: Float64Array,
): RecordedTime {
  const share = new Float64Array(starts.length).fill(1);
  const sinceStartNs = new Float64Array(starts.length).fill(Infinity);
  let hasStarts = false;
  for (let i = 0; i < starts.length; i++) {
    const period = periods[i];
    if (period === undefined) continue;
    const [startUs, lengthUs] = [starts[i] * MINUTE_MS * 1000, lengths[i] * MINUTE_MS * 1000];
    const keepIfCertain = (gap: number) => ((1 - gap) ** requests[i] <= MAX_CHANCE ? gap : 0);
    const before = keepIfCertain(Math.max(0, (period.firstUs - startUs) / lengthUs));
    const after = keepIfCertain(Math.max(0, 1 - (period.lastUs - startUs) / lengthUs));
    share[i] = Math.max(1e-3, 1 - before - after);
    if (before === 0) continue;
    sinceStartNs[i] = share[i] * lengthUs * 1000;
    hasStarts = true;
  }
  return { share, sinceStartNs, hasStarts };
}

/**
 * The number of requests (or calls) of which the beginning was recorded too, and with it what they called and logged:
 * where recording began within a bucket, those that were in flight lack it, on average as many as began in the time
 * that one takes.
 */
export function countComplete(
  count: Float64Array,
  durationNs: Float64Array,
  { sinceStartNs, hasStarts }: RecordedTime,
): Float64Array {
  if (!hasStarts) return count;
  return count.map((each, i) => each * (1 - computeInFlightShare(each, durationNs[i], sinceStartNs[i])));
}

/** Share of the requests of a bucket that were in flight when recording began in it. */
export function computeInFlightShare(count: number, durationNs: number, sinceStartNs: number): number {
  return count === 0 ? 0 : Math.min(1, durationNs / count / sinceStartNs);
}
