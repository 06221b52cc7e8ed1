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

/** The domain events that the data of recorded events mean, by event type. */
export type EventMapping<Recorded extends { readonly type: string; readonly data: unknown }, E> = {
  readonly [Type in Recorded['type']]?: (data: Extract<Recorded, { readonly type: Type }>['data']) => readonly E[];
};

/** A mapping by type, or a function for streams that hold nothing else. */
type ToEvents<E> =
  Readonly<Record<string, ((data: never) => readonly E[]) | undefined>> | ((recorded: RecordedEvent) => readonly E[]);

/** A mapping that leaves events of these types as they are. */
export function selectEvents<E extends { readonly type: string; readonly data: unknown }>(
  ...types: readonly E['type'][]
): Readonly<Record<string, (data: E['data']) => readonly E[]>> {
  return Object.fromEntries(types.map((type) => [type, (data: E['data']) => [{ type, data } as E]]));
}

/**
 * Creates a stateless fold: recorded events are mapped to domain events, which are applied to each collection in log
 * order. Types that the mapping lacks are ignored.
 */
export function createDocumentFold<E>(
  folds: readonly DocumentFold<Document, E>[],
  store: ReadModelReader,
  toEvents: ToEvents<E>,
): Fold {
  return {
    restore: () => Promise.resolve(),
    commitSize: (events, from) => Math.min(MAX_EVENTS_PER_COMMIT, events.length - from),
    async fold(recorded) {
      const events = recorded.flatMap((event) => toDomainEvents(toEvents, event));
      const changes = await Promise.all(folds.map((fold) => foldCollection(fold, events, store)));
      return changes.flat();
    },
  };
}

function toDomainEvents<E>(toEvents: ToEvents<E>, recorded: RecordedEvent): readonly E[] {
  if (typeof toEvents === 'function') return toEvents(recorded);
  return Object.hasOwn(toEvents, recorded.type) ? toEvents[recorded.type]!(recorded.data as never) : [];
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
