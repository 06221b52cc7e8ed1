import { Allow, IsOptional } from 'class-validator';
import { validateChannel } from '../../commands/notifications/channel-validation.js';
import { validateRoute, validateSilenceTexts } from '../../commands/notifications/route-validation.js';
import {
  CHANNEL_TYPES,
  MATCHER_OPERATORS,
  NOTIFICATION_BOUNDS,
  ROUTE_DEFAULTS,
  type ChannelType,
  type Matcher,
  type NewChannel,
  type NewNotificationRoute,
} from '../../notifications/notification-model.js';
import { Description, FieldSchema, ModelSchema, Note, ReadOnlyFields, type JsonSchema } from './field-metadata.js';
import { IsAfter, IsInstant, nonBlankTextSchema, Required } from './field-validators.js';
import { FollowsDomainRules } from './request-parser.js';

const { nameLength, urlLength, secretLength, labelLength, valueLength, reasonLength } = NOTIFICATION_BOUNDS;
const { matchers: mostMatchers, groupLabels, channelsOfARoute, recipients: mostRecipients } = NOTIFICATION_BOUNDS;
const DATED = ['id', 'createdAt', 'createdBy'] as const;

const wholeNumberSchema = ({ min, max }: { readonly min: number; readonly max: number }): JsonSchema => ({
  type: 'integer',
  minimum: min,
  maximum: max,
});
const idListSchema = (least: number): JsonSchema => ({
  type: 'array',
  minItems: least,
  maxItems: channelsOfARoute,
  uniqueItems: true,
  items: { type: 'string', maxLength: 100 },
});
const LABEL_SCHEMA: JsonSchema = nonBlankTextSchema(labelLength);
const matchersSchema = (least: number): JsonSchema => ({
  type: 'array',
  minItems: least,
  maxItems: mostMatchers,
  items: {
    type: 'object',
    required: ['label', 'operator', 'value'],
    properties: {
      label: {
        ...LABEL_SCHEMA,
        description: '`alertname`, `rule`, `service`, `severity`, or a field that a rule on a query groups by.',
      },
      operator: {
        type: 'string',
        enum: [...MATCHER_OPERATORS],
        description: 'Whether the value must or must not match.',
      },
      value: { type: 'string', maxLength: valueLength, description: '`*` stands for any text.' },
    },
    additionalProperties: false,
  },
});

@FollowsDomainRules(validateChannel)
@ReadOnlyFields(...DATED, 'target')
@ModelSchema({
  description: 'A receiver of notifications.',
  examples: [{ name: 'On call', type: 'webhook', url: 'https://hooks.example/alerts' }],
})
export class ChannelModel implements NewChannel {
  @Description('Name of the channel.', 'On call')
  @FieldSchema(nonBlankTextSchema(nameLength))
  @Required()
  name!: string;

  @Description('What the receiver is.', 'webhook')
  @Note('`webhook` receives the JSON of Alertmanager’s webhook, version 4, with an additional member `hindsight`.')
  @FieldSchema({ type: 'string', enum: [...CHANNEL_TYPES] })
  @Required()
  type!: ChannelType;

  @Description('Address of the receiver, for all types but `email`. Never shown again.', 'https://hooks.example/alerts')
  @Note(
    'A change without `url`, `token` and `routingKey` keeps them; with one of them, absent ones are removed, so that no credential is sent to another address. For `pagerduty` it replaces the address of the Events API.',
  )
  @FieldSchema({ type: 'string', maxLength: urlLength })
  @Allow()
  url?: string;

  @Description('Sent to a webhook as `Authorization: Bearer`. Never shown again.', 'secret-of-the-receiver')
  @FieldSchema({ type: 'string', minLength: 1, maxLength: secretLength })
  @Allow()
  token?: string;

  @Description('Integration key of a PagerDuty service (Events API v2). Never shown again.', 'R0UT1NGK3Y')
  @FieldSchema({ type: 'string', minLength: 1, maxLength: secretLength })
  @Allow()
  routingKey?: string;

