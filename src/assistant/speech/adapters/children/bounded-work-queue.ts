import { HindsightError } from '../../../../errors.js';
import { setMaxListeners } from 'node:events';
import type { Health } from '../../../../component.js';

export interface WorkQueueLimits {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  /** What is queued, for error messages, such as "speech synthesis requests". */
  readonly what: string;
}

interface WaitingWork {
  begin(): void;
  leave(reason: unknown): void;
}

/** Runs a limited number of tasks at once and queues a limited number of others in FIFO order. */
export class BoundedWorkQueue {
  private running = 0;
  private readonly waiting: WaitingWork[] = [];

  constructor(private readonly bounds: WorkQueueLimits) {}

  /**
   * Runs `work` when a slot is free. Rejects with code `overloaded` if the queue is full, and with the signal's
   * reason if it aborts while waiting; once started, the work itself must handle the signal.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.running >= this.bounds.maxRunning) await this.waitForSlot(signal);
    else this.running++;
    try {
      return await work();
    } finally {
      this.releaseSlot();
    }
  }

  private waitForSlot(signal: AbortSignal): Promise<void> {
    if (this.waiting.length >= this.bounds.maxWaiting)
      return Promise.reject(new HindsightError('overloaded', `Too many ${this.bounds.what} are waiting.`));
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        waiter.leave(signal.reason);
      };
      const waiter = {
        begin: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
        leave: reject,
      };
      this.waiting.push(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Passes the slot to the next waiting task, or frees it. */
  private releaseSlot(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next.begin();
  }
}

/** Cancels the work of a component when it closes: child processes must not outlive the service. */
export class ShutdownSignal {
  private readonly controller = new AbortController();

  constructor() {
    // One listener per running or waiting task; their number is limited elsewhere.
    setMaxListeners(0, this.controller.signal);
  }

  /** Runs work with a signal that aborts when `signal` does, or, with code `unavailable`, when the component closes. */
  async runUntilShutdown<T>(signal: AbortSignal, work: (until: AbortSignal) => Promise<T>): Promise<T> {
    // Not AbortSignal.any: its result stays referenced by a signal that lives as long as the service.
    const combined = new AbortController();
    const sources = [signal, this.controller.signal];
    const abort = () => combined.abort(sources.find(({ aborted }) => aborted)?.reason);
    if (sources.some(({ aborted }) => aborted)) abort();
    for (const source of sources) source.addEventListener('abort', abort, { once: true });
    try {
      return await work(combined.signal);
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
