import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

export interface RateLimitSettings {
  /** Calls that one caller may make in a window; 0: no limit. */
  readonly userPerMinute: number;
  /** Calls that all callers of one Grid may make in a window; 0: no limit. */
  readonly gridPerMinute: number;
  /** Length of the window; a minute unless a test needs a shorter one. */
  readonly windowSeconds?: number;
}

/**
 * Counts calls per caller and per Grid in fixed windows. A call that one of the two refuses costs nothing of the other:
 * a caller over its limit cannot use up the Grid's.
 */
export class RateLimits {
  private readonly perUser: RateLimiterMemory | undefined;
  private readonly perGrid: RateLimiterMemory | undefined;

  constructor({ userPerMinute, gridPerMinute, windowSeconds = 60 }: RateLimitSettings) {
    this.perUser = limiter(userPerMinute, windowSeconds);
    this.perGrid = limiter(gridPerMinute, windowSeconds);
  }

  /** Milliseconds to wait until a call can succeed; 0: it was counted and may go on. */
  async spend(caller: string, gridId: string | undefined): Promise<number> {
    const budgets: Budget[] = [];
    if (this.perUser !== undefined) budgets.push({ limiter: this.perUser, key: caller });
    if (this.perGrid !== undefined && gridId !== undefined) budgets.push({ limiter: this.perGrid, key: gridId });
    return spendAll(budgets);
  }
}

interface Budget {
  readonly limiter: RateLimiterMemory;
  readonly key: string;
}

function limiter(points: number, duration: number): RateLimiterMemory | undefined {
  return points === 0 ? undefined : new RateLimiterMemory({ points, duration });
}

async function spendAll(budgets: readonly Budget[]): Promise<number> {
  for (const [at, budget] of budgets.entries()) {
    const refusedMs = await take(budget);
    if (refusedMs === 0) continue;
    for (const { limiter, key } of budgets.slice(0, at)) await limiter.reward(key);
    // The other budget may be empty for longer: the caller is told the time after which both let it in.
    return Math.max(refusedMs, ...(await Promise.all(budgets.map(emptyForMs))));
  }
  return 0;
}

async function take({ limiter, key }: Budget): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
    throw refusal;
  }
}

async function emptyForMs({ limiter, key }: Budget): Promise<number> {
  const state = await limiter.get(key);
  return state === null || state.remainingPoints > 0 ? 0 : Math.max(0, state.msBeforeNext);
}
