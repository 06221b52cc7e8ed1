import type { Logger } from '../../self-telemetry/logger.js';

const INTERVAL_MS = 1_000;

/**
 * Lets at most one log line a second through, of many alike: a log that grows as fast as the load, or as somebody outside likes, is an
 * outage of its own.
 */
export class LogThrottle {
  private lastAt = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  /** @param now ms of any clock that goes on */
  constructor(private readonly now: () => number) {}

  /** How many lines were left out since the last one, for this one to tell; undefined where it has to be left out itself. */
  acquire(): number | undefined {
    if (this.now() - this.lastAt < INTERVAL_MS) {
      this.leftOut++;
      return undefined;
    }
    const { leftOut } = this;
    this.lastAt = this.now();
    this.leftOut = 0;
    return leftOut;
  }
}

/** The part of the service's log that ingestion uses. */
export type ErrorLog = Pick<Logger, 'error'>;

/** Logs failures at most once a second: while a store is away every request fails. */
export class ThrottledErrorLog {
  private readonly budget: LogThrottle;

  constructor(
    private readonly log: ErrorLog,
    now: () => number,
  ) {
    this.budget = new LogThrottle(now);
  }

  /** @param message a constant sentence */
  logError(error: unknown, message: string): void {
    const leftOut = this.budget.acquire();
    if (leftOut !== undefined) this.log.error(message, { error, leftOut });
  }
}
