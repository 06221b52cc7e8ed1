import type { Health } from '../component.js';
import type { EventStore } from '../streams/event-store.js';
import type { ClockObservation, ClockObserved } from '../streams/events/retention-events.js';
import { CLOCK_STREAM } from '../streams/stream-names.js';
import { readNewestEvents } from './newest-events.js';

const DAY_MS = 86_400_000;

/**
 * How far (ms) the clock may be from the expected time before it counts as wrong. Not more than the delay between
 * expiry and truncation: what a clock within this bound expires too early is still in the log.
 */
export const MAX_CLOCK_STEP_MS = DAY_MS;

/**
 * How much faster than the machine's own time the clock may run over the observations that are kept, beside one step: a
 * virtual machine that is paused every night gains hours each day. Many short steps within hours are not believed.
 */
const MAX_CLOCK_PACE = 3;

/** Observations from which the expected time is computed: about a day, at one per hour. */
export const OBSERVATIONS_KEPT = 24;

/** Time that passes whatever the clock says, also while no process of the service runs. */
export interface Uptime {
  /** Names the start from which `ms` counts. */
  readonly machineStart: string;
  readonly ms: number;
}

/** How retention assesses the clock. Times in ms since 1970. */
export interface ClockJudgement {
  /** `ahead`, `behind`: by more than MAX_CLOCK_STEP_MS. */
  readonly kind: 'agrees' | 'ahead' | 'behind';
  /** The time to use for retention. Never later than the clock, nor than the expected time by more than the step. */
  readonly trusted: number;
  /** Time expected from former observations and the time that has passed since the newest. */
  readonly expected: number;
}

/**
 * Assesses the clock. A clock that is ahead is not trusted until an operator confirms it or it returns; until then the
 * trusted time advances from the observations. A clock that is behind is trusted, because that expires less, and
 * becomes the expected time after a day of observations.
 * @param observations oldest first, the newest OBSERVATIONS_KEPT of the stream; empty: every clock agrees
 * @param elapsed time (ms) since the newest observation, as far as this process knows: counts for those of other machines,
 * and from before the machine started
 * @param isFirst whether `observations` starts with the first observation ever: a clock that returns to it after it
 * went back is not believed, because nothing but this one observation speaks for it
 */
export function assessClock(
  observations: readonly ClockObservation[],
  elapsed: number,
  now: number,
  isFirst: boolean,
  uptime?: Uptime,
): ClockJudgement {
  const confirmed = observations.findLastIndex(({ confirmedBy }) => confirmedBy !== undefined);
  const known = observations.slice(Math.max(0, confirmed));
  if (known.length === 0) return { kind: 'agrees', trusted: now, expected: now };
  const extrapolate = (each: ClockObservation): number => each.at + (findPassed(each, uptime) ?? elapsed);
  const isAlone = isFirst && confirmed < 0 && known.length > 1;
  const believed = isAlone ? known.slice(1) : known;
  const latest = Math.max(...believed.map(extrapolate));
  const steady = findSteadyTime(known, uptime);
  if (now > Math.min(latest + MAX_CLOCK_STEP_MS, steady.atMost)) {
    const trusted = extrapolate(known[known.length - 1]);
    return { kind: 'ahead', trusted, expected: now > steady.atMost ? steady.expected : latest };
  }
  const expected = Math.max(...known.map(extrapolate));
  return { kind: now < expected - MAX_CLOCK_STEP_MS ? 'behind' : 'agrees', trusted: now, expected };
}

/** Rounding of the time since the machine started, in ms. */
const UPTIME_ROUNDING_MS = 1_000;

/**
 * Time (ms) since an observation; undefined if it is from another machine, or from before this one started. Containers may
 * share the id of their host's start and have uptimes of their own: then the observed one lies ahead.
 */
function findPassed({ machineStart, uptime: observedAt }: ClockObservation, uptime?: Uptime): number | undefined {
  if (uptime === undefined || machineStart !== uptime.machineStart) return undefined;
  const passed = uptime.ms - (observedAt ?? uptime.ms);
  return passed < -UPTIME_ROUNDING_MS ? undefined : Math.max(0, passed);
}

/**
 * The time by the machine's own time since the first of the observations, and the latest one that is believed, however
 * many steps led to it. Infinity without observations since the machine started.
 */
function findSteadyTime(
  observations: readonly ClockObservation[],
  uptime?: Uptime,
): { expected: number; atMost: number } {
  const first = observations.findIndex((each) => findPassed(each, uptime) !== undefined);
  if (first < 0) return { expected: Infinity, atMost: Infinity };
  const passed = findPassed(observations[first], uptime)!;
  // A clock that was behind when the machine started may return to what was observed before.
  const from = Math.max(...observations.slice(0, first + 1).map(({ at }) => at));
  return { expected: from + passed, atMost: from + MAX_CLOCK_STEP_MS + MAX_CLOCK_PACE * passed };
}

