import { HindsightError } from '../../errors.js';

/**
 * How long one request may still wait inside the service: for memory, for its turn, for the disk. The time in which its
 * sender sends, and in which its own body is processed, is not waiting.
 */
export class WaitingTime {
  constructor(
    private remainingMs: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Milliseconds, never negative. */
  get leftMs(): number {
    return Math.max(0, this.remainingMs);
  }

  /** Counts time (ms) that the request has waited. */
  spend(ms: number): void {
    this.remainingMs -= Math.max(0, ms);
  }

  /**
   * Settles as the work does, or rejects with `unavailable` when the waiting time is over. The work is not stopped: the
   * caller learns its outcome by `onLate`, and only then.
   */
  async limit<T>(work: Promise<T>, onLate: (late: Promise<T>) => void): Promise<T> {
    const startedAt = this.clock();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<typeof TIMEOUT>((resolve) => {
      timer = setTimeout(() => resolve(TIMEOUT), this.leftMs);
    });
    try {
      const first = await Promise.race([work, timeout]);
      if (first !== TIMEOUT) return first;
      onLate(work);
      throw new HindsightError('unavailable', 'the request was not processed in time');
    } finally {
      clearTimeout(timer);
      this.spend(this.clock() - startedAt);
    }
  }
}

const TIMEOUT = Symbol('timeout');
