import type { Logger } from '../../self-telemetry/logger.js';

const INTERVAL_MS = 1_000;

/**
 * Permits one log line per second for repeated messages, so that neither load nor a client can flood the log.
 */
export class LogThrottle {
  private lastAt = Number.NEGATIVE_INFINITY;
  private suppressed = 0;

  /** @param now milliseconds of any monotonic clock */
  constructor(private readonly now: () => number) {}

  /** The number of lines suppressed since the last permitted one; undefined if this line must be suppressed as well. */
  acquire(): number | undefined {
    if (this.now() - this.lastAt < INTERVAL_MS) {
      this.suppressed++;
      return undefined;
    }
    const { suppressed } = this;
    this.lastAt = this.now();
    this.suppressed = 0;
    return suppressed;
  }
}

/** The part of the service's log that ingestion uses. */
export type ErrorLog = Pick<Logger, 'error'>;

/** Logs at most one error per second, since every request fails while a store is unavailable. */
export class ThrottledErrorLog {
  private readonly throttle: LogThrottle;

  constructor(
    private readonly log: ErrorLog,
    now: () => number,
  ) {
    this.throttle = new LogThrottle(now);
  }

  /** @param message a constant text; the number of suppressed lines is logged as `leftOut` */
  logError(error: unknown, message: string): void {
    const leftOut = this.throttle.acquire();
    if (leftOut !== undefined) this.log.error(message, { error, leftOut });
  }
}
