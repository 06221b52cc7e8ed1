import { HindsightError } from '../../errors.js';

/** How long (ms) a query runs before it yields. */
const SLICE_MS = 10;

/** Monotonic milliseconds. */
export type MonotonicClock = () => number;

/**
 * One query's execution time on a thread that runs many queries. Loops over blocks, traces or records yield in each
 * iteration, so that a large query does not block the others.
 */
export class TimeSlice {
  private sliceMs = SLICE_MS;
  private startedAt: number;

  constructor(
    private readonly queue: FairQueue,
    private readonly clock: MonotonicClock,
    private readonly deadline: number,
  ) {
    this.startedAt = clock();
  }

  /**
   * Call and await this after each unit of work, which should take at most a few ms; it usually returns at once.
   * Throws `unavailable` when the query has exceeded its time limit.
   */
  yieldIfDue(): Promise<void> | undefined {
    const now = this.clock();
    if (now >= this.deadline)
      throw new HindsightError('unavailable', 'The query exceeded its time limit. Narrow it, or retry later.');
    return now - this.startedAt < this.sliceMs ? undefined : this.waitForNextSlice();
  }

  /**
   * Doubles the slice length. A query that restarts after compaction thus eventually finishes between two
   * compactions.
   */
  doubleLength(): void {
    this.sliceMs *= 2;
  }

  private async waitForNextSlice(): Promise<void> {
    await this.queue.waitForSlot();
    this.startedAt = this.clock();
  }
}

/**
 * Queries that have yielded, in FIFO order. One resumes per event loop iteration, so that new queries can start in
 * between.
 */
export class FairQueue {
  private readonly waiting: (() => void)[] = [];

  waitForSlot(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.resumeNext);
    });
  }

  private readonly resumeNext = (): void => {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(this.resumeNext);
  };
}
