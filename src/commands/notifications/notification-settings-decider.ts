import {
  NOTIFICATION_BOUNDS,
  type NewChannel,
  type NewNotificationRoute,
  type NewSilence,
} from '../../notifications/notification-model.js';
import type { Authored, GridEvent } from '../../streams/events/grid-events.js';
import type {
  NotificationSettingsEvent,
  StoredChannel,
  StoredNotificationRoute,
  StoredSilence,
} from '../../streams/events/notification-events.js';
import {
  type Decider,
  type Decision,
  type Precondition,
  reject,
  rejectChangedMeanwhile,
  type Rejection,
} from '../decider.js';
import type { FieldError } from '../../errors.js';
import { findMissingSecret, validateChannel } from './channel-validation.js';
import { validateRoute, validateSilence } from './route-validation.js';

type WithId<T> = T & { readonly id: string };
/** A channel to store. `sealed` is absent if its author sent no secret. */
export type ChannelDraft = WithId<NewChannel> & { readonly target: string; readonly sealed?: string };

interface Definitions {
  readonly channel: ChannelDraft;
  readonly route: WithId<NewNotificationRoute>;
  readonly silence: WithId<NewSilence>;
}
interface Stored {
  readonly channel: StoredChannel;
  readonly route: StoredNotificationRoute;
  readonly silence: StoredSilence;
}
export type NotificationSettingKind = keyof Definitions;

type CommandOf<Kind extends NotificationSettingKind> = Authored & { readonly gridId: string; readonly kind: Kind } & (
    | { readonly type: 'Create'; readonly definition: Definitions[Kind] }
    | {
        readonly type: 'Change';
        readonly definition: Definitions[Kind];
        readonly onlyIf?: Precondition<Stored[Kind]> | undefined;
      }
    | { readonly type: 'Delete'; readonly id: string; readonly onlyIf?: Precondition<Stored[Kind]> | undefined }
  );
export type NotificationSettingsCommand = CommandOf<'channel'> | CommandOf<'route'> | CommandOf<'silence'>;

type GridCreated = Extract<GridEvent, { readonly type: 'GridCreated.v1' }>;
type SettingsEvent = GridCreated | NotificationSettingsEvent;

/** A route with the time of its creation: alerts that fired before are not its own. */
export type DatedRoute = StoredNotificationRoute & { readonly createdAt: number };

export interface NotificationSettings {
  readonly exists: boolean;
  readonly channel: ReadonlyMap<string, StoredChannel>;
  readonly route: ReadonlyMap<string, DatedRoute>;
  readonly silence: ReadonlyMap<string, StoredSilence>;
}

const eventTypes: ReadonlySet<string> = new Set<SettingsEvent['type']>([
  'GridCreated.v1',
  'ChannelCreated.v1',
  'ChannelChanged.v1',
  'ChannelDeleted.v1',
  'NotificationRouteCreated.v1',
  'NotificationRouteChanged.v1',
  'NotificationRouteDeleted.v1',
  'SilenceCreated.v1',
  'SilenceChanged.v1',
  'SilenceDeleted.v1',
]);
const NOUNS: Readonly<Record<NotificationSettingKind, string>> = {
  channel: 'channel',
  route: 'notification route',
  silence: 'silence',
};
const MOST: Readonly<Record<NotificationSettingKind, number>> = {
  channel: NOTIFICATION_BOUNDS.channelsOfAGrid,
  route: NOTIFICATION_BOUNDS.routesOfAGrid,
  silence: NOTIFICATION_BOUNDS.silencesOfAGrid,
};

/** Channels, notification routes and silences of a Grid, in the stream of its other settings. */
export const notificationSettingsDecider: Decider<NotificationSettingsCommand, NotificationSettings, SettingsEvent> = {
  eventTypes,
  initialState: { exists: false, channel: new Map(), route: new Map(), silence: new Map() },
  decide,
  evolve,
};

