import { HindsightError } from '../../errors.js';

/**
 * The time by which the service must have answered a request. Everything that the service does for the request counts:
 * the lookup of the key, waiting for memory, a thread and the disk, and the validation itself. Time spent waiting for
 * the sender does not count.
 */
export class ResponseDeadline {
  private endsAt: number;

  /** `limitMs`: time for the answer, from now on. `clock`: monotonic milliseconds. */
  constructor(
    limitMs: number,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.endsAt = clock() + limitMs;
  }

  /** Milliseconds, never negative. */
  get leftMs(): number {
    return Math.max(0, this.endsAt - this.clock());
  }

  /** Moves the deadline by time (ms) that does not count. */
  extend(ms: number): void {
    this.endsAt += Math.max(0, ms);
  }

  /**
   * Settles as the work does, or rejects with `unavailable` at the deadline; if the deadline has been extended
   * meanwhile, at the new one. The work is not stopped: the caller learns its outcome by `onLate`, and only then.
   */
  async limit<T>(work: Promise<T>, onLate: (late: Promise<T>) => void): Promise<T> {
    const timer = new DeadlineTimer(() => this.leftMs);
    try {
      const first = await Promise.race([work, timer.passed]);
      if (first !== PASSED) return first;
      onLate(work);
      throw new HindsightError('unavailable', 'the request was not processed in time');
    } finally {
      timer.stop();
    }
  }
}

const PASSED = Symbol('deadline passed');

class DeadlineTimer {
  readonly passed: Promise<typeof PASSED>;
  private timer: NodeJS.Timeout | undefined;

  constructor(leftMs: () => number) {
    this.passed = new Promise((resolve) => {
      const check = (): void => {
        const left = leftMs();
        // Timers may fire up to a millisecond early.
        if (left < 1) resolve(PASSED);
        else this.timer = setTimeout(check, left);
      };
      this.timer = setTimeout(check, leftMs());
    });
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