  @Description('Addresses of an `email` channel.', [])
  @FieldSchema({ type: 'array', maxItems: mostRecipients, items: { type: 'string', maxLength: 320 } })
  @Allow()
  recipients: readonly string[] = [];
}

@FollowsDomainRules(validateRoute)
@ReadOnlyFields(...DATED)
@ModelSchema({ description: 'Which alerts are sent to which channels.' })
export class NotificationRouteModel implements NewNotificationRoute {
  @Description('Name of the route.', 'Everything to on call')
  @FieldSchema(nonBlankTextSchema(nameLength))
  @Required()
  name!: string;

  @Description('Conditions on labels of an alert, all of which must hold; none: every alert.', [])
  @FieldSchema(matchersSchema(0))
  @Allow()
  matchers: readonly Matcher[] = [];

  @Description('Ids of the channels that are notified.', ['7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'])
  @FieldSchema(idListSchema(1))
  @Required()
  channelIds!: readonly string[];

  @Description('Labels whose values divide alerts into groups; none: one group. A group is sent in one message.', [])
  @FieldSchema({ type: 'array', maxItems: groupLabels, uniqueItems: true, items: LABEL_SCHEMA })
  @Allow()
  groupBy: readonly string[] = [];

  @Description('How long the first message of a group waits for more alerts. Seconds.', 30)
  @FieldSchema(wholeNumberSchema(NOTIFICATION_BOUNDS.groupWaitSeconds))
  @Allow()
  groupWaitSeconds = ROUTE_DEFAULTS.groupWaitSeconds;

  @Description('Shortest time between two messages of a group about new alerts. Seconds.', 300)
  @FieldSchema(wholeNumberSchema(NOTIFICATION_BOUNDS.groupIntervalSeconds))
  @Allow()
  groupIntervalSeconds = ROUTE_DEFAULTS.groupIntervalSeconds;

  @Description('When a group that still fires, and that nobody has acknowledged, is sent again. Seconds.', 14_400)
  @FieldSchema(wholeNumberSchema(NOTIFICATION_BOUNDS.repeatIntervalSeconds))
  @Allow()
  repeatIntervalSeconds = ROUTE_DEFAULTS.repeatIntervalSeconds;

  @Description('Whether resolved alerts are sent.', true)
  @FieldSchema({ type: 'boolean' })
  @Allow()
  sendResolved = ROUTE_DEFAULTS.sendResolved;

  @Description('Minutes without acknowledgement after which `escalateTo` is notified; 0: never.', 0)
  @FieldSchema(wholeNumberSchema(NOTIFICATION_BOUNDS.escalateAfterMinutes))
  @Allow()
  escalateAfterMinutes = ROUTE_DEFAULTS.escalateAfterMinutes;

  @Description('Ids of the channels of an escalation.', [])
  @FieldSchema(idListSchema(0))
  @Allow()
  escalateTo: readonly string[] = [];

  @Description('Whether the route is active.', true)
  @FieldSchema({ type: 'boolean' })
  @Allow()
  enabled = ROUTE_DEFAULTS.enabled;
}

@FollowsDomainRules(validateSilenceTexts)
@ReadOnlyFields(...DATED)
@ModelSchema({ description: 'A period during which matching alerts are not sent.' })
export class SilenceModel {
  @Description('Conditions on labels of an alert, all of which must hold.', [
    { label: 'service', operator: '=', value: 'checkout' },
  ])
  @FieldSchema(matchersSchema(1))
  @Required()
  matchers!: readonly Matcher[];

  @Description('Why.', 'Upgrade of the database')
  @FieldSchema(nonBlankTextSchema(reasonLength))
  @Required()
  reason!: string;

  @Description('When it begins; absent: now. A maintenance window begins later.', '2026-03-14T22:00:00Z')
  @IsOptional()
  @IsInstant()
  startsAt?: string;

  @Description('When it ends.', '2026-03-15T02:00:00Z')
  @IsAfter('startsAt')
  @IsInstant()
  @Required()
  endsAt!: string;
}
