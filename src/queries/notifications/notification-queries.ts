import { compareText } from '../../diagnostics/text-order.js';
import { and, eq } from '../../read-models/document-filter.js';
import {
  NOTIFICATIONS_PROJECTION,
  notificationCollections,
  notificationDocumentId,
  type ChannelDocument,
  type DeliveryDocument,
  type NotificationCollections,
  type NotificationRouteDocument,
  type SilenceDocument,
} from '../../read-models/documents/notification-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { Collection, ReadModelReader } from '../../read-models/read-model-store.js';

/** Notification settings and deliveries; empty before the projection's first commit. */
export interface NotificationQueries {
  /** Sorted by name. */
  channels(gridId: string): Promise<readonly ChannelDocument[]>;
  /** Sorted by name. */
  notificationRoutes(gridId: string): Promise<readonly NotificationRouteDocument[]>;
  /** Those that end last first. */
  silences(gridId: string): Promise<readonly SilenceDocument[]>;
  /** The newest requests of a channel first. */
  deliveries(gridId: string, channelId: string, limit: number): Promise<readonly DeliveryDocument[]>;
  delivery(gridId: string, key: string): Promise<DeliveryDocument | undefined>;
  /** Grids that have a route. */
  gridsWithRoutes(): Promise<readonly string[]>;
  /** Grids with a pending delivery. */
  gridsWithPendingDeliveries(): Promise<readonly string[]>;
}

export function createNotificationQueries(store: ReadModelReader): NotificationQueries {
  const collections = async (): Promise<NotificationCollections | undefined> => {
    const version = await readActiveVersion(store, NOTIFICATIONS_PROJECTION);
    return version === undefined ? undefined : notificationCollections(version);
  };
  const ofGrid = async <D extends object>(collection: Collection<D> | undefined, gridId: string): Promise<D[]> =>
    collection === undefined ? [] : toDocuments(await store.find(collection, { filter: eq('gridId', gridId) }));
  const toGrids = (documents: readonly { readonly gridId: string }[]): string[] => [
    ...new Set(documents.map(({ gridId }) => gridId)),
  ];
  return {
    channels: async (gridId) => (await ofGrid((await collections())?.channels, gridId)).sort(compareByName),
    notificationRoutes: async (gridId) => (await ofGrid((await collections())?.routes, gridId)).sort(compareByName),
    silences: async (gridId) =>
      (await ofGrid((await collections())?.silences, gridId)).sort(
        (a, b) => b.endsAt - a.endsAt || compareText(a.id, b.id),
      ),
    async deliveries(gridId, channelId, limit) {
      const found = await collections();
      if (found === undefined) return [];
      const filter = and(eq('gridId', gridId), eq('channelId', channelId));
      const sort = [{ field: 'requestedAt', descending: true }];
      return toDocuments(await store.find(found.deliveries, { filter, sort, limit }));
    },
    async delivery(gridId, key) {
      const found = await collections();
      return found && store.get(found.deliveries, notificationDocumentId(gridId, key));
    },
    async gridsWithRoutes() {
      const found = await collections();
      return found === undefined ? [] : toGrids(toDocuments(await store.find(found.routes, {})));
    },
    async gridsWithPendingDeliveries() {
      const found = await collections();
      if (found === undefined) return [];
      return toGrids(toDocuments(await store.find(found.deliveries, { filter: eq('state', 'pending') })));
    },
  };
}

function toDocuments<D>(found: readonly { readonly document: D }[]): D[] {
  return found.map(({ document }) => document);
}

function compareByName(a: { readonly id: string; readonly name: string }, b: typeof a): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}
