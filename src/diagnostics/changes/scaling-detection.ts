import { OTHER_NAME, type ServiceRollup, type TimeBucket } from '../rollups/rollup-types.js';
import { MINUTE_MS } from '../time-windows.js';

export interface Scaling {
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
}

const US_PER_MINUTE = MINUTE_MS * 1000;

/** An instance is live for so many minutes after it was seen (contract §5), not counting those in which the whole service was silent. */
const LIVE_MINUTES = 5;

/** The count has to be another one for so many minutes in a row. */
const CONFIRMING_MINUTES = 2;

/** An instance from its first to its last sighting without a longer gap, in minutes of the service's activity. */
interface InstanceLifetime {
  readonly from: number;
  to: number;
  readonly firstUs: number;
  lastUs: number;
}

/** How many instances were live: at least `certain` all through the minute, at most `possible` at some time of it. */
interface LiveInstanceCounts {
  readonly certain: Int32Array;
  readonly possible: Int32Array;
}

/**
 * When the number of live instances of a service changed, in order. A count holds for as long as nothing proves another:
 * instances replaced one by one leave it as it is, since for a minute nobody can tell whether old and new lived side by side.
 * Only minutes in which the service sent spans count, so that silence scales nothing. Stretches are of one service,
 * ascending. Instances without an id are not counted.
 */
export function detectScalings(stretches: readonly TimeBucket<ServiceRollup>[]): readonly Scaling[] {
  const active = new Map<number, number>();
  for (const { minute, minutes } of stretches)
    for (let at = minute; at < minute + minutes; at++) active.set(at, active.size);
  const lives = findInstanceLifetimes(stretches, active);
  const census = countLiveInstances(lives, active.size);
  let count = Math.min(...census.possible.subarray(0, LIVE_MINUTES));
  const found: Scaling[] = [];
  for (let i = 0, away = 0; i < active.size; i++) {
    away = count < census.certain[i] || count > census.possible[i] ? away + 1 : 0;
    if (away < CONFIRMING_MINUTES) continue;
    const to = count < census.certain[i] ? census.certain[i] : census.possible[i];
    const born = lives.filter(({ from }) => from >= i - away && from <= i).map(({ firstUs }) => firstUs);
    const gone = lives
      .filter((life) => life.to + LIVE_MINUTES > i - away && life.to + LIVE_MINUTES <= i)
      .map(({ lastUs }) => lastUs);
    const atUs = earliestTime(to > count ? born : gone);
    if (count > 0 && to > 0) found.push({ atMs: Math.floor(atUs / 1000), from: count, to });
    count = to;
    away = 0;
  }
  return found;
}

function findInstanceLifetimes(
  stretches: readonly TimeBucket<ServiceRollup>[],
  active: ReadonlyMap<number, number>,
): InstanceLifetime[] {
  const lives: InstanceLifetime[] = [];
  const newest = new Map<string, InstanceLifetime>();
  let [minute, index] = [NaN, 0]; // those of the last sighting, since most of a stretch are of one minute
  const indexOf = (us: number): number => {
    const at = Math.floor(us / US_PER_MINUTE);
    if (at !== minute) [minute, index] = [at, active.get(at) ?? 0];
    return index;
  };
  for (const { value } of stretches) {
    for (const { instance, firstUs, lastUs } of value.instances) {
      if (instance === '' || instance === OTHER_NAME) continue;
      const [from, to] = [indexOf(firstUs), indexOf(lastUs)];
      const life = newest.get(instance);
      if (life !== undefined && from - life.to <= LIVE_MINUTES) {
        life.to = to;
        life.lastUs = lastUs;
        continue;
      }
      const begun = { from, to, firstUs, lastUs };
      newest.set(instance, begun);
      lives.push(begun);
    }
  }
  return lives;
}

/** Who is seen in the first minutes was there before them. Who is not seen any more is live for a while yet, but nobody knows. */
function countLiveInstances(lives: readonly InstanceLifetime[], minutes: number): LiveInstanceCounts {
  const certain = new Int32Array(minutes + 1);
  const possible = new Int32Array(minutes + 1);
  for (const { from, to } of lives) {
    const begin = from < LIVE_MINUTES ? 0 : from;
    possible[begin]++;
    possible[Math.min(minutes, to + LIVE_MINUTES)]--;
    const [whole, end] = [begin === 0 ? 0 : from + 1, to === minutes - 1 ? minutes : to];
    if (whole >= end) continue;
    certain[whole]++;
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
