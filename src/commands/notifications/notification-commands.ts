import type {
  ChannelSecret,
  NewChannel,
  NewNotificationRoute,
  NewSilence,
} from '../../notifications/notification-model.js';
import type {
  StoredChannel,
  StoredNotificationRoute,
  StoredSilence,
} from '../../streams/events/notification-events.js';
import { alertsStream, gridStream, notificationsStream } from '../../streams/stream-names.js';
import type { AlertCommand } from '../alerts/alert-decider.js';
import type { Precondition } from '../decider.js';
import type { CommandReceipt } from '../grids/grid-commands.js';
import type { CommandHandler } from '../handle-command.js';
import { HindsightError } from '../../errors.js';
import { findMissingSecret, validateChannel } from './channel-validation.js';
import type { NotificationCommand } from './notification-decider.js';
import { isOpenDiagnosis, type NotificationState } from './notification-state.js';
import type {
  ChannelDraft,
  NotificationSettings,
  NotificationSettingsCommand,
} from './notification-settings-decider.js';

/** Encrypts the secret of a channel so that it opens only for this channel. Rejects with `unavailable` without a key. */
export type SealSecret = (channel: string, secret: ChannelSecret) => Promise<string>;

/** When the definition was created, as its event says. */
interface Created {
  readonly createdAt: number;
}

/**
 * Commands on the notifications of a Grid. `actor` is the caller's id. Each rejects with the code of the violated rule:
 * `invalid-request` with all field errors, `not-found`, `conflict`, or `precondition-failed` if `onlyIf` does not hold.
 */
export interface NotificationCommands {
  createChannel(
    actor: string,
    gridId: string,
    channel: NewChannel,
  ): Promise<CommandReceipt & Created & { channel: StoredChannel }>;
  /** Replaces the channel. If none of its secrets is given, all are kept; else those that are absent are dropped. */
  changeChannel(
    actor: string,
    gridId: string,
    channel: NewChannel & { readonly id: string },
    onlyIf?: Precondition<StoredChannel>,
  ): Promise<CommandReceipt & { channel: StoredChannel }>;
  createRoute(
    actor: string,
    gridId: string,
    route: NewNotificationRoute,
  ): Promise<CommandReceipt & Created & { route: StoredNotificationRoute }>;
  changeRoute(
    actor: string,
    gridId: string,
    route: StoredNotificationRoute,
    onlyIf?: Precondition<StoredNotificationRoute>,
  ): Promise<CommandReceipt & { route: StoredNotificationRoute }>;
  createSilence(
    actor: string,
    gridId: string,
    silence: NewSilence,
  ): Promise<CommandReceipt & Created & { silence: StoredSilence }>;
  changeSilence(
    actor: string,
    gridId: string,
    silence: StoredSilence,
    onlyIf?: Precondition<StoredSilence>,
  ): Promise<CommandReceipt & { silence: StoredSilence }>;
  remove(
    actor: string,
    gridId: string,
    kind: 'channel' | 'route' | 'silence',
    id: string,
    onlyIf?: Precondition<never>,
  ): Promise<CommandReceipt>;
  /** Requests the delivery of a test message. */
  testChannel(gridId: string, channelId: string): Promise<CommandReceipt & { key: string }>;
  acknowledge(actor: string, gridId: string, alertId: string): Promise<CommandReceipt>;
}

