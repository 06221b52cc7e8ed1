import { asyncScheduler, BehaviorSubject, filter, firstValueFrom, map, merge, type SchedulerLike, timer } from 'rxjs';
import { START, type Position } from '../streams/event-store.js';

/** How far a run has come, for those who wait for it. Never goes back. */
export class Reach {
  private readonly reached = new BehaviorSubject<Position>(START);

  constructor(private readonly scheduler: SchedulerLike = asyncScheduler) {}

  to(position: Position): void {
    if (position > this.reached.value) this.reached.next(position);
  }

  /** True once `position` is reached; false when that takes longer. */
  whenAt(position: Position, timeoutMs: number): Promise<boolean> {
    const there = this.reached.pipe(
      filter((reached) => reached >= position),
      map(() => true),
    );
    const late = timer(timeoutMs, this.scheduler).pipe(map(() => false));
    return firstValueFrom(merge(there, late));
  }
}
