import { HindsightError } from '../../errors.js';

/** How long a question works before it lets the others go on. */
const SLICE_MS = 10;

/** Milliseconds that only go forward. */
export type MonotonicClock = () => number;

/**
 * One question's use of a thread that answers many. Whoever loops over blocks, traces or records gives way in each
 * round, so that no question, however large, holds the others up.
 */
export class TimeSlice {
  private sliceMs = SLICE_MS;
  private since: number;

  constructor(
    private readonly line: FairQueue,
    private readonly clock: MonotonicClock,
    private readonly endsAt: number,
  ) {
    this.since = clock();
  }

  /**
   * Await this after every piece of work, which should take a few ms at most: mostly it answers at once. Throws
   * `unavailable` when the question has become too old for anyone to wait for its answer.
   */
  yieldIfDue(): Promise<void> | undefined {
    const now = this.clock();
    if (now >= this.endsAt) throw new HindsightError('unavailable', 'the question took too long and was given up');
    return now - this.since < this.sliceMs ? undefined : this.waitForNextSlice();
  }

  /** From now on slices are twice as long. A question that starts over because blocks moved outruns them at some time. */
  doubleLength(): void {
    this.sliceMs *= 2;
  }

  private async waitForNextSlice(): Promise<void> {
    await this.line.waitForSlot();
    this.since = this.clock();
  }
}

/** Questions that gave way, in order. One goes on each time the event loop comes round: new ones are taken in between. */
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
