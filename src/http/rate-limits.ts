import { ownCounts, type CallCounts } from './call-counts.js';
import { KnownCounts } from './known-counts.js';

export interface RateLimitSettings {
  /** Calls that one caller may make in a window; 0: no limit. */
  readonly userPerMinute: number;
  /** Calls that all callers of one Grid may make in a window; 0: no limit. */
  readonly gridPerMinute: number;
  /** Length of the window where this process counts; a minute unless a test needs a shorter one. */
  readonly windowSeconds?: number;
  /** Where calls are counted, with windows of a minute: where other processes count as well. Absent: in this process. */
  readonly counts?: CallCounts | undefined;
}

interface Budget {
  readonly key: string;
  /** Calls in a window. */
  readonly limit: number;
}

/** A Grid has room while more than half of its calls are left, and more than what one process may have under way. */
const LEAST_ROOM = 50;

/** What others count as well is not taken back in the last moments of a window: that could come late, and be taken from the next one. */
const LAST_MOMENTS_MS = 1_000;

/**
 * Counts calls per caller and per Grid in fixed windows. A call that one of the two refuses costs nothing of the other:
 * a caller over its limit cannot use up the Grid's. Counts that other processes share cost one round trip a call, and none
 * where it is known here that the window is used up.
 */
export class RateLimits {
  private readonly counts: CallCounts;
  private readonly known = new KnownCounts(() => performance.now());
  private readonly isShared: boolean;

  constructor(private readonly settings: RateLimitSettings) {
    this.isShared = settings.counts !== undefined;
    this.counts = settings.counts ?? ownCounts(settings.windowSeconds ?? 60);
  }

  /** Milliseconds to wait until a call can succeed; 0: it was counted and may go on. */
  async spend(caller: string, gridId: string | undefined): Promise<number> {
    const budgets = this.budgetsOf(caller, gridId);
    const knownMs = budgets.reduce((longest, budget) => Math.max(longest, this.knownWaitMs(budget)), 0);
    if (knownMs > 0) return knownMs;
    // Where the others have room, to charge them for a moment harms nobody; where not, only who is let in is charged.
    const atOnce = this.isShared && budgets.every((budget, at) => at === 0 || this.hasRoom(budget));
    return this.spendSteps(atOnce ? [budgets] : budgets.map((budget) => [budget]));
  }

  private budgetsOf(caller: string, gridId: string | undefined): readonly Budget[] {
    const { userPerMinute, gridPerMinute } = this.settings;
    const budgets: Budget[] = [];
    if (userPerMinute > 0) budgets.push({ key: `caller ${caller}`, limit: userPerMinute });
    if (gridPerMinute > 0 && gridId !== undefined) budgets.push({ key: `grid ${gridId}`, limit: gridPerMinute });
    return budgets;
  }

  private async spendSteps(steps: readonly (readonly Budget[])[]): Promise<number> {
    const taken: Budget[] = [];
    for (const step of steps) {
      const passed = await Promise.all(step.map((budget) => this.take(budget)));
      taken.push(...step.filter((_, at) => passed[at]));
      if (!passed.includes(false)) continue;
      await Promise.all(taken.map((budget) => this.giveBack(budget)));
      // The other budget may be empty for longer: the caller is told the time after which both let it in.
      return Math.max(1, ...(await Promise.all(steps.flat().map((budget) => this.waitMs(budget)))));
    }
    return 0;
  }

  private async take({ key, limit }: Budget): Promise<boolean> {
    const count = await this.counts.add(key);
    this.known.note(key, count);
    return count.calls <= limit;
  }

  private async giveBack({ key }: Budget): Promise<void> {
    const known = this.known.of(key);
    if (known === undefined || (this.isShared && known.endsInMs < LAST_MOMENTS_MS)) return;
    this.known.forget(key);
    await this.counts.takeBack(key);
  }

  private async waitMs(budget: Budget): Promise<number> {
    const count = this.known.of(budget.key) ?? (await this.counts.of(budget.key));
    return count === undefined || count.calls < budget.limit ? 0 : count.endsInMs;
  }

  private knownWaitMs({ key, limit }: Budget): number {
    const known = this.known.of(key);
    return known === undefined || known.calls < limit ? 0 : known.endsInMs;
  }

  private hasRoom({ key, limit }: Budget): boolean {
    const known = this.known.of(key);
    return known !== undefined && limit - known.calls > Math.max(limit / 2, LEAST_ROOM);
  }
}
