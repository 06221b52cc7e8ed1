import { asyncScheduler, BehaviorSubject, filter, firstValueFrom, map, merge, type SchedulerLike, timer } from 'rxjs';
import { type Position, START } from '../../streams/event-store.js';

/** Position that a run has reached, for callers that wait for it. Never goes back. */
export class ProgressWaiter {
  private readonly reached = new BehaviorSubject<Position>(START);

  constructor(private readonly scheduler: SchedulerLike = asyncScheduler) {}

  advance(position: Position): void {
    if (position > this.reached.value) this.reached.next(position);
  }

  /** True once `position` is reached; false after `timeoutMs`. */
  waitForPosition(position: Position, timeoutMs: number): Promise<boolean> {
    const reached = this.reached.pipe(
      filter((reached) => reached >= position),
      map(() => true),
    );
    const timeout = timer(timeoutMs, this.scheduler).pipe(map(() => false));
    return firstValueFrom(merge(reached, timeout));
  }
}

/**
 * Position up to which the log after a checkpoint contains nothing that concerns the run. Times are ms by any monotonic
 * clock.
 */
export class IdleWatermark {
  private until: Position = START;
  private since = 0;

  /** `idleCheckpointIntervalMs`: see ProjectionRunnerParts. */
  constructor(private readonly idleCheckpointIntervalMs: number = Infinity) {}

  /** The run has just committed, and nothing is known about the log after its checkpoint. */
  reset(now: number): void {
    this.until = START;
    this.since = now;
  }

  /** Position to read from: far ahead of the checkpoint if other streams are written to a lot. */
  readFrom(checkpoint: Position = START): Position {
    return checkpoint > this.until ? checkpoint : this.until;
  }

  /**
   * Nothing up to `head` concerns the run. Returns true if its checkpoint should follow, for a successor that continues
   * from there.
   */
  advance(head: Position, checkpoint: Position | undefined, now: number): boolean {
    this.until = head;
    return head > (checkpoint ?? START) && now - this.since >= this.idleCheckpointIntervalMs;
  }
}
