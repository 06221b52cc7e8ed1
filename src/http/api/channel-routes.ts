import { waitUntilVisible } from '../../commands/read-your-writes.js';
import type { ChannelType } from '../../notifications/notification-model.js';
import type { ChannelDocument, DeliveryDocument } from '../../read-models/documents/notification-documents.js';
import type { StoredChannel } from '../../streams/events/notification-events.js';
import { ChannelModel } from '../requests/notification-requests.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import { defineRoute, type Route } from '../route.js';
import { Channel, Channels, Deliveries, Delivery } from '../schemas/notification-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { DEFINITION_ROUTE, toPrecondition } from './definition-changes.js';
import { formatTimestamp } from './value-conversions.js';

const CHANNEL_ROUTE = { ...DEFINITION_ROUTE, tag: 'Notifications' } as const;
const CHANNELS_PATH = '/admin/grids/{gridSecondaryId}/channels';
const CHANNEL_PATH = `${CHANNELS_PATH}/{channelId}` as const;
const CHANNEL_NOT_FOUND = 'The Grid has no channel with this id.';
const MAX_DELIVERIES = 50;

export const channelRoutes: readonly Route[] = [
  defineRoute({
    ...CHANNEL_ROUTE,
    method: 'GET',
    path: CHANNELS_PATH,
    operationId: 'listChannels',
    summary: 'List the notification channels of a Grid',
    run: ({ notifications }, { params }) => notifications.channels(params.gridSecondaryId),
    responseSchema: Channels,
    present: (channels) => ({ channels: channels.map(presentChannel) }),
  }),
  defineRoute({
    ...CHANNEL_ROUTE,
    method: 'POST',
    path: CHANNELS_PATH,
    tagged: true,
    operationId: 'createChannel',
    summary: 'Create a notification channel',
    status: 201,
    body: ChannelModel,
    refusals: ['conflict', 'not-found', 'unavailable'],
    async run({ notificationCommands: commands }, { principal, params: { gridSecondaryId: gridId }, body }) {
      const { channel, createdAt } = await waitUntilVisible(
        commands,
        commands.createChannel(principal.id, gridId, { ...body }),
      );
      return { ...channel, createdAt, createdBy: principal.id };
    },
    responseSchema: Channel,
    present: presentChannel,
  }),
  defineRoute({
    ...CHANNEL_ROUTE,
    method: 'GET',
    path: CHANNEL_PATH,
    tagged: true,
    operationId: 'getChannel',
    summary: 'Read a notification channel',
    missing: CHANNEL_NOT_FOUND,
    run: async ({ notifications }, { params: { gridSecondaryId: gridId, channelId } }) =>
      (await notifications.channels(gridId)).find(({ id }) => id === channelId),
    responseSchema: Channel,
    present: presentChannel,
  }),
  defineRoute({
    ...CHANNEL_ROUTE,
    method: 'PUT',
    path: CHANNEL_PATH,
    tagged: true,
    operationId: 'replaceChannel',
    summary: 'Replace a notification channel; without address and credentials, they are kept',
    body: ChannelModel,
    missing: CHANNEL_NOT_FOUND,
    refusals: ['conflict', 'not-found', 'unavailable'],
    async run(ports, { principal, params: { gridSecondaryId: gridId, channelId }, body, condition }) {
      const { notificationCommands: commands, notifications } = ports;
      const before = (await notifications.channels(gridId)).find(({ id }) => id === channelId);
      if (before === undefined) return undefined;
      const present = (channel: StoredChannel): object => presentChannel({ ...before, ...channel });
      const change = commands.changeChannel(
        principal.id,
        gridId,
        { ...body, id: channelId },
        toPrecondition(condition, present),
      );
      return { ...before, ...(await waitUntilVisible(commands, change)).channel };
    },
    responseSchema: Channel,
    present: presentChannel,
  }),
  defineRoute({
    ...CHANNEL_ROUTE,
    method: 'DELETE',
    path: CHANNEL_PATH,
    tagged: true,
    operationId: 'deleteChannel',
    summary: 'Delete a notification channel that no route uses',
    status: 204,
    missing: CHANNEL_NOT_FOUND,
    refusals: ['conflict', 'not-found'],
    async run(ports, { principal, params: { gridSecondaryId: gridId, channelId }, condition }) {
      const { notificationCommands: commands, notifications } = ports;
      const before = (await notifications.channels(gridId)).find(({ id }) => id === channelId);
      if (before === undefined) return undefined;
      const onlyIf = toPrecondition(condition, (channel: StoredChannel) => presentChannel({ ...before, ...channel }));
      return waitUntilVisible(commands, commands.remove(principal.id, gridId, 'channel', channelId, onlyIf));
    },
    present: () => new EMPTY_REQUEST(),
  }),
  defineRoute({
    ...CHANNEL_ROUTE,
    method: 'POST',
    path: `${CHANNEL_PATH}/test`,
    operationId: 'testChannel',
    summary: 'Send a test message to a channel',
    description:
      'The message is queued like any other, one test of a channel at a time. The result appears in the deliveries of the channel.',
    status: 201,
    refusals: ['conflict', 'not-found'],
    async run({ notificationCommands: commands }, { params: { gridSecondaryId: gridId, channelId }, nowMs }) {
      const { key } = await waitUntilVisible(commands, commands.testChannel(gridId, channelId));
      const test = { reason: 'test', status: 'firing', subject: 'Test: hindsight', state: 'pending' } as const;
      return { gridId, key, channelId, ...test, attempts: 0, requestedAt: nowMs };
    },
    responseSchema: Delivery,
    present: presentDelivery,
  }),
  defineRoute({
    ...CHANNEL_ROUTE,
    method: 'GET',
    path: `${CHANNEL_PATH}/deliveries`,
    operationId: 'listDeliveries',
    summary: 'List the last deliveries to a channel',
    missing: CHANNEL_NOT_FOUND,
    run: async ({ notifications }, { params: { gridSecondaryId: gridId, channelId } }) =>
      (await notifications.channels(gridId)).some(({ id }) => id === channelId)
        ? notifications.deliveries(gridId, channelId, MAX_DELIVERIES)
        : undefined,
    responseSchema: Deliveries,
    present: (deliveries) => ({ deliveries: deliveries.map(presentDelivery) }),
  }),
];

/** Never the sealed secret: the record of a command has it, too. */
function presentChannel(channel: Omit<ChannelDocument, 'gridId'>): ResponseBody<typeof Channel> {
  const { id, name, type, target, recipients, createdAt, createdBy } = channel;
  return {
    id,
    name,
    type: type as ChannelType,
    target,
    recipients,
    createdAt: formatTimestamp(createdAt),
    createdBy,
  };
}

function presentDelivery(delivery: DeliveryDocument): ResponseBody<typeof Delivery> {
  const { gridId: _, requestedAt, settledAt, nextAttemptAt, ...rest } = delivery;
  return {
    ...rest,
    requestedAt: formatTimestamp(requestedAt),
    ...(settledAt !== undefined && { settledAt: formatTimestamp(settledAt) }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: formatTimestamp(nextAttemptAt) }),
  };
}
