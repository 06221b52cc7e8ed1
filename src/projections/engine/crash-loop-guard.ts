import { asyncScheduler, filter, firstValueFrom, type Observable, race, type SchedulerLike, timer } from 'rxjs';
import { type Position, type RecordedEvent, START } from '../../streams/event-store.js';
import type { DeadLetterQueue } from './dead-letter-queue.js';

/**
 * Processes that must have crashed while folding an event alone before the event becomes a dead letter. More than one,
 * because a process may be killed by chance.
 */
const MAX_CRASHES = 3;

/**
 * Wait (ms) before the attempt that could condemn an event: longer than a start takes, shorter than the liveness
 * timeout of supervisors.
 */
const RETRY_DELAY_MS = 5_000;

/**
 * Commits into which a suspect batch is split. Each takes a few milliseconds, so a start after a crash stays quick. A
 * batch has at most 4,096 events, so one chunk that is split again is folded event by event.
 */
const MAX_CHUNKS = 64;

/**
 * Recognises poison events, which crash the process that folds them. After an unclean exit the first batch is folded in
 * chunks, each recorded in the journal before it is folded; the next process splits the chunk that it finds recorded.
 * An event that was folded alone in two crashed processes is tried once more after a delay; if that process crashes
 * too, the next one moves the event to the dead-letter queue. Whatever caused the first crash is in that batch, because
 * the log only grows. Nothing is recorded at other times.
 */
export class CrashLoopGuard {
  private attempt: FoldAttempt | undefined;
  private hasBegun = false;
  private isCautious = false;

  constructor(
    private readonly run: string,
    private readonly deadLetterQueue: Pick<DeadLetterQueue, 'isFatal'>,
    private readonly journal: PoisonEventJournal = NO_POISON_EVENT_JOURNAL,
    private readonly retryDelayMs = RETRY_DELAY_MS,
    private readonly scheduler: SchedulerLike = asyncScheduler,
  ) {}

  /**
   * Reads what the previous process recorded for this run. A record that was made at another checkpoint than
   * `checkpoint` is ignored: the run got past it. Only the first call has an effect.
   */
  begin(checkpoint: Position | undefined): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const previous = this.journal.readPrevious(this.run);
    this.isCautious = previous !== undefined;
    if (previous?.attempt?.after === (checkpoint ?? START)) this.attempt = previous.attempt;
  }

  /** Splits a batch into the chunks to commit one by one: a single chunk unless the previous process crashed. */
  split(batch: readonly RecordedEvent[]): (readonly RecordedEvent[])[] {
    if (!this.isCautious) return [batch];
    const suspectEvents = this.suspectEvents(batch);
    return [...splitIntoChunks(suspectEvents), ...splitIntoChunks(batch.slice(suspectEvents.length))];
  }

  /** Whether folding this event would most likely crash the process. */
  isFatal({ position }: RecordedEvent): boolean {
    return (
      this.deadLetterQueue.isFatal(position) ||
      (this.attempt?.position === position && this.attempt.tries >= MAX_CRASHES)
    );
  }

  /**
   * Resolves to true once the chunk may be folded: immediately, or after a delay if one more crash would condemn its
   * only event. Processes that are killed repeatedly soon after their start crash on the same innocent event, whereas a
   * poison event crashes them at any time. Resolves to false if the run is stopped during the wait.
   */
  async waitBeforeRetry(chunk: readonly RecordedEvent[], stopped: Observable<boolean>): Promise<boolean> {
    if (!this.isSuspect(chunk)) return true;
    const delay = timer(this.retryDelayMs, this.scheduler);
    const stop = stopped.pipe(filter((hasStopped) => hasStopped));
    return (await firstValueFrom(race(stop, delay))) !== true;
  }

  /** Records that these events are folded next, in one commit. */
  recordAttempt(after: Position | undefined, events: readonly RecordedEvent[]): void {
    if (!this.isCautious) return;
    const { position } = events[0];
    const attempt = { after: after ?? START, position };
    if (events.length > 1)
      this.journal.record(this.run, { ...attempt, to: events[events.length - 1].position, tries: 0 });
    else
      this.journal.record(this.run, {
        ...attempt,
        tries: 1 + (this.attempt?.position === position ? this.attempt.tries : 0),
      });
  }

  /** The batch is committed: from now on nothing is recorded. */
  finish(): void {
    if (this.isCautious) this.journal.clear(this.run);
    this.isCautious = false;
  }

  private isSuspect([event, ...more]: readonly RecordedEvent[]): boolean {
    return (
      more.length === 0 &&
      this.attempt?.position === event.position &&
      this.attempt.tries === MAX_CRASHES - 1 &&
      !this.isFatal(event)
    );
  }

  /** Events at the start of the batch that the previous process was folding when it crashed. */
  private suspectEvents(batch: readonly RecordedEvent[]): readonly RecordedEvent[] {
    if (this.attempt?.position !== batch[0].position) return [];
    const { position, to = position } = this.attempt;
    return batch.filter((event) => event.position <= to);
  }
}

function splitIntoChunks(events: readonly RecordedEvent[]): (readonly RecordedEvent[])[] {
  const size = Math.ceil(events.length / MAX_CHUNKS);
  const chunks: (readonly RecordedEvent[])[] = [];
  for (let from = 0; from < events.length; from += size) chunks.push(events.slice(from, from + size));
  return chunks;
}

/** Events that a run was about to fold in one commit. Stored. */
export interface FoldAttempt {
  /** Checkpoint of the run before the commit. */
  readonly after: Position;
  /** Position of the first event. */
  readonly position: Position;
  /** Position of the last event; absent if the first event is folded alone. */
  readonly to?: Position;
  /**
   * Consecutive processes that started to fold this event alone, including the one that wrote this record; 0 for
   * several events.
   */
  readonly tries: number;
}

/** What a process finds if the previous one did not exit cleanly. */
export interface CrashRecord {
  /** Last record of the previous process for the run; absent if it recorded nothing. */
  readonly attempt?: FoldAttempt;
}

/**
 * Records what a process folds, so that the next process knows what it crashed on. A record MUST be readable by the
 * next process even if this one is killed immediately afterwards; it need not survive a power failure.
 */
export interface PoisonEventJournal {
  /** Undefined if the previous process exited cleanly, and on every further call for the same run. */
  readPrevious(run: string): CrashRecord | undefined;
  /** Replaces the record of the run. MUST NOT throw. */
  record(run: string, attempt: FoldAttempt): void;
  /** Removes the record of the run. */
  clear(run: string): void;
}

/** For stores that do not outlive the process: records nothing. */
export const NO_POISON_EVENT_JOURNAL: PoisonEventJournal = {
  readPrevious: () => undefined,
  record: () => undefined,
  clear: () => undefined,
};
