import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

/** The calls of one key in the window that runs now. */
export interface WindowCount {
  readonly calls: number;
  /** Milliseconds until the window ends and the count with it. */
  readonly endsInMs: number;
}

/**
 * Calls by key, in fixed windows: that of a key begins with its first call. Whoever counts in the same place sees the calls of
 * all others, and of many who count at once each sees another number. Rejects where the place cannot be reached; a call may
 * have been counted then.
 */
export interface RateCounter {
  /** Counts one call and answers with it included. */
  increment(key: string): Promise<WindowCount>;
  /** A call of this window that was counted was none after all. */
  decrement(key: string): Promise<void>;
  /** Undefined where no window runs. */
  read(key: string): Promise<WindowCount | undefined>;
}

/** Calls as a limiter of rate-limiter-flexible counts them, wherever that one keeps its counts. What is too many, others say. */
export class LimiterRateCounter implements RateCounter {
  constructor(private readonly limiter: RateLimiterAbstract) {}

  async increment(key: string): Promise<WindowCount> {
    return this.toWindowCount(await this.limiter.penalty(key, 1));
  }

  async decrement(key: string): Promise<void> {
    await this.limiter.reward(key, 1);
  }

  async read(key: string): Promise<WindowCount | undefined> {
    const found = await this.limiter.get(key);
    return found === null ? undefined : this.toWindowCount(found);
  }

  /** A machine whose clock is ahead may have begun the window: no window is longer than one. */
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

/** Counts of this process alone. */
export function createLocalRateCounter(windowSeconds: number): RateCounter {
  return new LimiterRateCounter(new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowSeconds }));
}

/** Keys whose counts are remembered; the ones that were counted longest ago leave first. */
const MAX_KEYS = 10_000;

interface ExpiringCount {
  readonly calls: number;
  readonly endsAt: number;
}

/** What a process has last been told of counts that others may share: never too high while the window runs, as counts only grow. */
export class LastKnownCounts {
  private readonly counts = new Map<string, ExpiringCount>();

  /** `now` counts milliseconds and never goes back. */
  constructor(
    private readonly now: () => number,
    private readonly maxKeys = MAX_KEYS,
  ) {}

  record(key: string, { calls, endsInMs }: WindowCount): void {
    this.counts.delete(key);
    if (this.counts.size >= this.maxKeys) this.counts.delete(this.counts.keys().next().value!);
    this.counts.set(key, { calls, endsAt: this.now() + endsInMs });
  }

  /** Of the window that runs; undefined where nothing is known of it. */
  find(key: string): WindowCount | undefined {
    const known = this.counts.get(key);
    const endsInMs = known === undefined ? 0 : known.endsAt - this.now();
    return known === undefined || endsInMs <= 0 ? undefined : { calls: known.calls, endsInMs };
  }

  forget(key: string): void {
    this.counts.delete(key);
  }
}
