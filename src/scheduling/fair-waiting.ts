import { HindsightError } from '../errors.js';
import { FairQueue, type IsEligible, type WorkShare } from './fair-queue.js';

export interface WaitOptions {
  /** Default: no limit. */
  readonly maxWaitMs?: number;
  /** Ends the wait when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** The work is admitted before anything else happens: it needs no place. */
  readonly isNext?: boolean;
}

interface Waiting {
  readonly begin: () => void;
  readonly reject: (error: Error) => void;
}

/** Work that waits until it is admitted, in fair order (see FairQueue): a limited number, each for a limited time. */
export class FairWaiting {
  private readonly queue = new FairQueue<Waiting>();

  /**
   * @param maxWaiting places; when all are taken, work of an owner with less waiting replaces the newest of the owner with
   * most; within an owner, the same holds for Grids
   * @param late what whoever has waited too long is told
   */
  constructor(
    private readonly maxWaiting: number,
    private readonly late = 'The service has more work than it can do in time. Retry later.',
  ) {}

  /** Number of those that wait. */
  get size(): number {
    return this.queue.size;
  }

  /**
   * Resolves when the work is admitted. Rejects with code `overloaded` if it finds no place or loses it, with `unavailable`
   * after `maxWaitMs`, and with the reason of `signal` when that is aborted.
   */
  wait(share: WorkShare, { maxWaitMs = Infinity, signal, isNext = false }: WaitOptions = {}): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (!isNext && this.queue.size >= this.maxWaiting && !this.makeRoomFor(share))
      return Promise.reject(new HindsightError('overloaded', TOO_MUCH_WAITS));
    return new Promise((begin, reject) => this.enqueue(share, { begin, reject }, maxWaitMs, signal));
  }

  /** Admits the work whose turn it is; returns its share. Parameters as those of `FairQueue.peek`. */
  admitNext(isEligible?: IsEligible<object>, isFirstEligible?: IsEligible<object>): WorkShare | undefined {
    const next = this.queue.shift(isEligible, isFirstEligible);
    next?.item.begin();
    return next?.share;
  }

  /** Work of this share begins without a wait. */
  beginAtOnce(share: WorkShare): void {
    this.queue.beginAtOnce(share);
  }

  /** Adds time (ms) that work of this share took. */
  charge(share: WorkShare, ms: number): void {
    this.queue.charge(share, ms);
  }

  /** Rejects all that waits with this error. */
  rejectAll(error: Error): void {
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) next.item.reject(error);
  }

  /** Refuses the newest work of whoever has most waiting, unless that is the newcomer. */
  private makeRoomFor(share: WorkShare): boolean {
    const excess = this.queue.findExcess(share);
    if (excess === undefined || !this.queue.remove(excess.share, excess.item)) return false;
    excess.item.reject(new HindsightError('overloaded', TOO_MUCH_WAITS));
    return true;
  }

  private enqueue(
    share: WorkShare,
    { begin, reject }: Waiting,
    maxWaitMs: number,
    signal: AbortSignal | undefined,
  ): void {
    const giveUp = (error: Error): void => {
      if (this.queue.remove(share, waiting)) waiting.reject(error);
    };
    const onLate = (): void => giveUp(new HindsightError('unavailable', this.late));
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
    const waiting: Waiting = { begin: settle(begin), reject: settle(reject) };
    this.queue.push(share, waiting);
  }
}

const TOO_MUCH_WAITS = 'Too much work is waiting. Retry later.';
