import type {
  StoredChannel,
  StoredDelivery,
  StoredNotificationRoute,
  StoredSilence,
} from '../../streams/events/notification-events.js';
import type { Collection } from '../read-model-store.js';

interface Dated {
  readonly gridId: string;
  readonly createdAt: number;
  readonly createdBy: string;
}

/** Without the sealed secret: a read model never holds it. */
export interface ChannelDocument extends Omit<StoredChannel, 'sealed'>, Dated {}
export interface NotificationRouteDocument extends StoredNotificationRoute, Dated {}
export interface SilenceDocument extends StoredSilence, Dated {}

/** One notification for one channel, and how its delivery stands. */
export interface DeliveryDocument extends StoredDelivery {
  readonly gridId: string;
}

export interface NotificationCollections {
  readonly channels: Collection<ChannelDocument>;
  readonly routes: Collection<NotificationRouteDocument>;
  readonly silences: Collection<SilenceDocument>;
  readonly deliveries: Collection<DeliveryDocument>;
}

/** Name of the projection that writes these collections, and its version in this release. */
export const NOTIFICATIONS_PROJECTION = 'notifications';
export const NOTIFICATIONS_VERSION = 1;

/** Prefixed with the Grid, because in a hand-made log definitions of two Grids may have the same id. */
export function notificationDocumentId(gridId: string, id: string): string {
  return `${gridId}/${id}`;
}

export function notificationCollections(version: number): NotificationCollections {
  return {
    channels: { name: `channels.v${version}`, indexes: [['gridId']] },
    routes: { name: `notification-routes.v${version}`, indexes: [['gridId']] },
    silences: { name: `silences.v${version}`, indexes: [['gridId']] },
    deliveries: { name: `deliveries.v${version}`, indexes: [['gridId', 'channelId', 'requestedAt'], ['state']] },
  };
}
