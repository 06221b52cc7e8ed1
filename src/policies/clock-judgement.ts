import type { ClockObservation } from '../streams/events/retention-events.js';

const DAY_MS = 86_400_000;

/**
 * How far (ms) the clock may be from the expected time before it counts as wrong. Not more than the delay between
 * expiry and truncation: what a clock within this bound expires too early is still in the log.
 */
export const MAX_CLOCK_STEP_MS = DAY_MS;

/** Observations that decide what time to expect: about a day of running, as one is made an hour. */
export const OBSERVATIONS_KEPT = 24;

/** What retention makes of the clock. Times in ms since 1970. */
export interface ClockJudgement {
  /** `ahead`, `behind`: by more than MAX_CLOCK_STEP_MS. */
  readonly kind: 'agrees' | 'ahead' | 'behind';
  /** The time to use for retention. Never later than the clock, nor than the expected time by more than the step. */
  readonly trusted: number;
  /** Time expected from former observations and the time that has passed since the newest. */
  readonly expected: number;
}

/**
 * Judges the clock. A clock that is ahead is not believed until an operator confirms it or it returns; the trusted time
 * then goes on from the observations. A clock that is behind is believed, because that expires less, and becomes the
 * expected time after a day of observations.
 * @param observations oldest first, the newest OBSERVATIONS_KEPT of the stream; empty: every clock agrees
 * @param elapsed monotonic time (ms) since the newest observation, as far as this process knows
 * @param isFirst whether `observations` starts with the first observation ever: a clock that returns to it after it
 * went back is not believed, because nothing but this one observation speaks for it
 */
export function judgeClock(
  observations: readonly ClockObservation[],
  elapsed: number,
  now: number,
  isFirst: boolean,
): ClockJudgement {
  const confirmed = observations.findLastIndex(({ confirmedBy }) => confirmedBy !== undefined);
  const known = observations.slice(Math.max(0, confirmed));
  if (known.length === 0) return { kind: 'agrees', trusted: now, expected: now };
  const isAlone = isFirst && confirmed < 0 && known.length > 1;
  const latest = findLatest(isAlone ? known.slice(1) : known) + elapsed;
  if (now > latest + MAX_CLOCK_STEP_MS)
    return { kind: 'ahead', trusted: known[known.length - 1].at + elapsed, expected: latest };
  const expected = findLatest(known) + elapsed;
  return { kind: now < expected - MAX_CLOCK_STEP_MS ? 'behind' : 'agrees', trusted: now, expected };
}

function findLatest(observations: readonly ClockObservation[]): number {
  return Math.max(...observations.map(({ at }) => at));
}

/** One sentence for an operator; undefined if the clock agrees. */
export function describeJudgement({ kind, trusted, expected }: ClockJudgement, now: number): string | undefined {
  if (kind === 'agrees') return undefined;
  const difference = formatDuration(Math.abs(now - expected));
  const fact = `the clock says ${toIso(now)}, ${difference} ${kind === 'ahead' ? 'ahead of' : 'behind'} the time that the event log leads to expect`;
  const effect = `retention is on hold at ${toIso(trusted)}`;
  return `${fact}; ${effect}. Set the clock, or run \`hindsight retention confirm-clock\` if it is right`;
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

function formatDuration(ms: number): string {
  return `${(ms / DAY_MS).toFixed(1)} days`;
}
