import { asyncScheduler, filter, firstValueFrom, race, timer, type Observable, type SchedulerLike } from 'rxjs';
import { START, type Position, type RecordedEvent } from '../streams/event-store.js';
import { NO_ATTEMPTS, type Attempt, type Attempts } from './attempts.js';
import type { Parking } from './parking.js';

/** Processes that end while they fold an event alone before it is passed by: some may have been killed by chance. */
const DEATHS = 3;

/** Longer (ms) than a start takes, shorter than what watches a process waits before it kills it. */
const CALM_MS = 5_000;

/**
 * Commits that a portion is folded in. Each takes some milliseconds, so that a start after a crash stays quick; and a batch
 * has 4,096 events at most, so that what a piece holds is folded one by one when it is cut again.
 */
const PIECES = 64;

/**
 * Recognises events that end the process. After a process that did not end in order, the first portion is folded in pieces,
 * each noted before; what the next process finds noted, it cuts again. An event that two processes in a row died of, alone,
 * is folded once more, after a while; if the process dies of it then too, the next one passes it by. Whatever the first process
 * died of stands in that portion, for the log only grows. Nothing is noted at any other time.
 */
export class Caution {
  private attempt: Attempt | undefined;
  private asked = false;
  private isCautious = false;

  constructor(
    private readonly run: string,
    private readonly parking: Pick<Parking, 'isFatal'>,
    private readonly attempts: Attempts = NO_ATTEMPTS,
    private readonly calmMs = CALM_MS,
    private readonly scheduler: SchedulerLike = asyncScheduler,
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

  /**
   * True once this piece may be folded: at once, but a while later where one death more would condemn its event. Processes that
   * are killed soon after their start, one after the other, die of the same innocent event; a guilty one ends them at any time.
   * False where the run was stopped meanwhile.
   */
  async whenCalm(piece: readonly RecordedEvent[], stopped: Observable<boolean>): Promise<boolean> {
    if (!this.isSuspect(piece)) return true;
    const calm = timer(this.calmMs, this.scheduler);
    const stop = stopped.pipe(filter((isStopped) => isStopped));
    return (await firstValueFrom(race(stop, calm))) !== true;
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

  private isSuspect([event, ...more]: readonly RecordedEvent[]): boolean {
    return more.length === 0 && this.attempt?.position === event.position && this.attempt.tries === DEATHS - 1 && !this.isFatal(event);
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
