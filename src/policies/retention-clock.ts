import type { Health } from '../component.js';
import type { EventStore } from '../streams/event-store.js';
import type { ClockObservation, ClockObserved } from '../streams/events/retention-events.js';
import { CLOCK_STREAM } from '../streams/stream-names.js';
import { type ClockJudgement, describeJudgement, judgeClock, OBSERVATIONS_KEPT } from './clock-judgement.js';
import { readNewestEvents } from './newest-events.js';

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
  /** Milliseconds since any moment, not affected by changes of the clock. */
  readonly monotonic: () => number;
  readonly newId: () => string;
}

/** Earliest and latest of the times that may be the current one, ms since 1970. Equal while the clock agrees. */
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
  /** Monotonic time at which this process first knew the newest observation. */
  private knownSince = 0;
  private failure: string | undefined;

  constructor(private readonly parts: RetentionClockParts) {}

  /** Judges the clock and records the result. Rejects if the event log cannot be read or written. */
  async observe(): Promise<ClockJudgement> {
    try {
      const judgement = await this.judgeAndRecord();
      this.failure = undefined;
      return judgement;
    } catch (error) {
      this.failure = `retention is on hold because the clock cannot be checked: ${(error as Error).message}`;
      throw error;
    }
  }

  /** Judges the clock without recording anything. `advice`: what is wrong and what to do. */
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

  /** Degraded while the clock does not agree, or cannot be checked. Until then another process may have confirmed it. */
  async check(): Promise<Health> {
    if (this.failure !== undefined) return { ok: true, degraded: this.failure };
    if (this.judge().kind !== 'agrees') await this.refresh().catch(() => undefined); // the log reports its own health
    const degraded = describeJudgement(this.judge(), this.parts.now());
    return degraded === undefined ? { ok: true } : { ok: true, degraded };
  }

  /** While the clock does not agree, telemetry is admitted by either time: which one is right is not known. */
  possibleNow(): PossibleNow {
    const now = this.parts.now();
    const { kind, trusted, expected } = this.judge();
    if (kind === 'agrees') return { earliest: now, latest: now };
    return { earliest: Math.min(now, trusted), latest: Math.max(now, expected) };
  }

  /** Deletes old observations. `now`: trusted time (ms since 1970). */
  async truncate(now: number): Promise<void> {
    await this.parts.events.truncate(CLOCK_STREAM, now - OBSERVATION_LIFETIME_MS);
  }

  private judge(): ClockJudgement {
    const { now, monotonic } = this.parts;
    const isFirst = this.revision < this.observations.length;
    return judgeClock(this.observations, monotonic() - this.knownSince, now(), isFirst);
  }

  private async judgeAndRecord(): Promise<ClockJudgement> {
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
    const event: ClockObserved = { type: 'ClockObserved.v1', data };
    await this.parts.events.append(CLOCK_STREAM, 'any', [{ id: this.parts.newId(), ...event }]);
  }

  /** Reads observations that this process does not know yet: its own and those of others. */
  private async refresh(): Promise<void> {
    const { events, monotonic } = this.parts;
    const found = await readNewestEvents(events, CLOCK_STREAM, OBSERVATIONS_KEPT);
    const revision = found.at(-1)?.revision ?? -1;
    if (revision === this.revision) return;
    this.observations = found.map(({ data }) => data as ClockObservation);
    this.knownSince = monotonic();
    this.revision = revision;
  }
}
