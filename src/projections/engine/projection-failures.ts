import { hasCode, HindsightError } from '../../errors.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { EventReader } from '../../streams/event-store.js';

/**
 * Wraps the reader so that every failure has the code `unavailable`, which means that a retry can help. Whatever else a
 * fold throws is the fault of an event.
 */
export function markFailuresRetryable(store: ReadModelReader): ReadModelReader {
  return {
    readCheckpoint: (projection) => markRetryable(store.readCheckpoint(projection)),
    get: (collection, id) => markRetryable(store.get(collection, id)),
    find: (collection, query) => markRetryable(store.find(collection, query)),
    count: (collection, filter) => markRetryable(store.count(collection, filter)),
    readBlob: (collection, id, name) => markRetryable(store.readBlob(collection, id, name)),
    readBlobs: (collection, name, page) => markRetryable(store.readBlobs(collection, name, page)),
    check: () => store.check(),
    close: () => store.close(),
  };
}

/** The same for the part of the log that folds read. Errors about damaged events are passed on unchanged. */
export function markLogFailuresRetryable(events: EventReader): Pick<EventReader, 'readEvent' | 'readStream'> {
  return {
    readEvent: (stream, revision) => markRetryable(events.readEvent(stream, revision), 'damaged-event'),
    readStream: (stream, from, limit) => markRetryable(events.readStream(stream, from, limit), 'damaged-event'),
  };
}

async function markRetryable<T>(answer: Promise<T>, exceptCode?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, 'unavailable') || (exceptCode !== undefined && readErrorCode(error) === exceptCode)) throw error;
    throw new HindsightError('unavailable', `A store failed: ${String(error)}`, [], { cause: error });
  }
}

function readErrorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

const MAX_SUMMARY_LENGTH = 200;

/** One short line about an error for health reports, without credentials that an address may contain. */
export function summarizeError(error: unknown): string {
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line.slice(0, MAX_SUMMARY_LENGTH).replace(/\/\/[^/\s]*@/g, '//');
}
