import { setTimeout as pause } from 'node:timers/promises';
import type { EndedSessions } from '../auth/portal/ended-sessions.js';
import type { Logger } from '../log.js';
import { isDamagedEvent } from '../streams/damaged-event.js';
import type { EventReader, Revision } from '../streams/event-store.js';
import type { PortalSessionEnded } from '../streams/events/portal-session-events.js';
import { PORTAL_SESSIONS_STREAM } from '../streams/stream-names.js';

const EVENTS_AT_ONCE = 1_000;
/** Half of the second within which a sign-out counts in other processes. */
const LOOK_EVERY_MS = 500;
/** So long (ms) a start waits for the log at most; until it is heard, sessions are refused as `unavailable`. */
const FIRST_LOOK_MS = 2_000;

export interface HeardSignOutsParts {
  readonly log: Pick<EventReader, 'readStream'>;
  readonly ended: Pick<EndedSessions, 'hear' | 'caughtUp'>;
  /** Whether other processes write this log, too: then it is looked at for as long as this one lives. */
  readonly isShared: boolean;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Hears who has signed out, from the one stream of sign-outs. It is read from its beginning, which lies little more than a week back
 * (`SignOutTidying`), and then by looking: a look costs one read of what is new, and cannot hang without a word as a subscription may.
 */
export class HeardSignOuts {
  private next: Revision = 0;
  private isFailing = false;

  constructor(private readonly parts: HeardSignOutsParts) {}

  /** Resolves after the first look, or 2 s, whichever comes first. Goes on until `signal` is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    const first = this.attempt(signal);
    void first.then((isHeard) => this.follow(isHeard, signal));
    await Promise.race([first, pause(FIRST_LOOK_MS, undefined, { ref: false })]);
  }

  /** All that came since the last look. Rejects where the log cannot be read. */
  async look(): Promise<void> {
    const { log, ended } = this.parts;
    for (let limit = EVENTS_AT_ONCE; ;) {
      try {
        const events = await log.readStream(PORTAL_SESSIONS_STREAM, this.next, limit);
        for (const { type, data, revision } of events) {
          if (type === ('PortalSessionEnded.v1' satisfies PortalSessionEnded['type'])) ended.hear(data as PortalSessionEnded['data']);
          this.next = revision + 1;
        }
        if (events.length < limit) break;
      } catch (error) {
        if (!isDamagedEvent(error)) throw error;
        if (limit === 1) this.passDamaged(error);
        limit = 1; // one by one, all but the damaged one are heard
      }
    }
    ended.caughtUp();
  }

  private passDamaged(error: unknown): void {
    this.parts.logger.error('a sign-out in the log is damaged: a copy of the cookie of that session may count again', { revision: this.next, error });
    this.next += 1;
  }

  private async follow(isHeard: boolean, signal: AbortSignal): Promise<void> {
    let isDone = isHeard && !this.parts.isShared;
    while (!isDone && !signal.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      isDone = !signal.aborted && (await this.attempt(signal)) && !this.parts.isShared;
    }
  }

  private async attempt(signal: AbortSignal): Promise<boolean> {
    try {
      await this.look();
      this.isFailing = false;
      return true;
    } catch (error) {
      if (!this.isFailing && !signal.aborted) this.parts.logger.warn('who has signed out cannot be heard from the log, which will be tried again', { error });
      this.isFailing = true;
      return false;
    }
  }
}
