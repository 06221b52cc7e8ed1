/** The part of a structured logger that ingestion uses. */
export interface IngestLog {
  error(details: object, message: string): void;
}

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

  failed(error: unknown, message: string): void {
    if (this.now() - this.lastAt < INTERVAL_MS) {
      this.leftOut++;
      return;
    }
    this.log.error({ err: error, leftOut: this.leftOut }, message);
    this.lastAt = this.now();
    this.leftOut = 0;
  }
}
