/** Interval (ms) at which refusals of one owner are sent once its burst is used up. */
const INTERVAL_MS = 20;
/** Refusals that are sent at once. */
const BURST = 100;
/** Longest delay (ms) of a refusal. */
const MAX_DELAY_MS = 2_000;
/** Maximum number of owners to remember; those that were refused longest ago are evicted. */
const MAX_OWNERS = 10_000;

export interface RefusalDelayOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * Delays refusals for owners that repeat refused requests immediately. A refusal costs the serving thread about a
 * millisecond, and more with a large body: sent at once, hundreds a second over a few connections delay everybody.
 * Retry times do not help, because only well-behaved clients respect them.
 */
export class RefusalDelay {
  /** By owner: when its refusals so far would have been sent, one for each interval. */
  private readonly sentUntil = new Map<string, number>();

  constructor(private readonly options: RefusalDelayOptions) {}

  /** Resolves when the refusal may be sent. */
  async wait(ownerId: string): Promise<void> {
    const delayMs = this.take(ownerId);
    if (delayMs > 0) await this.options.pause(delayMs);
  }

  private take(ownerId: string): number {
    const now = this.options.now();
    const creditMs = BURST * INTERVAL_MS;
    const from = Math.max(now, this.sentUntil.get(ownerId) ?? 0);
    this.sentUntil.delete(ownerId);
    if (this.sentUntil.size >= MAX_OWNERS) this.sentUntil.delete(this.sentUntil.keys().next().value!);
    this.sentUntil.set(ownerId, Math.min(from + INTERVAL_MS, now + creditMs + MAX_DELAY_MS));
    return Math.max(0, from - now - creditMs);
  }
}
