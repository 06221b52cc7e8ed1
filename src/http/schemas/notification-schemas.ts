import Type from 'typebox';
import { CHANNEL_TYPES, MATCHER_OPERATORS } from '../../notifications/notification-model.js';
import { choice, count, flag, inlineRecord, instant, listing, listOf, record, text } from './schema-builders.js';

const ID = '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10';
const dates = {
  createdAt: instant('When it was created.'),
  createdBy: text('User who created it.', 'owner'),
};
const matchers = listOf(
  inlineRecord('Condition on one label.', {
    label: text('Label of the alert.', 'service'),
    operator: choice(MATCHER_OPERATORS, 'Whether the value must or must not match.'),
    value: text('`*` stands for any text.', 'checkout'),
  }),
  'Conditions, all of which must hold.',
);
const ids = (description: string) => listOf(text('Id of a channel.', ID), description);

export const Channel = record('Channel', 'A receiver of notifications. Its address and credentials are never shown.', {
  id: text('Id of the channel.', ID),
  name: text('Name of the channel.', 'On call'),
  type: choice(CHANNEL_TYPES, 'What the receiver is.'),
  target: text('Origin of its address, without path; empty for e-mail and PagerDuty.', 'https://hooks.example'),
  recipients: listOf(text('Address.', 'on-call@shop.example'), 'Addresses of an e-mail channel.'),
  ...dates,
});
export const Channels = listing('Channels', 'The notification channels of a Grid.', {
  channels: listOf(Channel, 'Sorted by name.'),
});

export const NotificationRoute = record('NotificationRoute', 'Which alerts are sent to which channels.', {
  id: text('Id of the route.', ID),
  name: text('Name of the route.', 'Everything to on call'),
  matchers,
  channelIds: ids('Channels that are notified.'),
  groupBy: listOf(text('Label.', 'service'), 'Labels whose values divide alerts into groups.'),
  groupWaitSeconds: count('How long the first message of a group waits for more alerts. Seconds.', 30),
  groupIntervalSeconds: count('Shortest time between two messages of a group about new alerts. Seconds.', 300),
  repeatIntervalSeconds: count('When a group that still fires and is not acknowledged is sent again. Seconds.', 14_400),
  sendResolved: flag('Whether resolved alerts are sent.', true),
  escalateAfterMinutes: count('Minutes without acknowledgement until the escalation; 0: never.', 0),
  escalateTo: ids('Channels of an escalation.'),
  enabled: flag('Whether the route is active.', true),
  ...dates,
});
export const NotificationRoutes = listing('NotificationRoutes', 'The notification routes of a Grid.', {
  routes: listOf(NotificationRoute, 'Sorted by name. Every route that matches an alert sends it.'),
});

export const Silence = record('Silence', 'A period during which matching alerts are not sent.', {
  id: text('Id of the silence.', ID),
  matchers,
  reason: text('Why.', 'Upgrade of the database'),
  startsAt: instant('When it begins.'),
  endsAt: instant('When it ends.', '2026-03-15T02:00:00.000Z'),
  ...dates,
});
export const Silences = listing('Silences', 'Silences and maintenance windows of a Grid, past ones included.', {
  silences: listOf(Silence, 'Sorted by end, latest first.'),
});

export const Delivery = record('Delivery', 'One notification to one channel.', {
  key: text('Deduplication key: the same for every attempt.', ID),
  channelId: text('Id of the channel.', ID),
  reason: choice(
    ['firing', 'resolved', 'repeat', 'cause', 'escalation', 'test'] as const,
    'Why it is sent: new alerts, their end, a reminder, a cause that was found, an escalation, a test.',
  ),
  status: choice(['firing', 'resolved'] as const, 'Whether alerts fire.'),
  subject: text('Rule and service of its first alert.', 'Error rate: checkout'),
  state: choice(['pending', 'delivered', 'failed'] as const, 'State of the delivery; `failed` is final.'),
  attempts: count('Attempts so far.', 1),
  requestedAt: instant('When it was requested.'),
  settledAt: Type.Optional(instant('When it was delivered or finally failed.')),
  nextAttemptAt: Type.Optional(instant('When the next attempt is due.')),
  statusCode: Type.Optional(count('Status code of the receiver.', 200)),
  answer: Type.Optional(text('Beginning of its answer.', 'ok')),
  error: Type.Optional(text('Why the last attempt failed.', 'HTTP 503')),
});
export const Deliveries = listing('Deliveries', 'Deliveries to a channel.', {
  deliveries: listOf(Delivery, 'The newest 50, newest first.'),
});

export const Acknowledgement = record('Acknowledgement', 'The acknowledgement of an alert.', {
  alertId: text('Id of the alert.', 'b6f0c7d2-checkout-1773480360000'),
  acknowledgedBy: text('Who.', 'owner'),
  acknowledgedAt: instant('Since when.'),
});
