import { START, type Position, type RecordedEvent } from '../streams/event-store.js';
import { NO_ATTEMPTS, type Attempt, type Attempts } from './attempts.js';

/** Processes that end while they fold an event alone before it is passed by: one may have been killed by chance. */
const DEATHS = 2;

/**
 * Recognises events that end the process. After a process that did not end in order, the first portion is folded event by
 * event, each noted before: an event that two processes in a row died of, alone, is passed by. Whatever the first process
 * died of stands in that portion, for the log only grows. Nothing is noted at any other time.
 */
export class Caution {
  private attempt: Attempt | undefined;
  private asked = false;
  private isCautious = false;

  constructor(
    private readonly run: string,
    private readonly attempts: Attempts = NO_ATTEMPTS,
  ) {}

  /** The run stands at this checkpoint: where the process before got further than it had noted, it did not die of that. */
  begin(checkpoint: Position | undefined): void {
    if (this.asked) return;
    this.asked = true;
    const inheritance = this.attempts.inherit(this.run);
    this.isCautious = inheritance !== undefined;
    if (inheritance?.attempt?.after === (checkpoint ?? START)) this.attempt = inheritance.attempt;
  }

  /** Whether the portion that comes next is to be folded event by event. */
  get isNeeded(): boolean {
    return this.isCautious;
  }

  /** Whether folding this event would most likely end the process. */
  isFatal({ position }: RecordedEvent): boolean {
    return this.attempt?.position === position && this.attempt.tries >= DEATHS;
  }

  /** This event is folded next, alone. */
  note(after: Position | undefined, { position }: RecordedEvent): void {
    if (!this.isCautious) return;
    const tries = 1 + (this.attempt?.position === position ? this.attempt.tries : 0);
    this.attempts.note(this.run, { after: after ?? START, position, tries });
  }

  /** The portion is folded. */
  end(): void {
    if (this.isCautious) this.attempts.forget(this.run);
    this.isCautious = false;
  }
}
