import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { HindsightError } from '../errors.js';

/** Works that wait for a moment in which nothing moves. */
export class Errands {
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
