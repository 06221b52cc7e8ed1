import { setTimeout as pause } from 'node:timers/promises';
import { findQuotaOwner } from '../../auth/principal.js';
import { Problem } from '../problems/problem-details.js';
import type { AuthorizedCaller } from '../steps/authorization.js';
import { RefusalDelay } from './refusal-delay.js';
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

export interface RateLimitSettings {
  /** Calls per caller and window; 0: no limit. */
  readonly userPerMinute: number;
  /** Calls per Grid and window, of all callers together; 0: no limit. */
  readonly gridPerMinute: number;
  /** Length of the window for counts in this process. Default: 60; tests use less. */
  readonly windowSeconds?: number;
  /** A counter shared with other processes, with windows of a minute. Default: counts in this process. */
  readonly counts?: RateCounter | undefined;
}

interface Quota {
  readonly key: string;
  /** Calls in a window. */
  readonly limit: number;
}

/** A Grid has headroom while more than half of its calls are left, and more than one process may have in progress. */
const MIN_HEADROOM = 50;

/** Shared counts are not refunded at the end of a window: a delayed refund would apply to the next window. */
const NO_REFUND_MS = 1_000;

/**
 * Limits calls per caller and per Grid in fixed windows. A call that one of the two limits rejects does not count for
 * the other: a caller over its limit cannot exhaust the limit of the Grid. Shared counters need one round trip per
 * call, and none if the limit is known to be exhausted.
 */
export class RateLimiter {
  /** For callers who continue beyond their limit. */
  readonly refusals = new RefusalDelay({ now: () => performance.now(), pause });
  private readonly counts: RateCounter;
  private readonly known = new LastKnownCounts(() => performance.now());
  private readonly isShared: boolean;

  constructor(private readonly settings: RateLimitSettings) {
    this.isShared = settings.counts !== undefined;
    this.counts = settings.counts ?? createLocalRateCounter(settings.windowSeconds ?? 60);
  }

  /** Milliseconds until a call can succeed; 0: the call was counted and may proceed. */
  async consume(caller: string, gridId: string | undefined): Promise<number> {
    const quotas = this.quotasFor(caller, gridId);
    const knownMs = quotas.reduce((longest, quota) => Math.max(longest, this.knownWaitMs(quota)), 0);
    if (knownMs > 0) return knownMs;
    // With headroom, all quotas are charged in parallel and refunded if one rejects. Otherwise one after the other, so that a
    // rejected call never charges the last calls of the Grid.
    const inParallel = this.isShared && quotas.every((quota, at) => at === 0 || this.hasHeadroom(quota));
    return this.consumeInSteps(inParallel ? [quotas] : quotas.map((quota) => [quota]));
  }

  private quotasFor(caller: string, gridId: string | undefined): readonly Quota[] {
    const { userPerMinute, gridPerMinute } = this.settings;
    const quotas: Quota[] = [];
    if (userPerMinute > 0) quotas.push({ key: `caller ${caller}`, limit: userPerMinute });
    if (gridPerMinute > 0 && gridId !== undefined) quotas.push({ key: `grid ${gridId}`, limit: gridPerMinute });
    return quotas;
  }

  private async consumeInSteps(steps: readonly (readonly Quota[])[]): Promise<number> {
    const charged: Quota[] = [];
    for (const step of steps) {
      const passed = await Promise.all(step.map((quota) => this.consumeOne(quota)));
      charged.push(...step.filter((_, at) => passed[at]));
      if (!passed.includes(false)) continue;
      await Promise.all(charged.map((quota) => this.refund(quota)));
      // Another quota may be exhausted for longer: return the time after which all of them permit a call.
      return Math.max(1, ...(await Promise.all(steps.flat().map((quota) => this.waitMs(quota)))));
    }
    return 0;
  }

  private async consumeOne({ key, limit }: Quota): Promise<boolean> {
    const count = await this.counts.increment(key);
    this.known.record(key, count);
    return count.calls <= limit;
  }

  private async refund({ key }: Quota): Promise<void> {
    const known = this.known.find(key);
    if (known === undefined || (this.isShared && known.endsInMs < NO_REFUND_MS)) return;
    this.known.forget(key);
    await this.counts.decrement(key);
  }

  private async waitMs({ key, limit }: Quota): Promise<number> {
    const count = this.known.find(key) ?? (await this.counts.read(key));
    return count === undefined || count.calls < limit ? 0 : count.endsInMs;
  }

  private knownWaitMs({ key, limit }: Quota): number {
    const known = this.known.find(key);
    return known === undefined || known.calls < limit ? 0 : known.endsInMs;
  }

  private hasHeadroom({ key, limit }: Quota): boolean {
    const known = this.known.find(key);
    return known !== undefined && limit - known.calls > Math.max(limit / 2, MIN_HEADROOM);
  }
}

/** Throws 429 if the limit of the caller or of the Grid is exhausted, later for those who do not wait. */
export async function enforceRateLimit(limits: RateLimiter, { principal, grid }: AuthorizedCaller): Promise<void> {
  const caller = findQuotaOwner(principal);
  const waitMs = await limits.consume(caller, grid?.gridId);
  if (waitMs === 0) return;
  await limits.refusals.wait(caller);
  // Timers of clients may fire a millisecond early, so round up from 1 ms more.
  const seconds = Math.ceil((waitMs + 1) / 1000);
  throw new Problem('rate-limited', `Rate limit exceeded. Retry after ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** The number of calls of one key in the current window. */
export interface WindowCount {
  readonly calls: number;
  /** Milliseconds until the window ends and the count is reset. */
  readonly endsInMs: number;
}

/**
 * Counts calls by key in fixed windows, which start with the first call of a key. Counters with the same storage see
 * each other's calls, and concurrent increments return different numbers. Rejects if the storage is unavailable, in
 * which case the call may have been counted or not.
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

  /**
   * Caps the remaining time at one window, since the window may have been started by a machine with a clock ahead of
   * ours.
   */
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
