import type { Logger } from '../../log.js';

/** The part of the service's log that ingestion uses. */
export type IngestLog = Pick<Logger, 'error'>;

const INTERVAL_MS = 1_000;

/**
 * Logs failures at most once a second: while a store is away every request fails, and a log that
 * grows as fast as the load is an outage of its own. The next line says how many were left out.
 */
export class FailureLog {
  private lastAt = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  constructor(
    private readonly log: IngestLog,
    private readonly now: () => number,
  ) {}

  /** @param message a constant sentence */
  failed(error: unknown, message: string): void {
    if (this.now() - this.lastAt < INTERVAL_MS) {
      this.leftOut++;
      return;
    }
    this.log.error(message, { error, leftOut: this.leftOut });
    this.lastAt = this.now();
    this.leftOut = 0;
  }
}
