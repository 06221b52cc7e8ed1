import { firstValueFrom, from, map, merge, race, timer, type SchedulerLike } from 'rxjs';

export interface EvaluationLimits {
  /** Evaluations that run at the same time. */
  readonly slots: number;
  /** Of them, those of Grids that were slow the last time: the remaining slots are for the others. */
  readonly slotsOfSlow: number;
  /** For so long (ms) a visit waits for a Grid, or for a slot. A Grid that takes longer is slow. */
  readonly timeoutMs: number;
  readonly scheduler: SchedulerLike;
}

/**
 * Evaluates Grids, a limited number at the same time: an evaluation holds its slot until it ends, even when nobody waits
 * for it any more. Slow Grids have slots of their own and take turns at them, so that they delay only each other.
 */
export class EvaluationSlots {
  /** Evaluations that have begun, by Grid. None rejects. */
  private readonly running = new Map<string, Promise<void>>();
  /** Grids whose last evaluation was slow, the one that has waited longest first. */
  private readonly slow = new Set<string>();

  constructor(private readonly limits: EvaluationLimits) {}

  /**
   * Begins to evaluate the Grids, but those whose last evaluation has not ended. Resolves when each that has begun is over
   * or slow. Grids for which no slot gets free in time are left for the next visit.
   * @param evaluate never rejects, and ends in limited time
   */
  async visit(gridIds: ReadonlySet<string>, evaluate: (gridId: string) => Promise<unknown>): Promise<void> {
    for (const gridId of this.slow) if (!gridIds.has(gridId)) this.slow.delete(gridId);
    const visits: Promise<unknown>[] = [];
    for (const gridId of this.sort(gridIds)) {
      while (this.running.size >= this.limits.slots && (await this.waitForSlot()));
      if (this.running.size >= this.limits.slots) break;
      if (this.mayBegin(gridId)) visits.push(this.begin(gridId, evaluate));
    }
    await Promise.all(visits);
  }

  /** Resolves when all evaluations that have begun are over. */
  async whenIdle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** The slow ones last, in turn. */
  private sort(gridIds: ReadonlySet<string>): string[] {
    return [...[...gridIds].filter((gridId) => !this.slow.has(gridId)), ...this.slow];
  }

  private mayBegin(gridId: string): boolean {
    if (this.running.has(gridId)) return false;
    if (!this.slow.has(gridId)) return true;
    return [...this.running.keys()].filter((each) => this.slow.has(each)).length < this.limits.slotsOfSlow;
  }

  /** Resolves when the evaluation is over, or slow. */
  private async begin(gridId: string, evaluate: (gridId: string) => Promise<unknown>): Promise<void> {
    const evaluated = evaluate(gridId)
      .then(() => undefined)
      .finally(() => this.running.delete(gridId));
    this.running.set(gridId, evaluated);
    const isInTime = await this.endsInTime([evaluated]);
    this.slow.delete(gridId);
    if (!isInTime) this.slow.add(gridId);
  }

  /** False if no evaluation ends in time. */
  private waitForSlot(): Promise<boolean> {
    return this.endsInTime([...this.running.values()]);
  }

  /** Whether one of these ends before the timeout. */
  private endsInTime(evaluations: readonly Promise<void>[]): Promise<boolean> {
    const { timeoutMs, scheduler } = this.limits;
    const [ended, late] = [
      merge(...evaluations.map((each) => from(each.then(() => true)))),
      timer(timeoutMs, scheduler),
    ];
    return firstValueFrom(race(ended, late.pipe(map(() => false))));
  }
}
