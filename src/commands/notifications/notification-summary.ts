import { applyDeliveryEvents, chooseKeptDeliveries } from '../../streams/events/delivery-history.js';
import type { NotificationEvent, StoredDelivery } from '../../streams/events/notification-events.js';
import { applyNotificationEvents, EMPTY_NOTIFICATIONS, summarizeState } from './notification-state.js';

type SummaryEvent = Extract<NotificationEvent, { readonly type: 'NotificationsSummarized.v1' }>;

/** Sums up the events of one stream, which are added in their order. */
export interface NotificationSummary {
  add(events: readonly NotificationEvent[]): void;
  /** The event that stands for all that were added, with so many settled deliveries of each channel. */
  toEvent(gridId: string, at: number, keptOfAChannel: number): SummaryEvent;
}

/** Starts with an empty stream. */
export function summarizeNotifications(): NotificationSummary {
  let state = EMPTY_NOTIFICATIONS;
  const deliveries = new Map<string, StoredDelivery>();
  return {
    add(events) {
      state = applyNotificationEvents(state, events);
      applyDeliveryEvents(deliveries, events);
    },
    toEvent: (gridId, at, keptOfAChannel) => ({
      type: 'NotificationsSummarized.v1',
      data: {
        gridId,
        ...summarizeState(state),
        deliveries: chooseKeptDeliveries(deliveries.values(), keptOfAChannel),
        at,
      },
    }),
  };
}
