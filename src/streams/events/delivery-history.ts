import type { NotificationEvent, NotificationRequest, StoredDelivery } from './notification-events.js';

/** Settled deliveries that a summary keeps of all channels, deleted ones included. */
const KEPT_OF_A_GRID = 2_500;

/** Events that concern one delivery. */
type DeliveryEvent = Extract<NotificationEvent, { readonly data: { readonly key: string } }>;

/** Narrows to events that concern one delivery. */
export function isDeliveryEvent(event: NotificationEvent): event is DeliveryEvent {
  return 'key' in event.data;
}

/** The delivery after the event; undefined if its request is not known. */
export function evolveDelivery(before: StoredDelivery | undefined, event: DeliveryEvent): StoredDelivery | undefined {
  if (event.type === 'NotificationRequested.v2') return toDelivery(event.data);
  if (before === undefined) return undefined;
  const { nextAttemptAt: _, ...delivery } = before;
  switch (event.type) {
    case 'NotificationAttempted.v1':
      return { ...delivery, attempts: event.data.attempt };
    case 'NotificationDelivered.v1': {
      const { error: _error, ...rest } = delivery;
      const { at: settledAt, status: statusCode, answer } = event.data;
      return { ...rest, state: 'delivered', settledAt, statusCode, answer };
    }
    case 'NotificationFailed.v1': {
      const { retryAt, at: settledAt, error } = event.data;
      return retryAt === null
        ? { ...delivery, state: 'failed', settledAt, error }
        : { ...delivery, nextAttemptAt: retryAt, error };
    }
  }
}

function toDelivery({ key, channelId, reason, status, at, alerts }: NotificationRequest): StoredDelivery {
  const subject = alerts.length === 0 ? '' : `${alerts[0].ruleName}: ${alerts[0].serviceName}`;
  return { key, channelId, reason, status, subject, state: 'pending', attempts: 0, requestedAt: at };
}

/** Deliveries by key, in the order of their requests, after these events. Changes and returns the given map. */
export function applyDeliveryEvents(
  deliveries: Map<string, StoredDelivery>,
  events: readonly NotificationEvent[],
): Map<string, StoredDelivery> {
  for (const event of events) {
    if (event.type === 'NotificationsSummarized.v1') {
      deliveries.clear();
      for (const delivery of event.data.deliveries) deliveries.set(delivery.key, delivery);
    } else if (isDeliveryEvent(event)) {
      const delivery = evolveDelivery(deliveries.get(event.data.key), event);
      if (delivery !== undefined) deliveries.set(event.data.key, delivery);
    }
  }
  return deliveries;
}

/** Deliveries that a summary keeps, oldest first: all that are pending, and so many of each channel, the newest. */
export function chooseKeptDeliveries(deliveries: Iterable<StoredDelivery>, keptOfAChannel: number): StoredDelivery[] {
  const counts = new Map<string, number>();
  let settled = 0;
  const isKept = ({ state, channelId }: StoredDelivery): boolean => {
    if (state === 'pending') return true;
    const count = counts.get(channelId) ?? 0;
    if (count >= keptOfAChannel || settled >= KEPT_OF_A_GRID) return false;
    counts.set(channelId, count + 1);
    settled += 1;
    return true;
  };
  return [...deliveries].reverse().filter(isKept).reverse();
}
