import { setMaxListeners } from 'node:events';
import type { NotificationCommand } from '../commands/notifications/notification-decider.js';
import type { NotificationSettings } from '../commands/notifications/notification-settings-decider.js';
import { isAttemptDue, type NotificationState } from '../commands/notifications/notification-state.js';
import type { CommandHandler } from '../commands/handle-command.js';
import type { ChannelSecret } from '../notifications/notification-model.js';
import { SendFailure, type NotificationSender, type OpenChannel } from '../notifications/notification-sender.js';
import { composeMessage, type MessageComposerParts } from './message-composer.js';
import type { PendingNotification, StoredChannel } from '../streams/events/notification-events.js';
import { notificationsStream } from '../streams/stream-names.js';

/** Attempts in progress at once, over all channels of the process. */
const MAX_ATTEMPTS = 64;
/** Those of one Grid, so that hanging receivers do not use up the attempts of others. */
const MAX_ATTEMPTS_OF_A_GRID = 8;
/** How much longer (ms) than its attempt a claim lasts: time to record the result. */
const CLAIM_MARGIN_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
const GIVE_UP_MS = 86_400_000;

export interface NotificationDispatcherParts extends MessageComposerParts {
  readonly notifications: CommandHandler<NotificationCommand, unknown, NotificationState>;
  readonly senders: Readonly<Record<'http' | 'email', NotificationSender>>;
  /** Rejects with `unavailable` if the secret cannot be opened. */
  openSecret(gridId: string, channelId: string, sealed: string): Promise<ChannelSecret>;
  /** Names this process in claims. */
  readonly processId: string;
  /** No other process uses this log. */
  readonly isAlone: boolean;
  readonly attemptTimeoutMs?: number;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Outcome of an attempt. */
type Outcome =
  | { readonly type: 'RecordDelivered'; readonly status: number; readonly answer: string }
  | { readonly type: 'RecordFailed'; readonly error: string; readonly retryAt: number | null };

/** What is pending in a Grid. */
interface Work {
  readonly gridId: string;
  /** By channel, in the order of the requests. */
  readonly queues: ReadonlyMap<string, readonly PendingNotification[]>;
  readonly settings: NotificationSettings;
}

/**
 * Delivers notifications: one at a time for each channel, in their order, and from the Grids in turn, so that a receiver
 * that hangs delays no other Grid. An attempt is claimed in the log before it is made, so that only one process makes
 * it; after a crash the claim lapses and the notification is sent again under the same key.
 */
export class NotificationDispatcher {
  private readonly stopping = new AbortController();
  /** By Grid and channel. */
  private readonly attempts = new Map<string, Map<string, Promise<void>>>();
  private attemptCount = 0;
  /** Grids that may have something due, in the order of their turns. */
  private readonly turns = new Map<string, Work>();
  /** The newest settings of Grids with something pending. */
  private readonly settings = new Map<string, NotificationSettings>();

  constructor(private readonly parts: NotificationDispatcherParts) {
    setMaxListeners(MAX_ATTEMPTS + 1, this.stopping.signal);
  }

  /** Starts what is due, at once or when it is the turn of this Grid, and returns at once. */
  dispatch(gridId: string, state: NotificationState, settings: NotificationSettings): void {
    this.settings.set(gridId, settings);
    this.renew(gridId, state);
    this.startDue();
  }

  /** Sets what is pending in a Grid. One that waits keeps its place. */
  private renew(gridId: string, state: NotificationState): void {
    const settings = this.settings.get(gridId);
    if (settings !== undefined && state.pending.size > 0)
      this.turns.set(gridId, { gridId, queues: groupByChannel(state), settings });
    else {
      this.turns.delete(gridId);
      this.settings.delete(gridId);
    }
  }

  private startDue(): void {
    while (this.attemptCount < MAX_ATTEMPTS && !this.stopping.signal.aborted) {
      const [work] = this.turns.values();
      if (work === undefined) return;
      this.turns.delete(work.gridId);
      if (this.startNext(work)) this.turns.set(work.gridId, work);
    }
  }

  /** Starts one attempt; false if there is none to start. */
  private startNext({ gridId, queues, settings }: Work): boolean {
    const ofGrid = this.attempts.get(gridId) ?? new Map<string, Promise<void>>();
    if (ofGrid.size >= MAX_ATTEMPTS_OF_A_GRID) return false;
    const due = [...queues].find(([channelId, [next]]) => !ofGrid.has(channelId) && this.isDue(next));
    if (due === undefined) return false;
    const [channelId, queue] = due;
    const attempt = this.attempt(queue[0], settings.channel.get(channelId))
      .catch((error: unknown) =>
        this.parts.logger.error('Cannot record the result of a notification; it will be sent again', { error }),
      )
      .finally(() => this.endAttempt(gridId, channelId));
    this.attempts.set(gridId, ofGrid.set(channelId, attempt));
    this.attemptCount += 1;
    return true;
  }

