import { asyncScheduler, filter, firstValueFrom, type Observable, race, type SchedulerLike, timer } from 'rxjs';
import { type Position, type RecordedEvent, START } from '../../streams/event-store.js';
import type { DeadLetterQueue } from './dead-letter-queue.js';

/** Processes that end while they fold an event alone before it is passed by: some may have been killed by chance. */
const MAX_CRASHES = 3;

/** Longer (ms) than a start takes, shorter than what watches a process waits before it kills it. */
const RETRY_DELAY_MS = 5_000;

/**
 * Commits that a portion is folded in. Each takes some milliseconds, so that a start after a crash stays quick; and a batch
 * has 4,096 events at most, so that what a piece holds is folded one by one when it is cut again.
 */
const MAX_CHUNKS = 64;

/**
 * Recognises events that end the process. After a process that did not end in order, the first portion is folded in pieces,
 * each noted before; what the next process finds noted, it cuts again. An event that two processes in a row died of, alone,
 * is folded once more, after a while; if the process dies of it then too, the next one passes it by. Whatever the first process
 * died of stands in that portion, for the log only grows. Nothing is noted at any other time.
 */
export class CrashLoopGuard {
  private attempt: FoldAttempt | undefined;
  private asked = false;
  private isCautious = false;

  constructor(
    private readonly run: string,
    private readonly deadLetterQueue: Pick<DeadLetterQueue, 'isFatal'>,
    private readonly journal: PoisonEventJournal = NO_POISON_EVENT_JOURNAL,
    private readonly calmMs = RETRY_DELAY_MS,
    private readonly scheduler: SchedulerLike = asyncScheduler,
  ) {}

  /** The run stands at this checkpoint: where the process before got further than it had noted, it did not die of that. */
  begin(checkpoint: Position | undefined): void {
    if (this.asked) return;
    this.asked = true;
    const inheritance = this.journal.readPrevious(this.run);
    this.isCautious = inheritance !== undefined;
    if (inheritance?.attempt?.after === (checkpoint ?? START)) this.attempt = inheritance.attempt;
  }

  /** What of this portion is to be folded in one commit each; all of it, unless the process before died. */
  split(portion: readonly RecordedEvent[]): (readonly RecordedEvent[])[] {
    if (!this.isCautious) return [portion];
    const suspects = this.suspects(portion);
    return [...splitIntoChunks(suspects), ...splitIntoChunks(portion.slice(suspects.length))];
  }

  /** Whether folding this event would most likely end the process. */
  isFatal({ position }: RecordedEvent): boolean {
    return (
      this.deadLetterQueue.isFatal(position) ||
      (this.attempt?.position === position && this.attempt.tries >= MAX_CRASHES)
    );
  }

  /**
   * True once this piece may be folded: at once, but a while later where one death more would condemn its event. Processes that
   * are killed soon after their start, one after the other, die of the same innocent event; a guilty one ends them at any time.
   * False where the run was stopped meanwhile.
   */
  async waitBeforeRetry(piece: readonly RecordedEvent[], stopped: Observable<boolean>): Promise<boolean> {
    if (!this.isSuspect(piece)) return true;
    const calm = timer(this.calmMs, this.scheduler);
    const stop = stopped.pipe(filter((isStopped) => isStopped));
    return (await firstValueFrom(race(stop, calm))) !== true;
  }

  /** These events are folded next, in one commit. */
  recordAttempt(after: Position | undefined, events: readonly RecordedEvent[]): void {
    if (!this.isCautious) return;
    const { position } = events[0];
    const noted = { after: after ?? START, position };
    if (events.length > 1)
      this.journal.record(this.run, { ...noted, to: events[events.length - 1].position, tries: 0 });
    else
      this.journal.record(this.run, {
        ...noted,
        tries: 1 + (this.attempt?.position === position ? this.attempt.tries : 0),
      });
  }

  /** The portion is folded. */
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

  /** What the process before died among. */
  private suspects(portion: readonly RecordedEvent[]): readonly RecordedEvent[] {
    if (this.attempt?.position !== portion[0].position) return [];
    const { position, to = position } = this.attempt;
    return portion.filter((event) => event.position <= to);
  }
}

function splitIntoChunks(events: readonly RecordedEvent[]): (readonly RecordedEvent[])[] {
  const size = Math.ceil(events.length / MAX_CHUNKS);
  const pieces: (readonly RecordedEvent[])[] = [];
  for (let from = 0; from < events.length; from += size) pieces.push(events.slice(from, from + size));
  return pieces;
}

/** Events that a run was about to fold in one commit. */
export interface FoldAttempt {
  /** Checkpoint of the run. */
  readonly after: Position;
  /** Of the first event. */
  readonly position: Position;
  /** Of the last one; absent: the first is folded alone. */
  readonly to?: Position;
  /** How many processes in a row have begun that event alone, the one that noted this included; 0 for several events. */
  readonly tries: number;
}

/** What a process finds that follows one which did not end in order. */
export interface CrashRecord {
  /** What the process before noted last for the run; absent where it noted nothing. */
  readonly attempt?: FoldAttempt;
}

/**
 * Tells a process what the one before it died of. A note MUST be there for the next process when this one is killed right
 * after it; it need not survive a power cut.
 */
export interface PoisonEventJournal {
  /** Undefined where the process before ended in order, and for whoever asks again for the same run. */
  readPrevious(run: string): CrashRecord | undefined;
  /** Replaces the run's note. MUST NOT throw. */
  record(run: string, attempt: FoldAttempt): void;
  /** The run is over: nothing of it is kept. */
  clear(run: string): void;
}

/** For stores that do not outlive the process. */
export const NO_POISON_EVENT_JOURNAL: PoisonEventJournal = {
  readPrevious: () => undefined,
  record: () => undefined,
  clear: () => undefined,
};
