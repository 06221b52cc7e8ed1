import { HindsightError, hasCode } from '../errors.js';
import type { ReadModelReader } from '../read-models/store.js';
import type { EventReader } from '../streams/event-store.js';

/**
 * The reader, with every failure marked as one that a retry can help: whatever a fold throws beyond these
 * is the fault of an event.
 */
export function retryable(store: ReadModelReader): ReadModelReader {
  return {
    checkpoint: (projection) => marked(store.checkpoint(projection)),
    get: (collection, id) => marked(store.get(collection, id)),
    find: (collection, query) => marked(store.find(collection, query)),
    count: (collection, filter) => marked(store.count(collection, filter)),
    blob: (collection, id, name) => marked(store.blob(collection, id, name)),
    blobs: (collection, name, page) => marked(store.blobs(collection, name, page)),
    check: () => store.check(),
    close: () => store.close(),
  };
}

/** The same for the part of the log that folds read. A damaged event stays what it is. */
export function retryableBodies(events: EventReader): Pick<EventReader, 'readEvent'> {
  return { readEvent: (stream, revision) => marked(events.readEvent(stream, revision), 'damaged-event') };
}

async function marked<T>(answer: Promise<T>, exceptCode?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, 'unavailable') || (exceptCode !== undefined && codeOf(error) === exceptCode)) throw error;
    throw new HindsightError('unavailable', `a store failed: ${String(error)}`, [], { cause: error });
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
