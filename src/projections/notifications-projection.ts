import {
  NOTIFICATIONS_PROJECTION,
  NOTIFICATIONS_VERSION,
  notificationCollections,
  notificationDocumentId,
  type ChannelDocument,
  type NotificationRouteDocument,
  type SilenceDocument,
} from '../read-models/documents/notification-documents.js';
import type { ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { NotificationEvent, NotificationSettingsEvent } from '../streams/events/notification-events.js';
import { GRID_PREFIX, NOTIFICATIONS_PREFIX } from '../streams/stream-names.js';
import { foldDeliveries } from './delivery-fold.js';
import { createDocumentFold, type DocumentFold } from './document-fold.js';
import { checkpointName, type Projection } from './projection.js';

type Event = NotificationSettingsEvent | NotificationEvent;
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
  ] as DocumentFold<object, Event>[];
  const settings = createDocumentFold(folds, store, ({ type, data }: RecordedEvent) => [{ type, data } as Event]);
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

function findChannelId({ type, data }: Event): string | undefined {
  if (type === 'ChannelDeleted.v1') return notificationDocumentId(data.gridId, data.channelId);
  const isChannel = type === 'ChannelCreated.v1' || type === 'ChannelChanged.v1';
  return isChannel ? notificationDocumentId(data.gridId, data.channel.id) : undefined;
}

function evolveChannel(before: ChannelDocument | undefined, { type, data }: Event): ChannelDocument | undefined {
  if (type !== 'ChannelCreated.v1' && type !== 'ChannelChanged.v1') return undefined;
  const { sealed: _, ...channel } = data.channel;
  return { ...channel, ...toDates(before, data) };
}

function findRouteId({ type, data }: Event): string | undefined {
  if (type === 'NotificationRouteDeleted.v1') return notificationDocumentId(data.gridId, data.routeId);
  const isRoute = type === 'NotificationRouteCreated.v1' || type === 'NotificationRouteChanged.v1';
  return isRoute ? notificationDocumentId(data.gridId, data.route.id) : undefined;
}

function evolveRoute(
  before: NotificationRouteDocument | undefined,
  { type, data }: Event,
): NotificationRouteDocument | undefined {
  if (type !== 'NotificationRouteCreated.v1' && type !== 'NotificationRouteChanged.v1') return undefined;
  return { ...data.route, ...toDates(before, data) };
}

function findSilenceId({ type, data }: Event): string | undefined {
  if (type === 'SilenceDeleted.v1') return notificationDocumentId(data.gridId, data.silenceId);
  const isSilence = type === 'SilenceCreated.v1' || type === 'SilenceChanged.v1';
  return isSilence ? notificationDocumentId(data.gridId, data.silence.id) : undefined;
}

function evolveSilence(before: SilenceDocument | undefined, { type, data }: Event): SilenceDocument | undefined {
  if (type !== 'SilenceCreated.v1' && type !== 'SilenceChanged.v1') return undefined;
  return { ...data.silence, ...toDates(before, data) };
}

function toDates(
  before: Dated | undefined,
  { gridId, actor, at }: { readonly gridId: string; readonly actor: string; readonly at: number },
): Dated {
  return { gridId, createdAt: before?.createdAt ?? at, createdBy: before?.createdBy ?? actor };
}
