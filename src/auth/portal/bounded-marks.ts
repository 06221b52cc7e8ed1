const HOUR_MS = 3_600_000;
/** Of the bound, what is let go at once: so that making room costs little each. */
const PART_LET_GO = 0.1;

/**
 * Names, each marked until some moment (ms since 1970), never more than `max` of them. What is over is forgotten within an hour of the
 * next mark. Where there is no room, those that end soonest go, and `floor` tells up to where marks may be missing.
 */
export class BoundedMarks {
  private readonly ends = new Map<string, number>();
  private sweepAt = -Infinity;
  private highestLetGo = -Infinity;

  constructor(private readonly max: number, private readonly now: () => number) {}

  /** No mark that ends later was ever let go. */
  get floor(): number {
    return this.highestLetGo;
  }

  get size(): number {
    return this.ends.size;
  }

  add(name: string, until: number): void {
    const now = this.now();
    if (until <= now) return;
    if (now >= this.sweepAt) this.sweep(now);
    this.ends.set(name, until);
    if (this.ends.size > this.max) this.makeRoom();
  }

  has(name: string): boolean {
    return this.ends.has(name);
  }

  delete(name: string): void {
    this.ends.delete(name);
  }

  private sweep(now: number): void {
    this.sweepAt = now + HOUR_MS;
    for (const [name, until] of this.ends) if (until <= now) this.ends.delete(name);
  }

  private makeRoom(): void {
    const soonest = [...this.ends].sort(([, a], [, b]) => a - b).slice(0, Math.ceil(this.max * PART_LET_GO));
    for (const [name, until] of soonest) {
      this.ends.delete(name);
      this.highestLetGo = Math.max(this.highestLetGo, until);
    }
  }
}
