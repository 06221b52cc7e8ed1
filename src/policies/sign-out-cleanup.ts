import { asyncScheduler, concatMap, from, Subscription, timer, type SchedulerLike } from 'rxjs';
import type { Logger } from '../self-telemetry/logger.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import type { EventStore } from '../streams/event-store.js';
import { PORTAL_SESSIONS_STREAM } from '../streams/stream-names.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface SignOutCleanupParts {
  readonly log: Pick<EventStore, 'readStream' | 'truncate'>;
  /** The longest (ms) that a session lives. */
  readonly sessionMs: number;
  /** Whether it is this process that tidies for all; two at once do no harm. */
  readonly isMine: () => boolean;
  readonly logger: Pick<Logger, 'error'>;
  readonly scheduler?: SchedulerLike;
}

/** Keeps the stream of sign-outs short, since every start reads it: whose session would be over has nothing left to be refused, and leaves the log. */
export class SignOutCleanup {
  private readonly running = new Subscription();

  constructor(private readonly parts: SignOutCleanupParts) {}

  /** Acts now and each hour. */
  start(): void {
    const { scheduler = asyncScheduler } = this.parts;
    this.running.add(
      timer(0, HOUR_MS, scheduler)
        .pipe(concatMap(() => from(this.cleanUp(scheduler.now()))))
        .subscribe(),
    );
  }

  /** A truncation under way is left to its store, which ends it when it is closed. Legal twice. */
  async stop(): Promise<void> {
    this.running.unsubscribe();
  }

  /** A day more than sessions live: clocks of processes differ. */
  private async cleanUp(now: number): Promise<void> {
    const { log, sessionMs, isMine, logger } = this.parts;
    if (!isMine()) return;
    const before = now - sessionMs - DAY_MS;
    try {
      if (await this.mayBeginBefore(before)) await log.truncate(PORTAL_SESSIONS_STREAM, before);
    } catch (error) {
      if (!this.running.closed)
        logger.error('old sign-outs could not be let go and will be tried again in an hour', { error });
    }
  }

  /** Asked first, since a store may look through the whole log for a stream that it does not know. How old a damaged event is, nobody knows: the store finds out. */
  private async mayBeginBefore(before: number): Promise<boolean> {
    try {
      const [oldest] = await this.parts.log.readStream(PORTAL_SESSIONS_STREAM, 0, 1);
      return oldest !== undefined && oldest.recordedAt < before;
    } catch (error) {
      if (isDamagedEvent(error)) return true;
      throw error;
    }
  }
}
