import { START, type Position, type RecordedEvent } from '../streams/event-store.js';
import { NO_ATTEMPTS, type Attempt, type Attempts } from './attempts.js';

/** Processes that may end while they fold an event before it is passed by. One may have been killed by chance. */
const DEATHS = 2;

/**
 * Recognises events that end the process: what was being folded when the process before died is folded event by event, and
 * an event that two processes in a row died of, the second one of it alone, is passed by.
 */
export class Caution {
  private suspect: Attempt | undefined;
  private asked = false;

  constructor(
    private readonly run: string,
    private readonly attempts: Attempts = NO_ATTEMPTS,
  ) {}

  /** The run stands at this checkpoint: where the process before got further than it had noted, it did not die of that. */
  begin(checkpoint: Position | undefined): void {
    if (this.asked) return;
    this.asked = true;
    const left = this.attempts.left(this.run);
    if (left?.after === (checkpoint ?? START)) this.suspect = left;
  }

  /** Whether the process before may have died of one of the events from this one on. */
  suspects({ position }: RecordedEvent): boolean {
    return this.suspect !== undefined && position <= this.suspect.until;
  }

  /** Whether folding this event would most likely end the process. */
  isFatal({ position }: RecordedEvent): boolean {
    return this.suspect?.alone === true && this.suspect.until === position && this.suspect.tries >= DEATHS;
  }

  /** Notes that these events are folded next. */
  note(after: Position | undefined, events: readonly RecordedEvent[]): void {
    const last = events[events.length - 1];
    const tries = 1 + (this.suspects(last) ? this.suspect!.tries : 0);
    this.attempts.note(this.run, { after: after ?? START, until: last.position, alone: events.length === 1, tries });
  }
}