export interface NotificationCommandsOptions {
  readonly settings: CommandHandler<NotificationSettingsCommand, unknown, NotificationSettings>;
  readonly notifications: CommandHandler<NotificationCommand, unknown, NotificationState>;
  readonly alerts: CommandHandler<AlertCommand, unknown>;
  readonly seal: SealSecret;
  /** UUID. */
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createNotificationCommands(options: NotificationCommandsOptions): NotificationCommands {
  const { settings, notifications, alerts, seal, newId, now } = options;
  const run = (command: NotificationSettingsCommand) => settings(gridStream(command.gridId), command);
  const by = (actor: string, gridId: string) => ({ actor, at: now(), gridId });
  const requireStored = <T>(found: T | undefined): T => {
    if (found === undefined) throw new Error('The command has not stored the definition.');
    return found;
  };
  const draft = (gridId: string, channel: NewChannel & { readonly id: string }) => toDraft(gridId, channel, seal);
  return {
    async createChannel(actor, gridId, channel) {
      const definition = await draft(gridId, { ...channel, id: newId() });
      const author = by(actor, gridId);
      const { position, state } = await run({ ...author, type: 'Create', kind: 'channel', definition });
      return { position, createdAt: author.at, channel: requireStored(state.channel.get(definition.id)) };
    },
    async changeChannel(actor, gridId, channel, onlyIf) {
      const definition = await draft(gridId, channel);
      const { position, state } = await run({
        ...by(actor, gridId),
        type: 'Change',
        kind: 'channel',
        definition,
        onlyIf,
      });
      return { position, channel: requireStored(state.channel.get(definition.id)) };
    },
    async createRoute(actor, gridId, route) {
      const definition = { ...route, id: newId() };
      const author = by(actor, gridId);
      const { position } = await run({ ...author, type: 'Create', kind: 'route', definition });
      return { position, createdAt: author.at, route: definition };
    },
    async changeRoute(actor, gridId, route, onlyIf) {
      const definition = route as NewNotificationRoute & { readonly id: string };
      const { position } = await run({ ...by(actor, gridId), type: 'Change', kind: 'route', definition, onlyIf });
      return { position, route };
    },
    async createSilence(actor, gridId, silence) {
      const definition = { ...silence, id: newId() };
      const author = by(actor, gridId);
      const { position } = await run({ ...author, type: 'Create', kind: 'silence', definition });
      return { position, createdAt: author.at, silence: definition };
    },
    async changeSilence(actor, gridId, silence, onlyIf) {
      const definition = silence as NewSilence & { readonly id: string };
      const { position } = await run({ ...by(actor, gridId), type: 'Change', kind: 'silence', definition, onlyIf });
      return { position, silence };
    },
    async remove(actor, gridId, kind, id, onlyIf) {
      const { position } = await run({
        ...by(actor, gridId),
        type: 'Delete',
        kind,
        id,
        onlyIf,
      } as NotificationSettingsCommand);
      return { position };
    },
    async testChannel(gridId, channelId) {
      const { state } = await settings(gridStream(gridId));
      if (!state.channel.has(channelId)) throw new HindsightError('not-found', 'The Grid has no channel with this id.');
      const key = newId();
      const test = { type: 'RequestTest', gridId, channelId, key, at: now() } as const;
      const { position } = await notifications(notificationsStream(gridId), test);
      return { position, key };
    },
    async acknowledge(actor, gridId, alertId) {
      const { state } = await notifications(notificationsStream(gridId));
      const { position } = isOpenDiagnosis(state, alertId)
        ? await notifications(notificationsStream(gridId), { type: 'AcknowledgeDiagnosis', gridId, at: now(), alertId })
        : await alerts(alertsStream(gridId), { ...by(actor, gridId), type: 'Acknowledge', alertId });
      return { position };
    },
  };
}

/** Encrypts the secret that was sent if it is valid and complete: the decider refuses everything else. */
async function toDraft(
  gridId: string,
  channel: NewChannel & { readonly id: string },
  seal: SealSecret,
): Promise<ChannelDraft> {
  const { url, token, routingKey } = channel;
  const secret: ChannelSecret = {
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
    ...(routingKey !== undefined && { routingKey }),
  };
  const isSent = Object.keys(secret).length > 0;
  if (!isSent || validateChannel(channel).length > 0) return { ...channel, target: '' };
  const missing = findMissingSecret(channel.type, secret);
  if (missing.length > 0) throw new HindsightError('invalid-request', 'The channel is invalid.', missing);
  const target = url === undefined ? '' : new URL(url).origin;
  return { ...channel, target, sealed: await seal(sealContext(gridId, channel.id), secret) };
}

/** What a sealed secret is bound to. */
export function sealContext(gridId: string, channelId: string): string {
  return `${gridId}/${channelId}`;
}
