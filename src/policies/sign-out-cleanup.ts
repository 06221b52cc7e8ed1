import { asyncScheduler, concatMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import type { EventStore } from '../streams/event-store.js';
import { PORTAL_SESSIONS_STREAM } from '../streams/stream-names.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface SignOutCleanupParts {
  readonly log: Pick<EventStore, 'readStream' | 'truncate'>;
  /** Maximum lifetime of a session (ms). */
  readonly sessionMs: number;
  /** Whether this process runs the cleanup; several at once do no harm. */
  readonly isResponsible: () => boolean;
  readonly logger: Pick<Logger, 'error'>;
  readonly scheduler?: SchedulerLike;
}

/**
 * Deletes sign-outs of sessions that would have expired by now, because every start reads the stream of sign-outs, and
 * memberships by token of that age with them.
 */
export class SignOutCleanup {
  private readonly running = new Subscription();

  constructor(private readonly parts: SignOutCleanupParts) {}

  /** Runs now and every hour. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    this.running.add(
      timer(0, HOUR_MS, scheduler)
        .pipe(concatMap(() => from(this.cleanUp(scheduler.now()))))
        .subscribe(),
    );
  }

  /** A pending truncation is interrupted by its store on close. Safe to call twice. */
  async stop(): Promise<void> {
    this.running.unsubscribe();
  }

  /** Keeps sign-outs a day longer than sessions live, because clocks of processes differ. */
  private async cleanUp(now: number): Promise<void> {
    const { log, sessionMs, isResponsible, logger } = this.parts;
    if (!isResponsible()) return;
    const before = now - sessionMs - DAY_MS;
    try {
      if (await this.mayStartBefore(before)) await log.truncate(PORTAL_SESSIONS_STREAM, before);
    } catch (error) {
      if (!this.running.closed) logger.error('Failed to delete expired sign-outs; retrying in an hour', { error });
    }
  }

  /**
   * Checked first, because a store may scan the whole log for an unknown stream. The age of a damaged event is unknown,
   * so the store decides.
   */
  private async mayStartBefore(before: number): Promise<boolean> {
    try {
      const [oldest] = await this.parts.log.readStream(PORTAL_SESSIONS_STREAM, 0, 1);
      return oldest !== undefined && oldest.recordedAt < before;
    } catch (error) {
      if (isDamagedEvent(error)) return true;
      throw error;
    }
  }
}
