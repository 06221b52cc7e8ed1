import { HindsightError } from '../../../../errors.js';
import { setMaxListeners } from 'node:events';
import type { Health } from '../../../../component.js';

export interface WorkQueueLimits {
  readonly atWork: number;
  readonly waiting: number;
  /** What the work is, for the message of those that find no place, such as "texts to speak". */
  readonly what: string;
}

interface WaitingWork {
  begin(): void;
  leave(reason: unknown): void;
}

/** Lets a few work at once and some more wait for their turn, first come, first served. */
export class BoundedWorkQueue {
  private atWork = 0;
  private readonly waiting: WaitingWork[] = [];

  constructor(private readonly bounds: WorkQueueLimits) {}

  /**
   * What `work` answers, once it is its turn. Rejects with code `overloaded` when too many wait, and with the signal's reason
   * when it aborts before the turn comes; from then on stopping is the work's own duty.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.atWork >= this.bounds.atWork) await this.waitForSlot(signal);
    else this.atWork++;
    try {
      return await work();
    } finally {
      this.releaseSlot();
    }
  }

  private waitForSlot(signal: AbortSignal): Promise<void> {
    if (this.waiting.length >= this.bounds.waiting)
      return Promise.reject(new HindsightError('overloaded', `Too many ${this.bounds.what} are waiting.`));
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(turn), 1);
        turn.leave(signal.reason);
      };
      const turn = {
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
        leave: reject,
      };
      this.waiting.push(turn);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** The place goes to the next that waits; it is free only when nobody does. */
  private releaseSlot(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.atWork--;
    else next.begin();
  }
}

/** Ends the work of a component when it closes: children must not outlive the service. */
export class ShutdownSignal {
  private readonly controller = new AbortController();

  constructor() {
    // One for each piece of work that waits or runs, which is bounded elsewhere.
    setMaxListeners(0, this.controller.signal);
  }

  /** Runs work with a signal that aborts when `signal` does, and when the component closes, then with code `unavailable`. */
  async runUntilShutdown<T>(signal: AbortSignal, work: (until: AbortSignal) => Promise<T>): Promise<T> {
    // By hand: what AbortSignal.any makes stays known to a signal that lives as long as the service.
    const either = new AbortController();
    const sources = [signal, this.controller.signal];
    const abort = () => either.abort(sources.find(({ aborted }) => aborted)?.reason);
    if (sources.some(({ aborted }) => aborted)) abort();
    for (const source of sources) source.addEventListener('abort', abort, { once: true });
    try {
      return await work(either.signal);
    } finally {
      for (const source of sources) source.removeEventListener('abort', abort);
    }
  }

  shutDown(): void {
    this.controller.abort(new HindsightError('unavailable', 'The service is stopping.'));
  }

  health(): Health {
    return this.controller.signal.aborted ? { ok: false, reason: 'closed' } : { ok: true };
  }
}
