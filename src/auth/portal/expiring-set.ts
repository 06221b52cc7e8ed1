const HOUR_MS = 3_600_000;
/** Of the bound, what is let go at once: so that making room costs little each. */
const EVICTED_FRACTION = 0.1;

/**
 * Names, each with a mark that tells until when (ms since 1970) it counts, never more than `max` of them. What is over is forgotten within
 * an hour of the next mark. Where there is no room, those that end soonest go, and `floor` tells up to where marks may be missing.
 */
export class ExpiringSet<Mark> {
  private readonly marks = new Map<string, Mark>();
  private sweepAt = -Infinity;
  private highestLetGo = -Infinity;

  constructor(
    private readonly max: number,
    private readonly now: () => number,
    private readonly endOf: (mark: Mark) => number,
  ) {}

  /** No mark that ends later was ever let go. */
  get floor(): number {
    return this.highestLetGo;
  }

  get size(): number {
    return this.marks.size;
  }

  /** Those that are over may be among them. */
  get all(): Iterable<Mark> {
    return this.marks.values();
  }

  add(name: string, mark: Mark): void {
    const now = this.now();
    if (this.endOf(mark) <= now) return;
    if (now >= this.sweepAt) this.removeExpired(now);
    this.marks.set(name, mark);
    if (this.marks.size > this.max) this.evictSoonest();
  }

  has(name: string): boolean {
    return this.marks.has(name);
  }

  delete(name: string): void {
    this.marks.delete(name);
  }

  private removeExpired(now: number): void {
    this.sweepAt = now + HOUR_MS;
    for (const [name, mark] of this.marks) if (this.endOf(mark) <= now) this.marks.delete(name);
  }

  private evictSoonest(): void {
    const soonest = [...this.marks]
      .map(([name, mark]) => [name, this.endOf(mark)] as const)
      .sort(([, a], [, b]) => a - b)
      .slice(0, Math.ceil(this.max * EVICTED_FRACTION));
    for (const [name, until] of soonest) {
      this.marks.delete(name);
      this.highestLetGo = Math.max(this.highestLetGo, until);
    }
  }
}
