import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** The calls of one key in the window that runs now. */
export interface CallCount {
  readonly calls: number;
  /** Milliseconds until the window ends and the count with it. */
  readonly endsInMs: number;
}

/**
 * Calls by key, in fixed windows: that of a key begins with its first call. Whoever counts in the same place sees the calls of
 * all others, and of many who count at once each sees another number. Rejects where the place cannot be reached; a call may
 * have been counted then.
 */
export interface CallCounts {
  /** Counts one call and answers with it included. */
  add(key: string): Promise<CallCount>;
  /** A call of this window that was counted was none after all. */
  takeBack(key: string): Promise<void>;
  /** Undefined where no window runs. */
  of(key: string): Promise<CallCount | undefined>;
}

/** Calls as a limiter of rate-limiter-flexible counts them, wherever that one keeps its counts. What is too many, others say. */
export class LimiterCounts implements CallCounts {
  constructor(private readonly limiter: RateLimiterAbstract) {}

  async add(key: string): Promise<CallCount> {
    return this.countOf(await this.limiter.penalty(key, 1));
  }

  async takeBack(key: string): Promise<void> {
    await this.limiter.reward(key, 1);
  }

  async of(key: string): Promise<CallCount | undefined> {
    const found = await this.limiter.get(key);
    return found === null ? undefined : this.countOf(found);
  }

  /** A machine whose clock is ahead may have begun the window: no window is longer than one. */
  private countOf({ consumedPoints, msBeforeNext }: { readonly consumedPoints: number; readonly msBeforeNext: number }): CallCount {
    return { calls: consumedPoints, endsInMs: Math.min(Math.max(0, msBeforeNext), this.limiter.duration * 1000) };
  }
}

/** Counts of this process alone. */
export function ownCounts(windowSeconds: number): CallCounts {
  return new LimiterCounts(new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowSeconds }));
}
