import { HindsightError } from '../../errors.js';
import { FairQueue, type MonotonicClock, TimeSlice } from './cooperative-scheduler.js';

export interface QueryLimits {
  /** Maximum number of concurrent queries; further ones fail with `overloaded`. Default 64. */
  readonly maxConcurrent?: number;
  /** Time limit of a query in ms; it then fails with `unavailable`. Default 25 s, below the timeout of the API. */
  readonly timeoutMs?: number;
  /** Default: `performance.now()`. */
  readonly clock?: MonotonicClock;
}

const MAX_CONCURRENT_QUERIES = 64;
const QUERY_TIMEOUT_MS = 25_000;

/** Runs queries concurrently on one thread, up to a limit, and gives each its own TimeSlice. */
export class QueryConcurrencyLimiter {
  private readonly queue = new FairQueue();
  private readonly max: number;
  private readonly timeoutMs: number;
  private readonly clock: MonotonicClock;
  private count = 0;

  constructor({
    maxConcurrent = MAX_CONCURRENT_QUERIES,
    timeoutMs = QUERY_TIMEOUT_MS,
    clock = () => performance.now(),
  }: QueryLimits) {
    this.max = maxConcurrent;
    this.timeoutMs = timeoutMs;
    this.clock = clock;
  }

  async run<T>(query: (timeSlice: TimeSlice) => Promise<T>): Promise<T> {
    if (this.count >= this.max)
      throw new HindsightError('overloaded', `${this.max} queries are already running. Retry later.`);
    this.count++;
    try {
      return await query(new TimeSlice(this.queue, this.clock, this.clock() + this.timeoutMs));
    } finally {
      this.count--;
    }
  }
}

/** Limits concurrency. Waiting tasks start in FIFO order. */
export class Semaphore {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly max: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.max) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      // Hand the slot over directly, so that no new task can take it first.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}
