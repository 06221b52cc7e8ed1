import { setTimeout as pause } from 'node:timers/promises';
import type { EndedSessions } from '../auth/portal/ended-sessions.js';
import type { TokenMembers } from '../auth/token-members.js';
import { withTimeout } from '../http/limits/response-timeout.js';
import type { Logger } from '../self-telemetry/logger.js';
import { type DamagedEvent, isDamagedEvent } from '../streams/damaged-event.js';
import type { EventReader, Revision } from '../streams/event-store.js';
import type { PortalSessionEnded } from '../streams/events/portal-session-events.js';
import type { TokenMembershipsSeen } from '../streams/events/token-membership-events.js';
import { PORTAL_SESSIONS_STREAM } from '../streams/stream-names.js';
import type { ServiceParts } from './service-parts.js';
import { isLogEmbedded } from './engines/engine-settings.js';

const BATCH_EVENTS = 1_000;
/** Interval (ms): half of the second within which a sign-out must take effect in every process. */
const POLL_INTERVAL_MS = 500;

export interface SignOutPollerParts {
  readonly log: Pick<EventReader, 'readStream'>;
  readonly ended: Pick<EndedSessions, 'apply' | 'markCaughtUp' | 'retryUnrecorded'>;
  readonly tokenMembers: Pick<TokenMembers, 'apply' | 'recordUnrecorded'>;
  /** Whether other processes append to this log: polling then never ends. Otherwise it ends with the first success. */
  readonly isShared: boolean;
  /** Called after new sign-outs were read. */
  readonly onSignOut: () => void;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /**
   * Time (ms) after which a read is abandoned, logged and retried, as stores may hang for half a minute; the start waits
   * as long for the first poll. Until a poll succeeds, portal sessions are refused as `unavailable`.
   */
  readonly timeoutMs: number;
}

/**
 * Reads sign-outs and memberships by token from their stream, first from its beginning (`SignOutCleanup` keeps little more than a week), then by
 * polling. A poll is one read of the new events; unlike a subscription, a hanging read is noticed within `timeoutMs`. Sign-outs
 * that this process could not append are retried at the same interval, and memberships by token appended.
 */
export class SignOutPoller {
  private next: Revision = 0;
  private hasSucceeded = false;
  private isFailing = false;

  constructor(private readonly parts: SignOutPollerParts) {}

  /** Resolves after the first poll or `timeoutMs`, whichever comes first. Polling continues until `signal` is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    const first = this.tryPoll(signal);
    void first.then(() => this.pollUntilAborted(signal));
    await Promise.race([first, pause(this.parts.timeoutMs, undefined, { ref: false })]);
  }

  /** Reads all events since the last poll, skipping damaged ones. Rejects when the log cannot be read. */
  private async poll(): Promise<void> {
    const { ended, onSignOut } = this.parts;
    const [before, damaged]: [Revision, DamagedEvent[]] = [this.next, []];
    try {
      for (let limit = BATCH_EVENTS, hasMore = true; hasMore;) {
        try {
          hasMore = (await this.readBatch(limit)) === limit;
        } catch (error) {
          if (!isDamagedEvent(error) || error.revision === undefined) throw error;
          if (limit === 1) {
            if (this.next > 0 && error.revision !== this.next) throw error; // a gap after the first event: the stream index is damaged as well
            this.next = error.revision + 1;
            damaged.push(error);
          }
          limit = limit === 1 ? BATCH_EVENTS : 1; // reading one by one skips only the damaged event
        }
      }
      ended.markCaughtUp();
    } finally {
      if (damaged.length > 0) this.reportDamaged(damaged);
      if (this.next > before) onSignOut();
    }
  }

  /** Resolves to the number of events read. */
  private async readBatch(limit: number): Promise<number> {
    const events = await withTimeout(
      this.parts.timeoutMs,
      this.parts.log.readStream(PORTAL_SESSIONS_STREAM, this.next, limit),
    );
    for (const { type, data, revision } of events) {
      if (type === ('PortalSessionEnded.v1' satisfies PortalSessionEnded['type']))
        this.parts.ended.apply(data as PortalSessionEnded['data']);
      if (type === ('TokenMembershipsSeen.v1' satisfies TokenMembershipsSeen['type']))
        this.parts.tokenMembers.apply(data as TokenMembershipsSeen['data']);
      this.next = revision + 1;
    }
    return events.length;
  }

  /** One log line for all: a damaged page may hold many events. */
  private reportDamaged([first, ...others]: readonly DamagedEvent[]): void {
    this.parts.logger.error(
      'Sign-out events in the log are damaged; copied cookies of those sessions may be accepted again',
      { count: 1 + others.length, error: first },
    );
  }

  private async pollUntilAborted(signal: AbortSignal): Promise<void> {
    const { isShared } = this.parts;
    while (!signal.aborted) {
      await pause(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      // Not awaited: a log that rejects appends must not delay polling.
      void this.retryRecording();
      void this.parts.tokenMembers.recordUnrecorded();
      if (isShared || !this.hasSucceeded) await this.tryPoll(signal);
    }
  }

  private async tryPoll(signal: AbortSignal): Promise<void> {
    try {
      await this.poll();
      [this.hasSucceeded, this.isFailing] = [true, false];
    } catch (error) {
      if (!this.isFailing && !signal.aborted) this.reportUnreadable(error);
      this.isFailing = true;
    }
  }

  private reportUnreadable(error: unknown): void {
    const { logger } = this.parts;
    if (this.hasSucceeded) logger.warn('Cannot read sign-outs from the event log; retrying', { error });
    else
      logger.error(
        'Cannot read sign-outs from the event log; portal sessions are refused until it succeeds; retrying',
        { error },
      );
  }

  private async retryRecording(): Promise<void> {
    const recorded = await this.parts.ended.retryUnrecorded();
    if (recorded > 0) this.parts.logger.info('Appended sign-outs that had failed before', { recorded });
  }
}

/**
 * Starts the poller in processes that serve the API. Resolves, after the first poll or its timeout, to a function that
 * stops it and appends what is left.
 */
export async function startSignOutPoller({
  settings,
  eventStore: log,
  endedSessions: ended,
  tokenMembers,
  live,
  log: logger,
}: Pick<ServiceParts, 'settings' | 'eventStore' | 'endedSessions' | 'tokenMembers' | 'live' | 'log'>): Promise<
  () => Promise<void>
> {
  const abort = new AbortController();
  if (settings.roles.has('api'))
    await new SignOutPoller({
      log,
      ended,
      tokenMembers,
      isShared: !isLogEmbedded(settings),
      onSignOut: () => live.recheckAccess(),
      logger,
      timeoutMs: settings.storeTimeoutMs,
    }).start(abort.signal);
  return async () => {
    abort.abort();
    await withTimeout(settings.storeTimeoutMs, tokenMembers.recordUnrecorded()).catch(() => undefined);
  };
}
