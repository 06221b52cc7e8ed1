import { asyncScheduler, firstValueFrom, from, race, timer, type SchedulerLike } from 'rxjs';

/** Something that matters more than who waits for it. */
export interface Busy {
  readonly isBusy: boolean;
  /** Resolves as soon as it is not. */
  whenIdle(): Promise<void>;
}

/** Resolves when none of them is busy, or `withinMs` are over: who gives way gets on even where there is always something to do. */
export async function whenAllIdle(others: readonly Busy[], withinMs: number, scheduler: SchedulerLike = asyncScheduler): Promise<void> {
  const deadline = scheduler.now() + withinMs;
  for (let left = withinMs; left > 0 && others.some(({ isBusy }) => isBusy); left = deadline - scheduler.now()) {
    const idle = from(Promise.all(others.map((other) => other.whenIdle())));
    await firstValueFrom(race(idle, timer(left, scheduler)));
  }
}
