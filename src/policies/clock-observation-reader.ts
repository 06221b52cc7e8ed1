import { asyncScheduler, exhaustMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';

/** Longer than the log takes to respond, and short enough that wrongly accepted telemetry does not matter. */
const INTERVAL_MS = 60_000;

export interface ClockFollowerParts {
  /** The clock of retention; `inspect` reads what all processes have observed, and records nothing. */
  readonly clock: { inspect(): Promise<unknown> };
  readonly log: Logger;
  readonly scheduler?: SchedulerLike;
}

/**
 * Keeps a process that does not enforce retention informed of the clock observations of others: it accepts telemetry by
 * that time while its own clock is in doubt.
 */
export class ClockObservationReader {
  private readonly running = new Subscription();
  private current: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ClockFollowerParts) {}

  /** Reads the observations now and every minute. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    const rounds = timer(0, INTERVAL_MS, scheduler).pipe(exhaustMap(() => from((this.current = this.read()))));
    this.running.add(rounds.subscribe());
  }

  /** Waits for the read in progress. Safe to call twice. */
  async stop(): Promise<void> {
    this.running.unsubscribe();
    await this.current;
  }

  /** Failures are retried in a minute; until then the last observations count. */
  private async read(): Promise<void> {
    try {
      await this.parts.clock.inspect();
    } catch (error) {
      this.parts.log.warn('Cannot read the clock observations of other processes from the event log; retrying', {
        error,
      });
    }
  }
}
