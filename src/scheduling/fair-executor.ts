import { Counters } from './counters.js';
import type { QueuedWork, WorkShare } from './fair-queue.js';
import { FairWaiting } from './fair-waiting.js';

export interface FairExecutorOptions {
  /** Tasks that run at the same time. */
  readonly slots: number;
  /** Tasks of one owner that run at the same time. Below `slots`, others find a slot at once. Default: `slots`. */
  readonly slotsPerOwner?: number;
  /**
   * Tasks of one Grid that run at the same time. Below `slotsPerOwner`, other Grids of the owner find a slot at once.
   */
  readonly slotsPerGrid?: number;
  /**
   * Tasks that wait. When all places are taken, a task of an owner with fewer waiting ones replaces the newest of the
   * owner with most; within an owner, the same holds for Grids.
   */
  readonly maxWaiting: number;
}

/** The result of a task, and the time (ms) that it is charged for. */
export interface Charged<T> {
  readonly result: T;
  readonly costMs: number;
}

/** Runs tasks in fair order (see FairQueue), a limited number at the same time. */
export class FairExecutor {
  private readonly queue: FairWaiting;
  private readonly runningByOwner = new Counters();
  private readonly runningByGrid = new Counters();
  private running = 0;

  constructor(private readonly options: FairExecutorOptions) {
    this.queue = new FairWaiting(options.maxWaiting);
  }

  /** Number of tasks that wait. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * Runs the task when its turn comes, and charges its share by the reported time; a task that fails is charged for the
   * time until it failed. Rejects with code `overloaded` if it finds no place or loses it to an owner or Grid with less
   * waiting work, with `unavailable` if the turn does not come within `maxWaitMs`, and with the reason of `signal` if
   * that is aborted before the turn.
   */
  async run<T>(
    share: WorkShare,
    task: () => Promise<Charged<T>>,
    maxWaitMs = Infinity,
    signal?: AbortSignal,
  ): Promise<T> {
    await this.waitForTurn(share, maxWaitMs, signal);
    const startedAt = performance.now();
    let costMs: number | undefined;
    try {
      const charged = await task();
      costMs = charged.costMs;
      return charged.result;
    } finally {
      this.queue.charge(share, costMs ?? performance.now() - startedAt);
      this.end(share);
    }
  }

  /** Adds time (ms) that work of this share took outside of a turn. */
  charge(share: WorkShare, ms: number): void {
    this.queue.charge(share, ms);
  }

  /** Rejects all waiting tasks with this error. Running ones continue. */
  rejectWaiting(error: Error): void {
    this.queue.rejectAll(error);
  }

  /** A task that starts at once also goes through the queue: otherwise its owner would go into debt for its time. */
  private waitForTurn(share: WorkShare, maxWaitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const isNext = this.queue.size === 0 && this.hasSlot({ share }) && this.hasGridSlot({ share });
    const turn = this.queue.wait(share, { maxWaitMs, signal, isNext });
    this.beginNext();
    return turn;
  }

  private readonly hasSlot = ({ share: { ownerId } }: Pick<QueuedWork<object>, 'share'>): boolean => {
    const { slots, slotsPerOwner = slots } = this.options;
    return this.running < slots && this.runningByOwner.of(ownerId) < slotsPerOwner;
  };

  private readonly hasGridSlot = ({ share: { gridId } }: Pick<QueuedWork<object>, 'share'>): boolean =>
    this.runningByGrid.of(gridId) < (this.options.slotsPerGrid ?? Infinity);

  private beginNext(): void {
    const admitNext = (): WorkShare | undefined => this.queue.admitNext(this.hasSlot, this.hasGridSlot);
    for (let next = admitNext(); next !== undefined; next = admitNext()) {
      this.running++;
      this.runningByOwner.increase(next.ownerId);
      this.runningByGrid.increase(next.gridId);
    }
  }

  private end({ ownerId, gridId }: WorkShare): void {
    this.running--;
    this.runningByOwner.decrease(ownerId);
    this.runningByGrid.decrease(gridId);
    this.beginNext();
  }
}
