import type { Logger } from '../../self-telemetry/logger.js';
import { LastKnownCounts, type RateCounter, type WindowCount } from './rate-counter.js';

export interface FallbackRateCounterOptions {
  /** Where all processes count. */
  readonly shared: RateCounter & { close(): Promise<void> };
  /** What this process counts by while that is away. */
  readonly own: RateCounter;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Longer (ms) than the shared place takes where it works; no call waits longer for it. Default 500. */
  readonly patienceMs?: number;
  /** Between two looks (ms) at a place that is away. Default 1 s. */
  readonly pauseMs?: number;
}

const SHARED_TIMEOUT_MS = 500;
/** To connect takes longer than to count. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Counted in order to see whether counting works again. */
const PROBE_KEY = 'probe';

/**
 * Counts that are never waited for: while the shared place is slow or away, this process counts alone, on from what it was told
 * last, so that no process lets in more than the limit. Calls that find the place away are held up by `patienceMs`, those
 * that come after them by nothing. It never rejects, and comes back by itself.
 */
export class FallbackRateCounter implements RateCounter {
  private isAway = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  /** By the shared place. */
  private readonly told = new LastKnownCounts(() => performance.now());

  constructor(private readonly parts: FallbackRateCounterOptions) {}

  /** Looks whether the shared place is there, so that the first call does not wait for a connection. Takes a few seconds at most. */
  async start(): Promise<void> {
    try {
      await this.withTimeout(this.parts.shared.increment(PROBE_KEY), CONNECT_TIMEOUT_MS);
    } catch (error) {
      this.switchToLocal(error);
    }
  }

  async increment(key: string): Promise<WindowCount> {
    const [count, isShared] = await this.runWithFallback((counts) => counts.increment(key));
    return this.combineCounts(key, count, isShared);
  }

  async decrement(key: string): Promise<void> {
    await this.runWithFallback((counts) => counts.decrement(key));
  }

  async read(key: string): Promise<WindowCount | undefined> {
    const [count, isShared] = await this.runWithFallback((counts) => counts.read(key));
    return count === undefined ? this.told.find(key) : this.combineCounts(key, count, isShared);
  }

  /** Legal twice. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.parts.shared.close();
  }

  /** The answer, and whether it is that of all processes. */
  private async runWithFallback<Answer>(
    question: (counts: RateCounter) => Promise<Answer>,
  ): Promise<readonly [Answer, boolean]> {
    if (this.isAway) return [await question(this.parts.own), false];
    try {
      return [await this.withTimeout(question(this.parts.shared)), true];
    } catch (error) {
      this.switchToLocal(error);
      return [await question(this.parts.own), false];
    }
  }

  private combineCounts(key: string, count: WindowCount, isShared: boolean): WindowCount {
    if (isShared) this.told.record(key, count);
    const before = isShared ? undefined : this.told.find(key);
    return before === undefined ? count : { calls: before.calls + count.calls, endsInMs: before.endsInMs };
  }

  private switchToLocal(error: unknown): void {
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    this.parts.log.warn('calls are counted in this process alone: where all processes count them is away', { error });
    this.scheduleProbe();
  }

  private scheduleProbe(): void {
    if (!this.isClosed) this.timer = setTimeout(() => void this.probeShared(), this.parts.pauseMs ?? 1_000).unref();
  }

  private async probeShared(): Promise<void> {
    try {
      await this.withTimeout(this.parts.shared.increment(PROBE_KEY));
    } catch {
      return this.scheduleProbe(); // which has been told
    }
    this.isAway = false;
    this.parts.log.info('calls are counted together with all other processes again');
  }

  private async withTimeout<Answer>(
    answer: Promise<Answer>,
    patienceMs = this.parts.patienceMs ?? SHARED_TIMEOUT_MS,
  ): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      // Where this process was late itself, the answer may have come and is about to be read.
      timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${patienceMs} ms`))), patienceMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
