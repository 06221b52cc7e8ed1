import { validateChannel } from '../../src/commands/notifications/channel-validation.js';
import { validateRoute } from '../../src/commands/notifications/route-validation.js';
import { HindsightError, type FieldError } from '../../src/errors.js';
import type { NotificationPort } from '../../src/http/api-call.js';
import type { NewChannel, NewNotificationRoute } from '../../src/notifications/notification-model.js';
import type { NotificationQueries } from '../../src/queries/notifications/notification-queries.js';
import type {
  ChannelDocument,
  DeliveryDocument,
  NotificationRouteDocument,
  SilenceDocument,
} from '../../src/read-models/documents/notification-documents.js';
import type { Position } from '../../src/streams/event-store.js';
import { CREATED_ID } from './created-id.js';

const AT = Date.UTC(2026, 0, 1);
const DATES = { gridId: 'any', createdAt: AT, createdBy: 'owner' };

export const CHANNEL: ChannelDocument = {
  id: '0c0c0c0c-1111-4222-8333-0123456789ab',
  name: 'On call',
  type: 'webhook',
  target: 'https://hooks.example',
  recipients: [],
  ...DATES,
};
export const NEW_CHANNEL = { name: 'On call', type: 'webhook', url: 'https://hooks.example/secret-path' };
export const ROUTE: NotificationRouteDocument = {
  id: '0d0d0d0d-1111-4222-8333-0123456789ab',
  name: 'Everything',
  matchers: [{ label: 'service', operator: '=', value: 'check*' }],
  channelIds: [CHANNEL.id],
  groupBy: ['alertname'],
  groupWaitSeconds: 30,
  groupIntervalSeconds: 300,
  repeatIntervalSeconds: 14_400,
  sendResolved: true,
  escalateAfterMinutes: 0,
  escalateTo: [],
  enabled: true,
  ...DATES,
};
export const NEW_ROUTE = { name: 'Everything', channelIds: [CHANNEL.id] };
export const SILENCE: SilenceDocument = {
  id: '0b0b0b0b-1111-4222-8333-0123456789ab',
  matchers: [{ label: 'service', operator: '=', value: 'checkout' }],
  reason: 'Upgrade',
  startsAt: AT,
  endsAt: AT + 3_600_000,
  ...DATES,
};
export const NEW_SILENCE = { matchers: SILENCE.matchers, reason: 'Upgrade', endsAt: '2099-01-01T00:00:00Z' };
export const DELIVERY: DeliveryDocument = {
  gridId: 'any',
  key: '0f0f0f0f-1111-4222-8333-0123456789ab',
  channelId: CHANNEL.id,
  reason: 'firing',
  status: 'firing',
  subject: 'Error rate: checkout',
  state: 'delivered',
  attempts: 2,
  requestedAt: AT,
  settledAt: AT + 2_000,
  statusCode: 200,
  answer: 'ok',
};
const RECEIPT = { position: '7' as Position };

/** One channel, route, silence and delivery in every Grid; records calls without changing state. */
export class FakeNotifications implements NotificationPort, NotificationQueries {
  readonly done: { readonly name: string; readonly with: readonly unknown[] }[] = [];

  channels = async () => [CHANNEL];
  notificationRoutes = async () => [ROUTE];
  silences = async () => [SILENCE];
  deliveries = async () => [DELIVERY];
  delivery = async () => DELIVERY;
  gridsWithRoutes = async () => [];
  gridsWithPendingDeliveries = async () => [];

  async createChannel(...call: Parameters<NotificationPort['createChannel']>) {
    this.note('createChannel', call);
    return { ...RECEIPT, createdAt: AT, channel: this.accept(call[2], CREATED_ID) };
  }

  async changeChannel(...call: Parameters<NotificationPort['changeChannel']>) {
    this.note('changeChannel', call);
    if (call[3]?.(CHANNEL) === false) throw new HindsightError('precondition-failed', 'Changed meanwhile.');
    return { ...RECEIPT, channel: this.accept(call[2], call[2].id) };
  }

  async createRoute(...call: Parameters<NotificationPort['createRoute']>) {
    this.note('createRoute', call);
    refuse(validateRoute(call[2]));
    return { ...RECEIPT, createdAt: AT, route: { ...call[2], id: CREATED_ID } };
  }

  async changeRoute(...call: Parameters<NotificationPort['changeRoute']>) {
    this.note('changeRoute', call);
    refuse(validateRoute(call[2] as NewNotificationRoute));
    return { ...RECEIPT, route: call[2] };
  }

  async createSilence(...call: Parameters<NotificationPort['createSilence']>) {
    this.note('createSilence', call);
    return { ...RECEIPT, createdAt: AT, silence: { ...call[2], id: CREATED_ID } };
  }

  async changeSilence(...call: Parameters<NotificationPort['changeSilence']>) {
    this.note('changeSilence', call);
    return { ...RECEIPT, silence: call[2] };
  }

  async remove(...call: Parameters<NotificationPort['remove']>) {
    this.note('remove', call);
    return RECEIPT;
  }

  async testChannel(...call: Parameters<NotificationPort['testChannel']>) {
    this.note('testChannel', call);
    return { ...RECEIPT, key: DELIVERY.key };
  }

  async acknowledge(...call: Parameters<NotificationPort['acknowledge']>) {
    this.note('acknowledge', call);
    return RECEIPT;
  }

  async waitForPosition(position: Position) {
    this.note('waitForPosition', [position]);
    return true;
  }

  private accept(channel: NewChannel, id: string) {
    refuse(validateChannel(channel));
    const { name, type, recipients } = channel;
    return { id, name, type, recipients, target: CHANNEL.target, sealed: 'v1.sealed-text' };
  }

  private note(name: string, values: readonly unknown[]): void {
    this.done.push({ name, with: values });
  }
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new HindsightError('invalid-request', 'The definition is invalid.', errors);
}

/** The same object as both ports. */
export function fakeNotifications() {
  const notifications = new FakeNotifications();
  return { notifications, notificationCommands: notifications };
}
