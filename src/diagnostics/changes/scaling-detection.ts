import { OTHER_NAME, type ServiceRollup, type TimeBucket } from '../rollups/rollup-types.js';
import { MINUTE_MS } from '../time-windows.js';

/** A change of the number of live instances of a service; `atMs` in ms since 1970. */
export interface Scaling {
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
}

const US_PER_MINUTE = MINUTE_MS * 1000;

/**
 * An instance is live for this many minutes after it was seen (contract §5), not counting those in which the whole
 * service was silent.
 */
const LIVE_MINUTES = 5;

/** The count must differ for this many consecutive minutes. */
const CONFIRMING_MINUTES = 2;

/** Period in which an instance was seen without a longer gap, in minutes of the service's activity. */
interface InstanceLifetime {
  readonly from: number;
  to: number;
  readonly firstUs: number;
  lastUs: number;
}

/**
 * Bounds of the number of live instances: at least `certain` throughout the minute, at most `possible` at any time of
 * it.
 */
interface LiveInstanceCounts {
  readonly certain: Int32Array;
  readonly possible: Int32Array;
}

/**
 * Detects when the number of live instances of a service changed, in order. A count holds until another one is certain:
 * replacing instances one by one does not change it, because for a minute old and new instances may overlap. Only
 * minutes with spans of the service count, so silence is not scaling. `buckets` are of one service, ascending.
 * Instances without an id are ignored.
 */
export function detectScalings(buckets: readonly TimeBucket<ServiceRollup>[]): readonly Scaling[] {
  const active = new Map<number, number>();
  for (const { minute, minutes } of buckets)
    for (let at = minute; at < minute + minutes; at++) active.set(at, active.size);
  const lifetimes = findInstanceLifetimes(buckets, active);
  const liveCounts = countLiveInstances(lifetimes, active.size);
  let count = Math.min(...liveCounts.possible.subarray(0, LIVE_MINUTES));
  const scalings: Scaling[] = [];
  for (let i = 0, deviatingMinutes = 0; i < active.size; i++) {
    deviatingMinutes = count < liveCounts.certain[i] || count > liveCounts.possible[i] ? deviatingMinutes + 1 : 0;
    if (deviatingMinutes < CONFIRMING_MINUTES) continue;
    const to = count < liveCounts.certain[i] ? liveCounts.certain[i] : liveCounts.possible[i];
    const started = lifetimes
      .filter(({ from }) => from >= i - deviatingMinutes && from <= i)
      .map(({ firstUs }) => firstUs);
    const stopped = lifetimes
      .filter((lifetime) => lifetime.to + LIVE_MINUTES > i - deviatingMinutes && lifetime.to + LIVE_MINUTES <= i)
      .map(({ lastUs }) => lastUs);
    const atUs = earliestTime(to > count ? started : stopped);
    if (count > 0 && to > 0) scalings.push({ atMs: Math.floor(atUs / 1000), from: count, to });
    count = to;
    deviatingMinutes = 0;
  }
  return scalings;
}

function findInstanceLifetimes(
  buckets: readonly TimeBucket<ServiceRollup>[],
  active: ReadonlyMap<number, number>,
): InstanceLifetime[] {
  const lifetimes: InstanceLifetime[] = [];
  const newest = new Map<string, InstanceLifetime>();
  let [minute, index] = [NaN, 0]; // cache of the last lookup, since most entries of a bucket are in the same minute
  const indexOf = (us: number): number => {
    const at = Math.floor(us / US_PER_MINUTE);
    if (at !== minute) [minute, index] = [at, active.get(at) ?? 0];
    return index;
  };
  for (const { value } of buckets) {
    for (const { instance, firstUs, lastUs } of value.instances) {
      if (instance === '' || instance === OTHER_NAME) continue;
      const [from, to] = [indexOf(firstUs), indexOf(lastUs)];
      const lifetime = newest.get(instance);
      if (lifetime !== undefined && from - lifetime.to <= LIVE_MINUTES) {
        lifetime.to = to;
        lifetime.lastUs = lastUs;
        continue;
      }
      const started = { from, to, firstUs, lastUs };
      newest.set(instance, started);
      lifetimes.push(started);
    }
  }
  return lifetimes;
}

/**
 * Instances seen in the first minutes are assumed to have been live before. An instance no longer seen may still be
 * live for LIVE_MINUTES.
 */
function countLiveInstances(lifetimes: readonly InstanceLifetime[], minutes: number): LiveInstanceCounts {
  const certain = new Int32Array(minutes + 1);
  const possible = new Int32Array(minutes + 1);
  for (const { from, to } of lifetimes) {
    const begin = from < LIVE_MINUTES ? 0 : from;
    possible[begin]++;
    possible[Math.min(minutes, to + LIVE_MINUTES)]--;
    const [certainFrom, end] = [begin === 0 ? 0 : from + 1, to === minutes - 1 ? minutes : to];
    if (certainFrom >= end) continue;
    certain[certainFrom]++;
    certain[end]--;
  }
  for (let i = 1; i < minutes; i++) {
    certain[i] += certain[i - 1];
    possible[i] += possible[i - 1];
  }
  return { certain: certain.subarray(0, minutes), possible: possible.subarray(0, minutes) };
}

function earliestTime(times: readonly number[]): number {
  return times.reduce((a, b) => Math.min(a, b), Infinity);
}
