const HOUR_MS = 3_600_000;
/** Fraction of the limit evicted at once, which amortizes the cost. */
const EVICTED_FRACTION = 0.1;

/**
 * Set of at most `max` names, each with a value that has an expiry (ms since 1970). Expired entries are removed within
 * an hour of the next `add`. When full, the entries that expire soonest are evicted; entries that expire up to `floor`
 * may be missing.
 */
export class ExpiringSet<Value> {
  private readonly entries = new Map<string, Value>();
  private sweepAt = -Infinity;
  private evictedUntil = -Infinity;

  constructor(
    private readonly max: number,
    private readonly now: () => number,
    private readonly expiryMs: (value: Value) => number,
  ) {}

  /** No entry with a later expiry was ever evicted; -Infinity if none was. */
  get floor(): number {
    return this.evictedUntil;
  }

  get size(): number {
    return this.entries.size;
  }

  /** May include expired values. */
  get values(): Iterable<Value> {
    return this.entries.values();
  }

  add(name: string, value: Value): void {
    const now = this.now();
    if (this.expiryMs(value) <= now) return;
    if (now >= this.sweepAt) this.removeExpired(now);
    this.entries.set(name, value);
    if (this.entries.size > this.max) this.evictSoonest();
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  delete(name: string): void {
    this.entries.delete(name);
  }

  private removeExpired(now: number): void {
    this.sweepAt = now + HOUR_MS;
    for (const [name, value] of this.entries) if (this.expiryMs(value) <= now) this.entries.delete(name);
  }

  private evictSoonest(): void {
    const soonest = [...this.entries]
      .map(([name, value]) => [name, this.expiryMs(value)] as const)
      .sort(([, a], [, b]) => a - b)
      .slice(0, Math.ceil(this.max * EVICTED_FRACTION));
    for (const [name, until] of soonest) {
      this.entries.delete(name);
      this.evictedUntil = Math.max(this.evictedUntil, until);
    }
  }
}
