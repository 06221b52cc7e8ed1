import type { EventStore, RecordedEvent } from '../streams/event-store.js';

/** The newest events of a stream, oldest first, at most `limit`. */
export async function readNewestEvents(
  log: Pick<EventStore, 'append' | 'readStream'>,
  stream: string,
  limit: number,
): Promise<RecordedEvent[]> {
  const { revision } = await log.append(stream, 'any', []);
  if (revision === 'none' || revision < 0) return [];
  return (await log.readStream(stream, Math.max(0, revision - limit + 1))).slice(-limit);
}
