import { HindsightError } from '../errors.js';
import { FairQueue, type QueuedWork, type WorkShare } from './fair-queue.js';

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

interface WaitingTask {
  readonly begin: () => void;
  readonly reject: (error: Error) => void;
}

/** Runs tasks in fair order (see FairQueue), a limited number at the same time. */
export class FairExecutor {
  private readonly queue = new FairQueue<WaitingTask>();
  private readonly runningByOwner = new Counters();
  private readonly runningByGrid = new Counters();
  private running = 0;

  constructor(private readonly options: FairExecutorOptions) {}

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
    signal?.throwIfAborted();
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

  /** Rejects all waiting tasks with this error. Running ones continue. */
  rejectWaiting(error: Error): void {
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) next.item.reject(error);
  }

  /** A task that starts at once also goes through the queue: otherwise its owner would go into debt for its time. */
  private waitForTurn(share: WorkShare, maxWaitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const startsAtOnce = this.queue.size === 0 && this.hasSlot({ share }) && this.hasGridSlot({ share });
    if (!startsAtOnce && this.queue.size >= this.options.maxWaiting && !this.makeRoomFor(share))
      return Promise.reject(new HindsightError('overloaded', TOO_MUCH_WAITS));
    return new Promise((begin, reject) => this.enqueue(share, { begin, reject }, maxWaitMs, signal));
  }

  /** Refuses the newest task of whoever has most waiting, unless that is the newcomer. */
  private makeRoomFor(share: WorkShare): boolean {
    const excess = this.queue.findExcess(share);
    if (excess === undefined || !this.queue.remove(excess.share, excess.item)) return false;
    excess.item.reject(new HindsightError('overloaded', TOO_MUCH_WAITS));
    return true;
  }

  private enqueue(
    share: WorkShare,
    { begin, reject }: WaitingTask,
    maxWaitMs: number,
    signal: AbortSignal | undefined,
  ): void {
    const giveUp = (error: Error): void => {
      if (this.queue.remove(share, task)) task.reject(error);
    };
    const onLate = (): void => giveUp(new HindsightError('unavailable', WAITED_TOO_LONG));
    const onAbort = (): void => giveUp(signal!.reason as Error);
    const timer = maxWaitMs === Infinity ? undefined : setTimeout(onLate, maxWaitMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle =
      <Args extends unknown[]>(how: (...args: Args) => void) =>
      (...args: Args): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        how(...args);
      };
    const task: WaitingTask = { begin: settle(begin), reject: settle(reject) };
    this.queue.push(share, task);
    this.beginNext();
  }

  private readonly hasSlot = ({ share: { ownerId } }: Pick<QueuedWork<WaitingTask>, 'share'>): boolean => {
    const { slots, slotsPerOwner = slots } = this.options;
    return this.running < slots && this.runningByOwner.of(ownerId) < slotsPerOwner;
  };

  private readonly hasGridSlot = ({ share: { gridId } }: Pick<QueuedWork<WaitingTask>, 'share'>): boolean =>
    this.runningByGrid.of(gridId) < (this.options.slotsPerGrid ?? Infinity);

  private beginNext(): void {
    const takeNext = (): QueuedWork<WaitingTask> | undefined => this.queue.shift(this.hasSlot, this.hasGridSlot);
    for (let next = takeNext(); next !== undefined; next = takeNext()) {
      this.running++;
      this.runningByOwner.increase(next.share.ownerId);
      this.runningByGrid.increase(next.share.gridId);
      next.item.begin();
    }
  }

  private end({ ownerId, gridId }: WorkShare): void {
    this.running--;
    this.runningByOwner.decrease(ownerId);
    this.runningByGrid.decrease(gridId);
    this.beginNext();
  }
}

/** Numbers by name, without those that are 0. */
class Counters {
  private readonly counts = new Map<string, number>();

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  increase(name: string): void {
    this.counts.set(name, this.of(name) + 1);
  }

  decrease(name: string): void {
    const left = this.of(name) - 1;
    if (left > 0) this.counts.set(name, left);
    else this.counts.delete(name);
  }
}

const TOO_MUCH_WAITS = 'Too much work is waiting. Retry later.';
const WAITED_TOO_LONG = 'The service has more work than it can do in time. Retry later.';
