import type { Logger } from '../../self-telemetry/logger.js';
import { LastKnownCounts, type RateCounter, type WindowCount } from './rate-limiter.js';

export interface FallbackRateCounterOptions {
  /** The counter of all processes. */
  readonly shared: RateCounter & { close(): Promise<void> };
  /** The counter of this process, used while the shared one is unavailable. */
  readonly own: RateCounter;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Timeout of the shared counter in ms. Default: 500. */
  readonly timeoutMs?: number;
  /** Interval of the probes in ms while the shared counter is unavailable. Default: 1000. */
  readonly pauseMs?: number;
}

const SHARED_TIMEOUT_MS = 500;
/** Longer, since it includes the connection setup. */
const CONNECT_TIMEOUT_MS = 3_000;

/** Incremented to check whether the shared counter works again. */
const PROBE_KEY = 'probe';

/**
 * A shared rate counter with a local fallback. While the shared counter is slow or unavailable, this process counts alone,
 * starting from the last known shared counts, so that no single process admits more than the limit. Calls that detect the
 * failure are delayed by `timeoutMs`, later ones are not. Never rejects; switches back automatically.
 */
export class FallbackRateCounter implements RateCounter {
  private isUnavailable = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  /** Counts of the shared counter. */
  private readonly lastShared = new LastKnownCounts(() => performance.now());

  constructor(private readonly options: FallbackRateCounterOptions) {}

  /** Connects to the shared counter, so that the first call does not have to. Takes 3 s at most. */
  async start(): Promise<void> {
    try {
      await this.withTimeout(this.options.shared.increment(PROBE_KEY), CONNECT_TIMEOUT_MS);
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
    return count === undefined ? this.lastShared.find(key) : this.combineCounts(key, count, isShared);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.options.shared.close();
  }

  /** The result, and whether it comes from the shared counter. */
  private async runWithFallback<Result>(
    operation: (counts: RateCounter) => Promise<Result>,
  ): Promise<readonly [Result, boolean]> {
    if (this.isUnavailable) return [await operation(this.options.own), false];
    try {
      return [await this.withTimeout(operation(this.options.shared)), true];
    } catch (error) {
      this.switchToLocal(error);
      return [await operation(this.options.own), false];
    }
  }

  private combineCounts(key: string, count: WindowCount, isShared: boolean): WindowCount {
    if (isShared) this.lastShared.record(key, count);
    const before = isShared ? undefined : this.lastShared.find(key);
    return before === undefined ? count : { calls: before.calls + count.calls, endsInMs: before.endsInMs };
  }

  private switchToLocal(error: unknown): void {
    if (this.isUnavailable || this.isClosed) return;
    this.isUnavailable = true;
    this.options.log.warn('Cannot reach the shared rate counter; counting calls in this process only', { error });
    this.scheduleProbe();
  }

  private scheduleProbe(): void {
    if (!this.isClosed) this.timer = setTimeout(() => void this.probeShared(), this.options.pauseMs ?? 1_000).unref();
  }

  private async probeShared(): Promise<void> {
    try {
      await this.withTimeout(this.options.shared.increment(PROBE_KEY));
    } catch {
      return this.scheduleProbe(); // the outage has been logged already
    }
    this.isUnavailable = false;
    this.options.log.info('Shared rate counter is available again');
  }

  private async withTimeout<Result>(
    result: Promise<Result>,
    timeoutMs = this.options.timeoutMs ?? SHARED_TIMEOUT_MS,
  ): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      // If the event loop was blocked, the result may have arrived already and is read before setImmediate runs.
      timer = setTimeout(() => setImmediate(() => reject(new Error(`no response within ${timeoutMs} ms`))), timeoutMs);
    });
    try {
      return await Promise.race([result, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
