import { eq } from '../read-models/document-filter.js';
import {
  NOTIFICATIONS_PROJECTION,
  NOTIFICATIONS_VERSION,
  notificationCollections,
  notificationDocumentId,
  type ChannelDocument,
  type DeliveryDocument,
  type NotificationRouteDocument,
  type SilenceDocument,
} from '../read-models/documents/notification-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import { evolveDelivery, isDeliveryEvent } from '../streams/events/delivery-history.js';
import type {
  NotificationEvent,
  NotificationSettingsEvent,
  StoredDelivery,
} from '../streams/events/notification-events.js';
import { GRID_PREFIX, NOTIFICATIONS_PREFIX } from '../streams/stream-names.js';
import { createDocumentFold, type DocumentFold, selectEvents } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';

type Dated = Pick<ChannelDocument, 'gridId' | 'createdAt' | 'createdBy'>;

/** Channels, routes and silences, and deliveries: pending and settled. */
export const notificationsProjection: Projection = {
  name: NOTIFICATIONS_PROJECTION,
  schema: NOTIFICATIONS_VERSION,
  contents: (version) => {
    const { channels, routes, silences, deliveries } = notificationCollections(version);
    return [channels, routes, silences, deliveries].map((collection) => ({ kind: 'documents', collection }));
  },
};

export function createNotificationsRun(version: number, store: ReadModelReader) {
  const { channels, routes, silences, deliveries } = notificationCollections(version);
  const folds = [
    { collection: channels, documentId: findChannelId, evolve: evolveChannel },
    { collection: routes, documentId: findRouteId, evolve: evolveRoute },
    { collection: silences, documentId: findSilenceId, evolve: evolveSilence },
  ] as DocumentFold<object, NotificationSettingsEvent>[];
  const settings = createDocumentFold(folds, store, SETTINGS_EVENTS);
  return {
    name: notificationsProjection.name,
    group: notificationsProjection.name,
    prefixes: [GRID_PREFIX, NOTIFICATIONS_PREFIX],
    checkpoints: [checkpointName(notificationsProjection.name, version)],
    fold: {
      ...settings,
      fold: async (events: readonly RecordedEvent[]) => [
        ...(await settings.fold(events)),
        ...(await foldDeliveries(events, deliveries, store)),
      ],
    },
  };
}

const SETTINGS_EVENTS = selectEvents<NotificationSettingsEvent>(
  'ChannelCreated.v1',
  'ChannelChanged.v1',
  'ChannelDeleted.v1',
  'NotificationRouteCreated.v1',
  'NotificationRouteChanged.v1',
  'NotificationRouteDeleted.v1',
  'SilenceCreated.v1',
  'SilenceChanged.v1',
  'SilenceDeleted.v1',
);

function findChannelId({ type, data }: NotificationSettingsEvent): string | undefined {
  if (type === 'ChannelDeleted.v1') return notificationDocumentId(data.gridId, data.channelId);
  const isChannel = type === 'ChannelCreated.v1' || type === 'ChannelChanged.v1';
  return isChannel ? notificationDocumentId(data.gridId, data.channel.id) : undefined;
}

function evolveChannel(
  before: ChannelDocument | undefined,
  { type, data }: NotificationSettingsEvent,
): ChannelDocument | undefined {
  if (type !== 'ChannelCreated.v1' && type !== 'ChannelChanged.v1') return undefined;
  const { sealed: _, ...channel } = data.channel;
  return { ...channel, ...toDates(before, data) };
}

function findRouteId({ type, data }: NotificationSettingsEvent): string | undefined {
  if (type === 'NotificationRouteDeleted.v1') return notificationDocumentId(data.gridId, data.routeId);
  const isRoute = type === 'NotificationRouteCreated.v1' || type === 'NotificationRouteChanged.v1';
  return isRoute ? notificationDocumentId(data.gridId, data.route.id) : undefined;
}

function evolveRoute(
  before: NotificationRouteDocument | undefined,
  { type, data }: NotificationSettingsEvent,
): NotificationRouteDocument | undefined {
  if (type !== 'NotificationRouteCreated.v1' && type !== 'NotificationRouteChanged.v1') return undefined;
  return { ...data.route, ...toDates(before, data) };
}

function findSilenceId({ type, data }: NotificationSettingsEvent): string | undefined {
  if (type === 'SilenceDeleted.v1') return notificationDocumentId(data.gridId, data.silenceId);
  const isSilence = type === 'SilenceCreated.v1' || type === 'SilenceChanged.v1';
  return isSilence ? notificationDocumentId(data.gridId, data.silence.id) : undefined;
}

function evolveSilence(
  before: SilenceDocument | undefined,
  { type, data }: NotificationSettingsEvent,
): SilenceDocument | undefined {
  if (type !== 'SilenceCreated.v1' && type !== 'SilenceChanged.v1') return undefined;
  return { ...data.silence, ...toDates(before, data) };
}

function toDates(
  before: Dated | undefined,
  { gridId, actor, at }: { readonly gridId: string; readonly actor: string; readonly at: number },
): Dated {
  return { gridId, createdAt: before?.createdAt ?? at, createdBy: before?.createdBy ?? actor };
}

/** Documents with uncommitted changes by id; undefined: deleted. */
type Changes = Map<string, DeliveryDocument | undefined>;

/** The changes of deliveries that events cause. A summary replaces all deliveries of its Grid by those that it keeps. */
async function foldDeliveries(
  events: readonly RecordedEvent[],
  collection: Collection<DeliveryDocument>,
  store: ReadModelReader,
): Promise<DocumentChange[]> {
  const changes: Changes = new Map();
  for (const { stream, type, data } of events) {
    if (!stream.startsWith(NOTIFICATIONS_PREFIX)) continue;
    const event = { type, data } as NotificationEvent;
    const { gridId } = event.data;
    if (event.type === 'NotificationsSummarized.v1') {
      const stored = await store.find(collection, { filter: eq('gridId', gridId) });
      for (const { id } of stored) changes.set(id, undefined);
      for (const id of changes.keys()) if (id.startsWith(`${gridId}/`)) changes.set(id, undefined);
      for (const delivery of event.data.deliveries) setDelivery(changes, gridId, delivery);
    } else if (isDeliveryEvent(event)) {
      const id = notificationDocumentId(gridId, event.data.key);
      const before = changes.has(id) ? changes.get(id) : await store.get(collection, id);
      const delivery = evolveDelivery(before, event);
      if (delivery !== undefined) setDelivery(changes, gridId, delivery);
    }
  }
  return [...changes].map(([id, document]) =>
    document === undefined ? { kind: 'delete', collection, id } : { kind: 'put', collection, id, document },
  );
}

function setDelivery(changes: Changes, gridId: string, delivery: StoredDelivery): void {
  changes.set(notificationDocumentId(gridId, delivery.key), { ...delivery, gridId });
}
