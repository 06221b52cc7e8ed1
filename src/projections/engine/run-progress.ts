import { asyncScheduler, BehaviorSubject, filter, firstValueFrom, map, merge, type SchedulerLike, timer } from 'rxjs';
import { type Position, START } from '../../streams/event-store.js';

/** How far a run has come, for those who wait for it. Never goes back. */
export class ProgressWaiter {
  private readonly reached = new BehaviorSubject<Position>(START);

  constructor(private readonly scheduler: SchedulerLike = asyncScheduler) {}

  advance(position: Position): void {
    if (position > this.reached.value) this.reached.next(position);
  }

  /** True once `position` is reached; false when that takes longer. */
  waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    const there = this.reached.pipe(
      filter((reached) => reached >= position),
      map(() => true),
    );
    const late = timer(timeoutMs, this.scheduler).pipe(map(() => false));
    return firstValueFrom(merge(there, late));
  }
}

/** What is known of the log behind a checkpoint: up to where nothing stands that concerns the run. Times are ms by any clock that never goes back. */
export class IdleWatermark {
  private until: Position = START;
  private since = 0;

  /** `markEveryMs`: see RunnerParts. */
  constructor(private readonly markEveryMs: number = Infinity) {}

  /** The run stands at its checkpoint, and knows nothing of what is behind it. */
  reset(now: number): void {
    this.until = START;
    this.since = now;
  }

  /** Where the run reads on: it may be far behind its checkpoint, where others write much. */
  readFrom(checkpoint: Position = START): Position {
    return checkpoint > this.until ? checkpoint : this.until;
  }

  /** Nothing up to `head` concerns the run. True when its checkpoint should follow, for the next process that goes on from there. */
  advance(head: Position, checkpoint: Position | undefined, now: number): boolean {
    this.until = head;
    return head > (checkpoint ?? START) && now - this.since >= this.markEveryMs;
  }
}
