import { setTimeout as pause } from 'node:timers/promises';
import type { EndedSessions } from '../auth/portal/ended-sessions.js';
import { withTimeout } from '../http/limits/response-timeout.js';
import type { Logger } from '../self-telemetry/logger.js';
import { type DamagedEvent, isDamagedEvent } from '../streams/damaged-event.js';
import type { EventReader, Revision } from '../streams/event-store.js';
import type { PortalSessionEnded } from '../streams/events/portal-session-events.js';
import { PORTAL_SESSIONS_STREAM } from '../streams/stream-names.js';
import type { ServiceParts } from './composition.js';
import { isLogEmbedded } from './engines/engine-settings.js';

const BATCH_EVENTS = 1_000;
/** Half of the second within which a sign-out counts in other processes. */
const POLL_INTERVAL_MS = 500;
/** A reading that takes longer (ms) is given up, told, and begun again: stores may hang for half a minute. */
const READ_TIMEOUT_MS = 2_000;
/** So long (ms) a start waits for the log at most; until it is heard, sessions are refused as `unavailable`. */
const FIRST_POLL_TIMEOUT_MS = 2_000;

export interface SignOutPollerParts {
  readonly log: Pick<EventReader, 'readStream'>;
  readonly ended: Pick<EndedSessions, 'apply' | 'markCaughtUp' | 'retryUnrecorded'>;
  /** Whether other processes write this log, too: then it is looked at for as long as this one lives. */
  readonly isShared: boolean;
  /** Somebody has signed out. */
  readonly changed: () => void;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/**
 * Hears who has signed out, from the one stream of sign-outs. It is read from its beginning, which lies little more than a week back
 * (`SignOutTidying`), and then by looking: a look costs one read of what is new, and a read that hangs is told within 2 s, where a
 * subscription may hang without a word. What the log could not take from this process is offered to it again as often.
 */
export class SignOutPoller {
  private next: Revision = 0;
  private hasHeard = false;
  private isFailing = false;

  constructor(private readonly parts: SignOutPollerParts) {}

  /** Resolves after the first look, or 2 s, whichever comes first. Goes on until `signal` is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    const first = this.tryPoll(signal);
    void first.then(() => this.pollUntilAborted(signal));
    await Promise.race([first, pause(FIRST_POLL_TIMEOUT_MS, undefined, { ref: false })]);
  }

  /** All that came since the last look. Rejects where the log cannot be read. */
  private async poll(): Promise<void> {
    const { ended, changed } = this.parts;
    const [before, damaged]: [Revision, DamagedEvent[]] = [this.next, []];
    try {
      for (let limit = BATCH_EVENTS, isMore = true; isMore;) {
        try {
          isMore = (await this.readBatch(limit)) === limit;
        } catch (error) {
          if (!isDamagedEvent(error) || error.revision === undefined) throw error;
          if (limit === 1) {
            if (this.next > 0 && error.revision !== this.next) throw error; // a hole that is not before the first: the index has rotted, too
            this.next = error.revision + 1;
            damaged.push(error);
          }
          limit = limit === 1 ? BATCH_EVENTS : 1; // one by one, all but the damaged one are heard
        }
      }
      ended.markCaughtUp();
    } finally {
      if (damaged.length > 0) this.reportDamaged(damaged);
      if (this.next > before) changed();
    }
  }

  /** How many events were read. */
  private async readBatch(limit: number): Promise<number> {
    const events = await withTimeout(
      READ_TIMEOUT_MS,
      this.parts.log.readStream(PORTAL_SESSIONS_STREAM, this.next, limit),
    );
    for (const { type, data, revision } of events) {
      if (type === ('PortalSessionEnded.v1' satisfies PortalSessionEnded['type']))
        this.parts.ended.apply(data as PortalSessionEnded['data']);
      this.next = revision + 1;
    }
    return events.length;
  }

  /** One line for all: a broken page may hold many. */
  private reportDamaged([first, ...others]: readonly DamagedEvent[]): void {
    this.parts.logger.error(
      'sign-outs in the log are damaged: copies of the cookies of those sessions may count again',
      { count: 1 + others.length, error: first },
    );
  }

  private async pollUntilAborted(signal: AbortSignal): Promise<void> {
    const { isShared } = this.parts;
    while (!signal.aborted) {
      await pause(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      void this.retryRecording(); // looks do not wait for a log that takes nothing
      if (isShared || !this.hasHeard) await this.tryPoll(signal);
    }
  }

  private async tryPoll(signal: AbortSignal): Promise<void> {
    try {
      await this.poll();
      [this.hasHeard, this.isFailing] = [true, false];
    } catch (error) {
      if (!this.isFailing && !signal.aborted) this.reportUnreadable(error);
      this.isFailing = true;
    }
  }

  private reportUnreadable(error: unknown): void {
    const { logger } = this.parts;
    if (this.hasHeard)
      logger.warn('who has signed out cannot be heard from the log, which will be tried again', { error });
    else
      logger.error(
        'who has signed out cannot be heard from the log: nobody gets into the portal until it is; it will be tried again',
        { error },
      );
  }

  private async retryRecording(): Promise<void> {
    const recorded = await this.parts.ended.retryUnrecorded();
    if (recorded > 0)
      this.parts.logger.info('sign-outs that could not be written to the log are there now', { recorded });
  }
}

/** Who signs out anywhere is out here, as long as this process takes sessions at all. Resolves, before anybody is answered, to how to end it. */
export async function startSignOutPoller({
  settings,
  eventStore: log,
  endedSessions: ended,
  live,
  log: logger,
}: Pick<ServiceParts, 'settings' | 'eventStore' | 'endedSessions' | 'live' | 'log'>): Promise<() => void> {
  const stopping = new AbortController();
  if (settings.roles.has('api'))
    await new SignOutPoller({
      log,
      ended,
      isShared: !isLogEmbedded(settings),
      changed: () => live.recheckAccess(),
      logger,
    }).start(stopping.signal);
  return () => stopping.abort();
}
