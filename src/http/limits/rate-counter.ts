import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

/** The number of calls of one key in the current window. */
export interface WindowCount {
  readonly calls: number;
  /** Milliseconds until the window ends and the count is reset. */
  readonly endsInMs: number;
}

/**
 * Counts calls by key in fixed windows, which start with the first call of a key. Counters with the same storage see each
 * other's calls, and concurrent increments return different numbers. Rejects if the storage is unavailable, in which case
 * the call may have been counted or not.
 */
export interface RateCounter {
  /** Counts one call and returns the count including it. */
  increment(key: string): Promise<WindowCount>;
  /** Takes back one call of the current window. */
  decrement(key: string): Promise<void>;
  /** The current count; undefined if no window is open. */
  read(key: string): Promise<WindowCount | undefined>;
}

/** Uses a limiter of rate-limiter-flexible as a pure counter; its own limit is not used. */
export class LimiterRateCounter implements RateCounter {
  constructor(private readonly limiter: RateLimiterAbstract) {}

  async increment(key: string): Promise<WindowCount> {
    return this.toWindowCount(await this.limiter.penalty(key, 1));
  }

  async decrement(key: string): Promise<void> {
    await this.limiter.reward(key, 1);
  }

  async read(key: string): Promise<WindowCount | undefined> {
    const result = await this.limiter.get(key);
    return result === null ? undefined : this.toWindowCount(result);
  }

  /** Caps the remaining time at one window, since the window may have been started by a machine with a clock ahead of ours. */
  private toWindowCount({
    consumedPoints,
    msBeforeNext,
  }: {
    readonly consumedPoints: number;
    readonly msBeforeNext: number;
  }): WindowCount {
    return { calls: consumedPoints, endsInMs: Math.min(Math.max(0, msBeforeNext), this.limiter.duration * 1000) };
  }
}

/** Counts in the memory of this process. */
export function createLocalRateCounter(windowSeconds: number): RateCounter {
  return new LimiterRateCounter(new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowSeconds }));
}

/** Maximum number of remembered keys; the least recently counted ones are evicted. */
const MAX_KEYS = 10_000;

interface ExpiringCount {
  readonly calls: number;
  readonly endsAt: number;
}

/** The last known counts of a counter. Never too high within a window, because counts only grow. */
export class LastKnownCounts {
  private readonly counts = new Map<string, ExpiringCount>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly now: () => number,
    private readonly maxKeys = MAX_KEYS,
  ) {}

  record(key: string, { calls, endsInMs }: WindowCount): void {
    this.counts.delete(key);
    if (this.counts.size >= this.maxKeys) this.counts.delete(this.counts.keys().next().value!);
    this.counts.set(key, { calls, endsAt: this.now() + endsInMs });
  }

  /** The last known count of the current window; undefined if there is none. */
  find(key: string): WindowCount | undefined {
    const known = this.counts.get(key);
    const endsInMs = known === undefined ? 0 : known.endsAt - this.now();
    return known === undefined || endsInMs <= 0 ? undefined : { calls: known.calls, endsInMs };
  }

  forget(key: string): void {
    this.counts.delete(key);
  }
}
