import type { DocumentChange, Collection, Document, ReadModelReader } from '../read-models/read-model-store.js';
import type { RecordedEvent } from '../streams/event-store.js';
import type { Fold } from './projection.js';

/** How events change the documents of one collection. */
export interface DocumentFold<D extends Document, E> {
  readonly collection: Collection<D>;
  /** Id of the document that an event concerns; undefined: none. */
  documentId(event: E): string | undefined;
  /** The document after the event; undefined: it is deleted. Pure: times and names come from the event. */
  evolve(document: D | undefined, event: E): D | undefined;
}

/** A document with uncommitted changes. */
interface PendingDocument<D> {
  readonly id: string;
  document: D | undefined;
}

const MAX_EVENTS_PER_COMMIT = 1_000;

/**
 * Creates a stateless fold: every recorded event is mapped to domain events, which are applied to each collection in
 * log order.
 */
export function createDocumentFold<E>(
  folds: readonly DocumentFold<Document, E>[],
  store: ReadModelReader,
  toEvents: (recorded: RecordedEvent) => readonly E[],
): Fold {
  return {
    restore: () => Promise.resolve(),
    commitSize: (events, from) => Math.min(MAX_EVENTS_PER_COMMIT, events.length - from),
    async fold(recorded) {
      const events = recorded.flatMap(toEvents);
      const changes = await Promise.all(folds.map((fold) => foldCollection(fold, events, store)));
      return changes.flat();
    },
  };
}

async function foldCollection<D extends Document, E>(
  fold: DocumentFold<D, E>,
  events: readonly E[],
  store: ReadModelReader,
): Promise<DocumentChange[]> {
  const pending = new Map<string, PendingDocument<D>>();
  for (const event of events) {
    const id = fold.documentId(event);
    if (id === undefined) continue;
    const entry = pending.get(id) ?? { id, document: await store.get(fold.collection, id) };
    entry.document = fold.evolve(entry.document, event);
    pending.set(id, entry);
  }
  return [...pending.values()].map(({ id, document }) =>
    document === undefined
      ? { kind: 'delete', collection: fold.collection, id }
      : { kind: 'put', collection: fold.collection, id, document },
  );
}
