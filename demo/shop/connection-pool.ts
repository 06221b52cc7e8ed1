import { sleepUntil } from './simulation-clock.js';

/** Time (ms) after which a waiting caller gives up. */
const ACQUIRE_TIMEOUT_MS = 1_000;

export class PoolTimeoutError extends Error {
  override readonly name = 'PoolTimeoutError';
}

/** A pool of database connections with a queue, in simulated time. */
export class ConnectionPool {
  private inUse = 0;
  private readonly queue: ((at: number) => void)[] = [];

  /** @param leaked number of connections that are taken and never returned */
  constructor(
    readonly size: number,
    private readonly leaked: () => number,
  ) {}

  get used(): number {
    return Math.min(this.size, this.inUse + this.leaked());
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Resolves to the time (ms since 1970) at which the connection was acquired. Rejects with `PoolTimeoutError`. */
  async acquire(at: number): Promise<number> {
    if (this.used < this.size) {
      this.inUse += 1;
      return at;
    }
    return new Promise((resolve, reject) => {
      const waiter = (free: number): void => resolve(Math.max(at, free));
      this.queue.push(waiter);
      void sleepUntil(at + ACQUIRE_TIMEOUT_MS).then(() => {
        const place = this.queue.indexOf(waiter);
        if (place < 0) return;
        this.queue.splice(place, 1);
        reject(
          new PoolTimeoutError(
            `no connection within ${ACQUIRE_TIMEOUT_MS} ms: ${this.used} of ${this.size} in use, ${this.waiting} waiting`,
          ),
        );
      });
    });
  }

  release(at: number): void {
    this.inUse -= 1;
    while (this.queue.length > 0 && this.used < this.size) {
      this.inUse += 1;
      this.queue.shift()!(at);
    }
  }
}
