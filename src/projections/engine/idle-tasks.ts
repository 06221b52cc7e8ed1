import { asyncScheduler, firstValueFrom, from, race, type SchedulerLike, timer } from 'rxjs';
import { HindsightError } from '../../errors.js';

/** Tasks that run while the projection run is idle. */
export class IdleTaskQueue {
  private readonly pending: (() => Promise<void>)[] = [];

  constructor(private readonly scheduler: SchedulerLike = asyncScheduler) {}

  /** Resolves to the result of `work`. Rejects with `unavailable` if it could not start within `timeoutMs`. */
  add<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const task = (): Promise<void> => {
        timeout.unsubscribe();
        return work().then(resolve, reject);
      };
      const timeout = this.scheduler.schedule(() => {
        this.pending.splice(this.pending.indexOf(task), 1);
        reject(new HindsightError('unavailable', 'The projection is busy or failing; try again'));
      }, timeoutMs);
      this.pending.push(task);
    });
  }

  /** Runs all pending tasks one after the other. Never rejects. */
  async run(): Promise<void> {
    for (let task = this.pending.shift(); task !== undefined; task = this.pending.shift()) await task();
  }
}

/** A workload that others yield to. */
export interface Workload {
  readonly isBusy: boolean;
  /** Resolves as soon as it is idle. */
  whenIdle(): Promise<void>;
}

/**
 * Resolves when none of `others` is busy, at the latest after `withinMs`, so that the caller makes progress under
 * permanent load.
 */
export async function waitUntilAllIdle(
  others: readonly Workload[],
  withinMs: number,
  scheduler: SchedulerLike = asyncScheduler,
): Promise<void> {
  const deadline = scheduler.now() + withinMs;
  for (
    let remainingMs = withinMs;
    remainingMs > 0 && others.some(({ isBusy }) => isBusy);
    remainingMs = deadline - scheduler.now()
  ) {
    const idle = from(Promise.all(others.map((other) => other.whenIdle())));
    await firstValueFrom(race(idle, timer(remainingMs, scheduler)));
  }
}
