import type { Logger } from '../../log.js';
import { LineBudget } from '../line-budget.js';

/** The part of the service's log that ingestion uses. */
export type IngestLog = Pick<Logger, 'error'>;

/** Logs failures at most once a second: while a store is away every request fails. */
export class FailureLog {
  private readonly budget: LineBudget;

  constructor(
    private readonly log: IngestLog,
    now: () => number,
  ) {
    this.budget = new LineBudget(now);
  }

  /** @param message a constant sentence */
  failed(error: unknown, message: string): void {
    const leftOut = this.budget.take();
    if (leftOut !== undefined) this.log.error(message, { error, leftOut });
  }
}
