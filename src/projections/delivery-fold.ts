import { eq } from '../read-models/document-filter.js';
import { notificationDocumentId, type DeliveryDocument } from '../read-models/documents/notification-documents.js';
import type { Collection, DocumentChange, ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import { evolveDelivery, isDeliveryEvent } from '../streams/events/delivery-history.js';
import type { NotificationEvent, StoredDelivery } from '../streams/events/notification-events.js';
import { NOTIFICATIONS_PREFIX } from '../streams/stream-names.js';

/** Documents with uncommitted changes by id; undefined: deleted. */
type Changes = Map<string, DeliveryDocument | undefined>;

/** The changes of deliveries that events cause. A summary replaces all deliveries of its Grid by those that it keeps. */
export async function foldDeliveries(
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