  private endAttempt(gridId: string, channelId: string): void {
    const ofGrid = this.attempts.get(gridId);
    ofGrid?.delete(channelId);
    if (ofGrid?.size === 0) this.attempts.delete(gridId);
    this.attemptCount -= 1;
    this.startDue();
  }

  /** Ends attempts in progress; they are repeated after the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.attempts.values()].flatMap((ofGrid) => [...ofGrid.values()]));
  }

  private isDue(pending: PendingNotification): boolean {
    const { now, isAlone, processId: by } = this.parts;
    return isAttemptDue(pending, { by, isAlone, at: now() });
  }

  private async attempt(pending: PendingNotification, channel: StoredChannel | undefined): Promise<void> {
    const { notifications, now, processId: by, isAlone, attemptTimeoutMs = 10_000 } = this.parts;
    const { gridId, key } = pending;
    const stream = notificationsStream(gridId);
    const until = now() + attemptTimeoutMs + CLAIM_MARGIN_MS;
    const claim = { type: 'StartAttempt', gridId, key, by, at: now(), until, isAlone } as const;
    const { events, state } = await notifications(stream, claim);
    if (events.length === 0) return;
    const attempt = state.pending.get(key)?.attempts ?? 1;
    const outcome = await this.send(pending, attempt, channel, attemptTimeoutMs);
    if (outcome === undefined) return;
    const { state: after } = await notifications(stream, { gridId, key, attempt, at: now(), ...outcome });
    this.logOutcome(pending, attempt, outcome);
    this.renew(gridId, after);
  }

  /** Undefined if the service stops meanwhile: the outcome is unknown. */
  private async send(
    pending: PendingNotification,
    attempt: number,
    channel: StoredChannel | undefined,
    timeoutMs: number,
  ): Promise<Outcome | undefined> {
    const { senders } = this.parts;
    if (channel === undefined) return giveUp('The channel has been deleted.');
    const stopped = this.stopping.signal;
    const deadline = startDeadline(stopped, timeoutMs);
    try {
      const sender = channel.type === 'email' ? senders.email : senders.http;
      const content = await composeMessage(this.parts, pending, channel);
      const open = await this.openChannel(pending.gridId, channel);
      const { status, answer } = await sender.send(open, content, deadline.signal);
      return { type: 'RecordDelivered', status, answer };
    } catch (error) {
      if (stopped.aborted) return undefined;
      return this.toFailure(error, pending, attempt);
    } finally {
      deadline.clear();
    }
  }

  private async openChannel(gridId: string, channel: StoredChannel): Promise<OpenChannel> {
    const { id, name, type, recipients, sealed } = channel;
    const secret = sealed === undefined ? {} : await this.parts.openSecret(gridId, id, sealed);
    return { name, type: type as OpenChannel['type'], recipients, ...secret };
  }

  private toFailure(error: unknown, { at: requestedAt }: PendingNotification, attempt: number): Outcome {
    const { now, random } = this.parts;
    const message = error instanceof Error ? error.message : String(error);
    const { isUseful, afterMs } = error instanceof SendFailure ? error.retry : { isUseful: true, afterMs: undefined };
    const retryAt = now() + computeRetryDelay(attempt, afterMs, random());
    return isUseful && retryAt < requestedAt + GIVE_UP_MS
      ? { type: 'RecordFailed', error: message, retryAt }
      : giveUp(message);
  }

  private logOutcome({ gridId, channelId, key, reason }: PendingNotification, attempt: number, outcome: Outcome): void {
    const fields = { gridId, channelId, key, reason, attempt };
    if (outcome.type === 'RecordDelivered') this.parts.logger.info('Notification delivered', fields);
    else if (outcome.retryAt === null) this.parts.logger.warn('Notification failed; no more retries', fields);
    else this.parts.logger.info('Notification failed; retrying', fields);
  }
}

/**
 * Aborts after this time, or with `stopped`. Not `AbortSignal.any` of an `AbortSignal.timeout`: nothing but weak
 * references leads to that one, so that it is collected and never aborts (Node 20).
 */
function startDeadline(stopped: AbortSignal, timeoutMs: number): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  stopped.addEventListener('abort', abort, { once: true });
  if (stopped.aborted) abort();
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      stopped.removeEventListener('abort', abort);
    },
  };
}

function giveUp(error: string): Outcome {
  return { type: 'RecordFailed', error, retryAt: null };
}

/**
 * Milliseconds until the next attempt: doubled each time up to five minutes, less up to half of it, so that channels of
 * one receiver do not come back together. At least what the receiver asks for, up to an hour.
 */
export function computeRetryDelay(attempt: number, afterMs: number | undefined, random: number): number {
  const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
  const jittered = Math.round(backoff * (1 - random / 2));
  return Math.max(jittered, Math.min(afterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

function groupByChannel({ pending }: NotificationState): ReadonlyMap<string, readonly PendingNotification[]> {
  const queues = new Map<string, PendingNotification[]>();
  for (const notification of pending.values()) {
    const queue = queues.get(notification.channelId);
    if (queue === undefined) queues.set(notification.channelId, [notification]);
    else queue.push(notification);
  }
  return queues;
}