/** One sentence for an operator; undefined if the clock agrees. */
export function describeJudgement({ kind, trusted, expected }: ClockJudgement, now: number): string | undefined {
  if (kind === 'agrees') return undefined;
  const difference = formatDuration(Math.abs(now - expected));
  const fact = `the clock says ${toIso(now)}, ${difference} ${kind === 'ahead' ? 'ahead of' : 'behind'} the time expected from the event log`;
  const effect = `retention is on hold at ${toIso(trusted)}`;
  return `${fact}; ${effect}. Set the clock, or run \`hindsight retention confirm-clock\` if it is right`;
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

function formatDuration(ms: number): string {
  return `${(ms / DAY_MS).toFixed(1)} days`;
}

/** The next observation is appended once the time has moved this far (ms): about one an hour. */
const MIN_OBSERVED_CHANGE_MS = 30 * 60_000;

/** How long (ms) observations are kept in the log. */
const OBSERVATION_LIFETIME_MS = 30 * 86_400_000;

export interface RetentionClockParts {
  readonly events: Pick<EventStore, 'append' | 'readStream' | 'truncate'>;
  /** Log time (ms since 1970) of the newest telemetry, for a log without observations; undefined without telemetry. */
  readonly readNewestLogTime: () => Promise<number | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uptime: () => Uptime;
  readonly newId: () => string;
}

/**
 * Earliest and latest of the times that may be the current one, ms since 1970. Equal while the clock agrees with the
 * observations.
 */
export interface PossibleNow {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * The time for retention: the clock as long as it agrees with what was observed before, also by former processes, as
 * every observation is in the event log.
 */
export class RetentionClock {
  private observations: readonly ClockObservation[] = [];
  /** Revision of the newest known observation; -1: none. */
  private revision = -1;
  /** Uptime (ms) at which this process first knew the newest observation. */
  private knownSince = 0;
  private failure: string | undefined;

  constructor(private readonly parts: RetentionClockParts) {}

  /** Assesses the clock and records the result. Rejects if the event log cannot be read or written. */
  async observe(): Promise<ClockJudgement> {
    try {
      const judgement = await this.assessAndRecord();
      this.failure = undefined;
      return judgement;
    } catch (error) {
      this.failure = `retention is on hold because the clock cannot be checked: ${(error as Error).message}`;
      throw error;
    }
  }

  /** Assesses the clock without recording anything. `advice`: what is wrong and what to do. */
  async inspect(): Promise<ClockJudgement & { readonly advice?: string }> {
    await this.refresh();
    const judgement = this.judge();
    const advice = describeJudgement(judgement, this.parts.now());
    return advice === undefined ? judgement : { ...judgement, advice };
  }

  /** The operator vouches for the clock: retention follows it from now on. Resolves once that is durable. */
  async confirm(actor: string): Promise<void> {
    const now = this.parts.now();
    await this.record({ at: now, clock: now, confirmedBy: actor });
    await this.refresh();
  }

  /**
   * Degraded while the clock does not agree, or cannot be checked. Until then another process may have confirmed it.
   */
  async check(): Promise<Health> {
    if (this.failure !== undefined) return { ok: true, degraded: this.failure };
    if (this.judge().kind !== 'agrees') await this.refresh().catch(() => undefined); // the log reports its own health
    const degraded = describeJudgement(this.judge(), this.parts.now());
    return degraded === undefined ? { ok: true } : { ok: true, degraded };
  }

  /**
   * Telemetry is admitted by either time, as it is not known which one is right. A clock that is a few hours behind is
   * no reason for a hold, but it must not reject what senders with the right time send.
   */
  possibleNow(): PossibleNow {
    const now = this.parts.now();
    const { trusted, expected } = this.judge();
    return { earliest: Math.min(now, trusted), latest: Math.max(now, expected) };
  }

  /** Deletes old observations. `now`: trusted time (ms since 1970). */
  async truncate(now: number): Promise<void> {
    await this.parts.events.truncate(CLOCK_STREAM, now - OBSERVATION_LIFETIME_MS);
  }

  private judge(): ClockJudgement {
    const uptime = this.parts.uptime();
    const isFirst = this.revision < this.observations.length;
    return assessClock(this.observations, uptime.ms - this.knownSince, this.parts.now(), isFirst, uptime);
  }

  private async assessAndRecord(): Promise<ClockJudgement> {
    await this.refresh();
    if (this.observations.length === 0) await this.recordFirst();
    const judgement = this.judge();
    const newest = this.observations[this.observations.length - 1];
    if (Math.abs(judgement.trusted - newest.at) >= MIN_OBSERVED_CHANGE_MS) {
      await this.record({ at: judgement.trusted, clock: this.parts.now() });
      await this.refresh();
    }
    return judgement;
  }

  private async recordFirst(): Promise<void> {
    const clock = this.parts.now();
    await this.record({ at: (await this.parts.readNewestLogTime()) ?? clock, clock });
    await this.refresh();
  }

  private async record(data: ClockObservation): Promise<void> {
    const { machineStart, ms } = this.parts.uptime();
    const event: ClockObserved = { type: 'ClockObserved.v2', data: { ...data, machineStart, uptime: Math.round(ms) } };
    await this.parts.events.append(CLOCK_STREAM, 'any', [{ id: this.parts.newId(), ...event }]);
  }

  /** Reads observations that this process does not know yet: its own and those of others. */
  private async refresh(): Promise<void> {
    const { events, uptime } = this.parts;
    const found = await readNewestEvents(events, CLOCK_STREAM, OBSERVATIONS_KEPT);
    const revision = found.at(-1)?.revision ?? -1;
    if (revision === this.revision) return;
    this.observations = found.map(({ data }) => data as ClockObservation);
    this.knownSince = uptime().ms;
    this.revision = revision;
  }
}
