import { createLocalRateCounter, LastKnownCounts, type RateCounter } from './rate-counter.js';
import { Problem } from '../problems/problem-details.js';
import type { AuthorizedCaller } from '../steps/authorization.js';

export interface RateLimitSettings {
  /** Calls that one caller may make in a window; 0: no limit. */
  readonly userPerMinute: number;
  /** Calls that all callers of one Grid may make in a window; 0: no limit. */
  readonly gridPerMinute: number;
  /** Length of the window where this process counts; a minute unless a test needs a shorter one. */
  readonly windowSeconds?: number;
  /** Where calls are counted, with windows of a minute: where other processes count as well. Absent: in this process. */
  readonly counts?: RateCounter | undefined;
}

interface Quota {
  readonly key: string;
  /** Calls in a window. */
  readonly limit: number;
}

/** A Grid has room while more than half of its calls are left, and more than what one process may have under way. */
const MIN_HEADROOM = 50;

/** What others count as well is not taken back in the last moments of a window: that could come late, and be taken from the next one. */
const NO_REFUND_MS = 1_000;

/**
 * Counts calls per caller and per Grid in fixed windows. A call that one of the two refuses costs nothing of the other:
 * a caller over its limit cannot use up the Grid's. Counts that other processes share cost one round trip a call, and none
 * where it is known here that the window is used up.
 */
export class RateLimiter {
  private readonly counts: RateCounter;
  private readonly known = new LastKnownCounts(() => performance.now());
  private readonly isShared: boolean;

  constructor(private readonly settings: RateLimitSettings) {
    this.isShared = settings.counts !== undefined;
    this.counts = settings.counts ?? createLocalRateCounter(settings.windowSeconds ?? 60);
  }

  /** Milliseconds to wait until a call can succeed; 0: it was counted and may go on. */
  async consume(caller: string, gridId: string | undefined): Promise<number> {
    const budgets = this.quotasFor(caller, gridId);
    const knownMs = budgets.reduce((longest, budget) => Math.max(longest, this.knownWaitMs(budget)), 0);
    if (knownMs > 0) return knownMs;
    // Where the others have room, to charge them for a moment harms nobody; where not, only who is let in is charged.
    const atOnce = this.isShared && budgets.every((budget, at) => at === 0 || this.hasHeadroom(budget));
    return this.consumeInSteps(atOnce ? [budgets] : budgets.map((budget) => [budget]));
  }

  private quotasFor(caller: string, gridId: string | undefined): readonly Quota[] {
    const { userPerMinute, gridPerMinute } = this.settings;
    const budgets: Quota[] = [];
    if (userPerMinute > 0) budgets.push({ key: `caller ${caller}`, limit: userPerMinute });
    if (gridPerMinute > 0 && gridId !== undefined) budgets.push({ key: `grid ${gridId}`, limit: gridPerMinute });
    return budgets;
  }

  private async consumeInSteps(steps: readonly (readonly Quota[])[]): Promise<number> {
    const taken: Quota[] = [];
    for (const step of steps) {
      const passed = await Promise.all(step.map((budget) => this.consumeOne(budget)));
      taken.push(...step.filter((_, at) => passed[at]));
      if (!passed.includes(false)) continue;
      await Promise.all(taken.map((budget) => this.refund(budget)));
      // The other budget may be empty for longer: the caller is told the time after which both let it in.
      return Math.max(1, ...(await Promise.all(steps.flat().map((budget) => this.waitMs(budget)))));
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

  private async waitMs(budget: Quota): Promise<number> {
    const count = this.known.find(budget.key) ?? (await this.counts.read(budget.key));
    return count === undefined || count.calls < budget.limit ? 0 : count.endsInMs;
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

/** 429 once the caller's or the Grid's calls of this minute are used up. */
export async function enforceRateLimit(limits: RateLimiter, { principal, grid }: AuthorizedCaller): Promise<void> {
  const waitMs = await limits.consume(`${principal.kind} ${principal.id}`, grid?.gridId);
  if (waitMs === 0) return;
  // A client's timer may fire a millisecond early; the second that this can add keeps the promise that waiting helps.
  const seconds = Math.ceil((waitMs + 1) / 1000);
  throw new Problem('rate-limited', `Too many calls. The next one is welcome in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
