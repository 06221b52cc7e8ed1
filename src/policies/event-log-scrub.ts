import { asyncScheduler, type SchedulerLike, Subscription, timer } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import { type Position, START } from '../streams/event-store.js';
import type { CheckedSlice, Damage, LogChecker } from '../streams/log-checker.js';

/** What a scrub has found, and where it goes on. Plain data. */
export interface ScrubState {
  /** Position up to which the current pass has checked. */
  readonly position: Position;
  /** Damaged events that are known, in log order. */
  readonly damaged: readonly Damage[];
}

export interface EventLogScrubParts {
  readonly checker: LogChecker;
  /** State of the previous process on this log; undefined if there is none. */
  readonly load: () => ScrubState | undefined;
  readonly save: (state: ScrubState) => void;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly scheduler?: SchedulerLike;
}

/** Share of the time for reading, and bytes a second: neither commits nor searches notice. */
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

/** Damaged events that are remembered one by one; more are only counted. */
const MAX_REMEMBERED = 1_000;
const MAX_NAMED = 5;

/**
 * Reads the whole event log again and again, slowly, and remembers which events are damaged, so that the operator knows
 * before somebody asks for one. Goes on where the previous process stopped.
 */
export class EventLogScrub {
  private readonly running = new Subscription();
  private readonly scheduler: SchedulerLike;
  private readonly damaged = new Map<Position, string>();
  private position: Position = START;
  /** Damaged events beyond those that are remembered: of the last pass, or more if this one has already found more. */
  private unnamed = 0;
  private unnamedInPass = 0;
  private passStartedAt: number;
  private savedAt: number;
  private failure: string | undefined;
  private isSaveDue = false;
  private currentSlice: Promise<void> = Promise.resolve();

  constructor(private readonly parts: EventLogScrubParts) {
    this.scheduler = parts.scheduler ?? asyncScheduler;
    this.passStartedAt = this.scheduler.now();
    this.savedAt = this.passStartedAt;
    const state = parts.load();
    this.position = state?.position ?? START;
    for (const { position, reason } of state?.damaged ?? []) this.damaged.set(position, reason);
  }

  /** What the operator should know; undefined while the log is intact as far as it was checked. */
  get finding(): string | undefined {
    if (this.failure !== undefined) return `the event log cannot be checked: ${this.failure}`;
    const count = this.damaged.size + this.unnamed;
    if (count === 0) return undefined;
    const named = [...this.damaged.keys()].sort().slice(0, MAX_NAMED);
    const more = count - named.length;
    return `${count} damaged ${count === 1 ? 'event' : 'events'} in the event log, at ${named.length === 1 ? 'position' : 'positions'} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}: do not replay; see Damaged events in docs/operating.md`;
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
    if (this.damaged.has(position) || this.damaged.size >= MAX_REMEMBERED) return;
    this.remember({ position, reason });
    this.saveSoon();
  }

  /** A page of damaged records is many notes, and each save writes a file on the thread that serves. */
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
    const startedAt = this.scheduler.now();
    try {
      const slice = await this.parts.checker.checkAfter(this.position);
      this.failure = undefined;
      if (slice.reached === undefined) return this.endPass();
      this.apply(slice.reached, slice);
      const elapsed = this.scheduler.now() - startedAt;
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
    const found = new Map(damaged.map(({ position, reason }) => [position, reason]));
    const isChecked = (position: Position): boolean => position > this.position && position <= reached;
    const repaired = [...this.damaged.keys()].filter((position) => isChecked(position) && !found.has(position));
    for (const position of repaired) this.damaged.delete(position);
    const added = damaged.filter(({ position }) => !this.damaged.has(position));
    for (const damage of added) this.remember(damage);
    this.position = reached;
    const isDue = this.scheduler.now() - this.savedAt >= SAVE_INTERVAL_MS;
    if (added.length + repaired.length > 0 || isDue) this.save();
  }

  private remember({ position, reason }: Damage): void {
    if (this.damaged.size >= MAX_REMEMBERED) {
      this.unnamedInPass++;
      this.unnamed = Math.max(this.unnamed, this.unnamedInPass);
      return;
    }
    this.damaged.set(position, reason);
    this.parts.log.error('Damaged event in the event log', { position, reason });
  }

  /** Events beyond the end of the pass have been deleted, and so has their damage. Resolves to the pause (ms). */
  private endPass(): number {
    const now = this.scheduler.now();
    for (const position of [...this.damaged.keys()]) if (position > this.position) this.damaged.delete(position);
    const pause = (now - this.passStartedAt) * PAUSE_PER_PASS;
    this.position = START;
    this.save();
    const bounded = Math.min(MAX_PASS_PAUSE_MS, Math.max(MIN_PASS_PAUSE_MS, pause));
    this.passStartedAt = now + bounded;
    this.unnamed = this.unnamedInPass;
    this.unnamedInPass = 0;
    return bounded;
  }

  private save(): void {
    this.savedAt = this.scheduler.now();
    const damaged = [...this.damaged].sort().map(([position, reason]) => ({ position, reason }));
    this.parts.save({ position: this.position, damaged });
  }
}
