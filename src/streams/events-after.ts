import type { EventReader, Position, ReadAllOptions, RecordedEvent } from './event-store.js';

/**
 * Everything after `after` that a reading finds, in the order of the log, a batch of `reading.limit` in memory at a time. Ends where nothing
 * more stands in the log: what is appended meanwhile belongs to it.
 */
export async function* eventsAfter(log: Pick<EventReader, 'readAll'>, after: Position, reading: ReadAllOptions): AsyncGenerator<RecordedEvent> {
  for (let from = after; ;) {
    const batch = await log.readAll(from, reading);
    if (batch.length === 0) return;
    yield* batch;
    from = batch[batch.length - 1].position;
  }
}
