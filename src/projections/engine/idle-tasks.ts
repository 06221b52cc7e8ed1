import { asyncScheduler, firstValueFrom, from, race, type SchedulerLike, timer } from 'rxjs';
import { HindsightError } from '../../errors.js';

/** Works that wait for a moment in which nothing moves. */
export class IdleTaskQueue {
  private readonly waiting: (() => Promise<void>)[] = [];

  constructor(private readonly scheduler: SchedulerLike = asyncScheduler) {}

  /** What `work` answers; rejects with `unavailable` when it could not begin within `timeoutMs`. */
  add<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const errand = (): Promise<void> => {
        late.unsubscribe();
        return work().then(resolve, reject);
      };
      const late = this.scheduler.schedule(() => {
        this.waiting.splice(this.waiting.indexOf(errand), 1);
        reject(new HindsightError('unavailable', 'the projection is busy or cannot go on; try again'));
      }, timeoutMs);
      this.waiting.push(errand);
    });
  }

  /** Does all that wait, one after the other. Never rejects. */
  async run(): Promise<void> {
    for (let errand = this.waiting.shift(); errand !== undefined; errand = this.waiting.shift()) await errand();
  }
}

/** Something that matters more than who waits for it. */
export interface Busy {
  readonly isBusy: boolean;
  /** Resolves as soon as it is not. */
  whenIdle(): Promise<void>;
}

/** Resolves when none of them is busy, or `withinMs` are over: who gives way gets on even where there is always something to do. */
export async function waitUntilAllIdle(
  others: readonly Busy[],
  withinMs: number,
  scheduler: SchedulerLike = asyncScheduler,
): Promise<void> {
  const deadline = scheduler.now() + withinMs;
  for (let left = withinMs; left > 0 && others.some(({ isBusy }) => isBusy); left = deadline - scheduler.now()) {
    const idle = from(Promise.all(others.map((other) => other.whenIdle())));
    await firstValueFrom(race(idle, timer(left, scheduler)));
  }
}