function decide(command: NotificationSettingsCommand, settings: NotificationSettings): Decision<SettingsEvent> {
  if (!settings.exists) return reject('not-found', 'There is no such Grid.');
  if (command.type === 'Create') return decideCreate(command, settings);
  const rejection = findTargetRejection(command, settings);
  if (rejection !== undefined) return rejection;
  if (command.type === 'Delete') return findDeleteRejection(command, settings) ?? [toEvent(command, settings)];
  const errors = validate(command, settings);
  if (errors.length > 0) return rejectInvalid(command.kind, errors);
  const event = toEvent(command, settings);
  return isUnchanged(event, settings) ? [] : [event];
}

function decideCreate(
  command: Extract<NotificationSettingsCommand, { type: 'Create' }>,
  settings: NotificationSettings,
): Decision<SettingsEvent> {
  const { kind, actor, at, gridId } = command;
  const errors = validate(command, settings);
  if (errors.length > 0) return rejectInvalid(kind, errors);
  const event = toEvent(command, settings);
  if (settings[kind].size < MOST[kind]) return [event];
  const oldest = kind === 'silence' ? findOldestEnded(settings, at) : undefined;
  return oldest === undefined
    ? reject('conflict', `A Grid can have at most ${MOST[kind]} ${NOUNS[kind]}s: delete one first.`)
    : [toDeletedEvent('silence', oldest.id, { actor, at, gridId }), event];
}

/** Silences that have ended stay listed until the limit is reached: then the oldest of them is removed for a new one. */
function findOldestEnded({ silence }: NotificationSettings, at: number): StoredSilence | undefined {
  return [...silence.values()].filter(({ endsAt }) => endsAt <= at).sort((one, other) => one.endsAt - other.endsAt)[0];
}

function findTargetRejection(
  command: Exclude<NotificationSettingsCommand, { type: 'Create' }>,
  settings: NotificationSettings,
): Rejection | undefined {
  const { kind } = command;
  const current = settings[kind].get(command.type === 'Delete' ? command.id : command.definition.id);
  if (current === undefined) return reject('not-found', `The Grid has no ${NOUNS[kind]} with this id.`);
  const onlyIf = command.onlyIf as Precondition<unknown> | undefined;
  return onlyIf?.(current) === false ? rejectChangedMeanwhile(NOUNS[kind]) : undefined;
}

/** A route without its channel would deliver nothing, silently. */
function findDeleteRejection(
  { kind, id }: Extract<NotificationSettingsCommand, { type: 'Delete' }>,
  { route }: NotificationSettings,
): Rejection | undefined {
  if (kind !== 'channel') return undefined;
  const user = [...route.values()].find(({ channelIds, escalateTo }) => [...channelIds, ...escalateTo].includes(id));
  return user && reject('conflict', `The route "${user.name}" uses this channel. Change the route first.`);
}

function validate(
  command: Exclude<NotificationSettingsCommand, { type: 'Delete' }>,
  settings: NotificationSettings,
): readonly FieldError[] {
  switch (command.kind) {
    case 'channel':
      return validateStoredChannel(command.definition, settings);
    case 'route':
      return [...validateRoute(command.definition), ...findUnknownChannels(command.definition, settings)];
    case 'silence':
      return validateSilence(command.definition, command.type === 'Create' ? command.at : undefined);
  }
}

function validateStoredChannel(channel: ChannelDraft, settings: NotificationSettings): readonly FieldError[] {
  const errors = validateChannel(channel);
  if (errors.length > 0) return errors;
  // An encrypted secret cannot be read here: a new one was validated when it was sent, and so was a kept one.
  return channel.sealed === undefined && findKeptSecret(channel, settings) === undefined
    ? findMissingSecret(channel.type, {})
    : [];
}

/** The secret of the same channel, unless its type changes: it would be sent to another kind of receiver. */
function findKeptSecret({ id, type }: ChannelDraft, { channel }: NotificationSettings): StoredChannel | undefined {
  const before = channel.get(id);
  return before?.type === type && before.sealed !== undefined ? before : undefined;
}

