import { START, type Position, type RecordedEvent } from '../streams/event-store.js';
import { NO_ATTEMPTS, type Attempt, type Attempts } from './attempts.js';
import type { Parking } from './parking.js';

/** Processes that end while they fold an event alone before it is passed by: one may have been killed by chance. */
const DEATHS = 2;

/**
 * Commits that a portion is folded in. Each takes some milliseconds, so that a start after a crash stays quick; and a batch
 * has 4,096 events at most, so that what a piece holds is folded one by one when it is cut again.
 */
const PIECES = 64;

/**
 * Recognises events that end the process. After a process that did not end in order, the first portion is folded in pieces,
 * each noted before; what the next process finds noted, it cuts again. An event that two processes in a row died of, alone,
 * is passed by. Whatever the first process died of stands in that portion, for the log only grows. Nothing is noted at any
 * other time.
 */
export class Caution {
  private attempt: Attempt | undefined;
  private asked = false;
  private isCautious = false;

  constructor(
    private readonly run: string,
    private readonly parking: Pick<Parking, 'isFatal'>,
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

  /** What of this portion is to be folded in one commit each; all of it, unless the process before died. */
  pieces(portion: readonly RecordedEvent[]): (readonly RecordedEvent[])[] {
    if (!this.isCautious) return [portion];
    const suspects = this.suspects(portion);
    return [...cut(suspects), ...cut(portion.slice(suspects.length))];
  }

  /** Whether folding this event would most likely end the process. */
  isFatal({ position }: RecordedEvent): boolean {
    return this.parking.isFatal(position) || (this.attempt?.position === position && this.attempt.tries >= DEATHS);
  }

  /** These events are folded next, in one commit. */
  note(after: Position | undefined, events: readonly RecordedEvent[]): void {
    if (!this.isCautious) return;
    const { position } = events[0];
    const noted = { after: after ?? START, position };
    if (events.length > 1) this.attempts.note(this.run, { ...noted, to: events[events.length - 1].position, tries: 0 });
    else this.attempts.note(this.run, { ...noted, tries: 1 + (this.attempt?.position === position ? this.attempt.tries : 0) });
  }

  /** The portion is folded. */
  end(): void {
    if (this.isCautious) this.attempts.forget(this.run);
    this.isCautious = false;
  }

  /** What the process before died among. */
  private suspects(portion: readonly RecordedEvent[]): readonly RecordedEvent[] {
    if (this.attempt?.position !== portion[0].position) return [];
    const { position, to = position } = this.attempt;
    return portion.filter((event) => event.position <= to);
  }
}

function cut(events: readonly RecordedEvent[]): (readonly RecordedEvent[])[] {
  const size = Math.ceil(events.length / PIECES);
  const pieces: (readonly RecordedEvent[])[] = [];
  for (let from = 0; from < events.length; from += size) pieces.push(events.slice(from, from + size));
  return pieces;
}
