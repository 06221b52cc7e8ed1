import { asyncScheduler, type SchedulerLike, Subscription, timer } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import { type Position, START } from '../streams/event-store.js';
import type { CheckedSlice, Damage, LogChecker } from '../streams/log-checker.js';
import { KnownDamage } from './known-damage.js';

/** Findings of the scrub, and where to continue. Plain data. */
export interface ScrubState {
  /** Position up to which the current pass has checked. */
  readonly position: Position;
  /** Damaged events that are known, in log order. */
  readonly damaged: readonly Damage[];
  /** Intact events that an index lacks, or at which it cannot be read, in log order. Absent in older files. */
  readonly unindexed?: readonly Damage[];
}

export interface EventLogScrubParts {
  readonly checker: LogChecker;
  /** State of the previous process on this log; undefined if there is none. */
  readonly load: () => ScrubState | undefined;
  readonly save: (state: ScrubState) => void;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly scheduler?: SchedulerLike;
  /** Milliseconds since any moment, not affected by changes of the clock. Default: `performance.now()`. */
  readonly monotonic?: () => number;
}

/** Fraction of the time spent reading, and bytes per second: low enough not to slow commits and searches. */
const MAX_LOAD = 0.05;
const MAX_BYTES_PER_MS = 4_096;

/** Pause (ms) between passes: ten times as long as a pass, within these bounds. */
const PAUSE_PER_PASS = 10;
const MIN_PASS_PAUSE_MS = 60_000;
const MAX_PASS_PAUSE_MS = 24 * 3_600_000;

/** Pause (ms) after a log that cannot be read. */
const RETRY_PAUSE_MS = 60_000;

/** Interval (ms) at which progress is saved; new damage is saved at once. */
const SAVE_INTERVAL_MS = 60_000;

/** Time (ms) before damage that readers met is saved. */
const SAVE_DELAY_MS = 1_000;

const MAX_NAMED = 5;

/**
 * Reads the whole event log repeatedly and slowly, and records which events are damaged and where its indexes are, so
 * that the operator learns of damage before a query meets it. Continues where the previous process stopped.
 */
export class EventLogScrub {
  private readonly running = new Subscription();
  private readonly scheduler: SchedulerLike;
  private readonly monotonic: () => number;
  private readonly events = new KnownDamage((damage) =>
    this.parts.log.error('Damaged event in the event log', { ...damage }),
  );
  /** Places at which an index is damaged and the event is not. */
  private readonly index = new KnownDamage((damage) => this.reportIndex(damage));
  private position: Position = START;
  private passStartedAt: number;
  private savedAt: number;
  private failure: string | undefined;
  private isSaveDue = false;
  private currentSlice: Promise<void> = Promise.resolve();

  constructor(private readonly parts: EventLogScrubParts) {
    this.scheduler = parts.scheduler ?? asyncScheduler;
    this.monotonic = parts.monotonic ?? (() => performance.now());
    this.passStartedAt = this.monotonic();
    this.savedAt = this.passStartedAt;
    const state = parts.load();
    this.position = state?.position ?? START;
    this.events.load(state?.damaged ?? []);
    this.index.load(state?.unindexed ?? []);
  }

  /** What the operator should know; undefined while the log is intact as far as it was checked. */
  get finding(): string | undefined {
    if (this.failure !== undefined) return `the event log cannot be checked: ${this.failure}`;
    const findings = [describeEvents(this.events), describeIndex(this.index)].filter((text) => text !== undefined);
    return findings.length > 0 ? findings.join('; ') : undefined;
  }

  start(): void {
    this.schedule(0);
  }

  /** Saves the progress. Idempotent. */
  async stop(): Promise<void> {
    if (this.running.closed) return;
    this.running.unsubscribe();
    await this.currentSlice;
    this.save();
  }

  /** Adds a damaged event that a reader has met; the next pass checks it again. */
  note({ position, reason }: Damage): void {
    if (this.events.note({ position, reason })) this.saveSoon();
  }

  /** A page of damaged records causes many reports, and each save writes a file on the serving thread. */
  private saveSoon(): void {
    if (this.isSaveDue || this.running.closed) return;
    this.isSaveDue = true;
    const next = timer(SAVE_DELAY_MS, this.scheduler).subscribe(() => {
      this.running.remove(next);
      this.isSaveDue = false;
      this.save();
    });
    this.running.add(next);
  }

  private schedule(delayMs: number): void {
    if (this.running.closed) return;
    const next = timer(delayMs, this.scheduler).subscribe(() => {
      this.running.remove(next);
      this.currentSlice = this.checkSlice().then((pauseMs) => this.schedule(pauseMs));
    });
    this.running.add(next);
  }

  /** Resolves to the pause (ms) before the next slice. */
  private async checkSlice(): Promise<number> {
    const startedAt = this.monotonic();
    try {
      const slice = await this.parts.checker.checkAfter(this.position);
      this.failure = undefined;
      if (slice.reached === undefined) return this.endPass();
      this.apply(slice.reached, slice);
      const elapsed = this.monotonic() - startedAt;
      return Math.max(elapsed / MAX_LOAD - elapsed, slice.bytes / MAX_BYTES_PER_MS);
    } catch (error) {
      const { message } = error as Error;
      if (this.failure !== message && !this.running.closed)
        this.parts.log.warn('Cannot check the event log for damage; retrying', { error });
      this.failure = message;
      return RETRY_PAUSE_MS;
    }
  }

  private apply(reached: Position, { damaged }: CheckedSlice): void {
    const ofIndex = damaged.filter(({ isIndexOnly }) => isIndexOnly === true);
    const ofEvents = damaged.filter(({ isIndexOnly }) => isIndexOnly !== true);
    const changes = [
      this.events.replaceBetween(this.position, reached, ofEvents),
      this.index.replaceBetween(this.position, reached, ofIndex),
    ];
    this.position = reached;
    const isDue = this.monotonic() - this.savedAt >= SAVE_INTERVAL_MS;
    if (changes.includes(true) || isDue) this.save();
  }

  /** Once: a lost page of an index is thousands of places. */
  private reportIndex(damage: Damage): void {
    if (this.index.count === 1) this.parts.log.error('An index of the event log is damaged', { ...damage });
  }

  /** Returns the pause (ms). */
  private endPass(): number {
    const now = this.monotonic();
    this.events.endPass(this.position);
    this.index.endPass(this.position);
    const pause = (now - this.passStartedAt) * PAUSE_PER_PASS;
    this.position = START;
    this.save();
    const bounded = Math.min(MAX_PASS_PAUSE_MS, Math.max(MIN_PASS_PAUSE_MS, pause));
    this.passStartedAt = now + bounded;
    return bounded;
  }

  private save(): void {
    this.savedAt = this.monotonic();
    this.parts.save({ position: this.position, damaged: this.events.places, unindexed: this.index.places });
  }
}

function describeEvents({ count, places }: KnownDamage): string | undefined {
  if (count === 0) return undefined;
  const named = places.slice(0, MAX_NAMED).map(({ position }) => position);
  const more = count - named.length;
  return `${count} damaged ${count === 1 ? 'event' : 'events'} in the event log, at ${named.length === 1 ? 'position' : 'positions'} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}: do not replay; see Damaged events in docs/operating.md`;
}

function describeIndex({ count, places }: KnownDamage): string | undefined {
  if (count === 0) return undefined;
  return `an index of the event log is damaged at ${count} intact ${count === 1 ? 'event' : 'events'}, from position ${places[0].position}: no event is lost; back up and restore, which rebuilds the indexes; see Damaged index in docs/operating.md`;
}