function findUnknownChannels(
  { channelIds, escalateTo }: NewNotificationRoute,
  { channel }: NotificationSettings,
): FieldError[] {
  const check = (field: string, ids: unknown): FieldError[] =>
    Array.isArray(ids) && ids.some((id) => !channel.has(id as string))
      ? [{ field, message: 'must be ids of channels of this Grid' }]
      : [];
  return [...check('channelIds', channelIds), ...check('escalateTo', escalateTo)];
}

function toEvent(command: NotificationSettingsCommand, settings: NotificationSettings): NotificationSettingsEvent {
  const { actor, at, gridId } = command;
  const author = { actor, at, gridId };
  if (command.type === 'Delete') return toDeletedEvent(command.kind, command.id, author);
  const isNew = command.type === 'Create';
  switch (command.kind) {
    case 'channel': {
      const channel = toStoredChannel(command.definition, settings);
      return { type: isNew ? 'ChannelCreated.v1' : 'ChannelChanged.v1', data: { ...author, channel } };
    }
    case 'route': {
      const type = isNew ? 'NotificationRouteCreated.v1' : 'NotificationRouteChanged.v1';
      return { type, data: { ...author, route: command.definition } };
    }
    case 'silence':
      return {
        type: isNew ? 'SilenceCreated.v1' : 'SilenceChanged.v1',
        data: { ...author, silence: command.definition },
      };
  }
}

function toDeletedEvent(
  kind: NotificationSettingKind,
  id: string,
  author: Authored & { readonly gridId: string },
): NotificationSettingsEvent {
  if (kind === 'channel') return { type: 'ChannelDeleted.v1', data: { ...author, channelId: id } };
  if (kind === 'route') return { type: 'NotificationRouteDeleted.v1', data: { ...author, routeId: id } };
  return { type: 'SilenceDeleted.v1', data: { ...author, silenceId: id } };
}

function toStoredChannel(draft: ChannelDraft, settings: NotificationSettings): StoredChannel {
  const { id, name, type, recipients } = draft;
  const { target, sealed } = draft.sealed === undefined ? (findKeptSecret(draft, settings) ?? draft) : draft;
  return { id, name, type, target, recipients, ...(sealed !== undefined && { sealed }) };
}

function isUnchanged({ data }: NotificationSettingsEvent, settings: NotificationSettings): boolean {
  if ('channel' in data) return isEqual(data.channel, settings.channel.get(data.channel.id));
  if ('silence' in data) return isEqual(data.silence, settings.silence.get(data.silence.id));
  if (!('route' in data)) return false;
  const { createdAt: _, ...before } = settings.route.get(data.route.id)!;
  return isEqual(data.route, before);
}

function isEqual(one: object, other: object | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function evolve(settings: NotificationSettings, { type, data }: SettingsEvent): NotificationSettings {
  switch (type) {
    case 'GridCreated.v1':
      return { ...settings, exists: true };
    case 'ChannelCreated.v1':
    case 'ChannelChanged.v1':
      return { ...settings, channel: new Map(settings.channel).set(data.channel.id, data.channel) };
    case 'NotificationRouteCreated.v1':
    case 'NotificationRouteChanged.v1': {
      const createdAt = settings.route.get(data.route.id)?.createdAt ?? data.at;
      return { ...settings, route: new Map(settings.route).set(data.route.id, { ...data.route, createdAt }) };
    }
    case 'SilenceCreated.v1':
    case 'SilenceChanged.v1':
      return { ...settings, silence: new Map(settings.silence).set(data.silence.id, data.silence) };
    case 'ChannelDeleted.v1':
      return { ...settings, channel: omitKey(settings.channel, data.channelId) };
    case 'NotificationRouteDeleted.v1':
      return { ...settings, route: omitKey(settings.route, data.routeId) };
    case 'SilenceDeleted.v1':
      return { ...settings, silence: omitKey(settings.silence, data.silenceId) };
  }
}

function omitKey<T>(entries: ReadonlyMap<string, T>, id: string): ReadonlyMap<string, T> {
  const rest = new Map(entries);
  rest.delete(id);
  return rest;
}

function rejectInvalid(kind: NotificationSettingKind, errors: readonly FieldError[]): Rejection {
  return reject('invalid-request', `The ${NOUNS[kind]} is invalid.`, errors);
}
