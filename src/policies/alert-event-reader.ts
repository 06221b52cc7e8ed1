import { isDamagedEvent } from '../streams/damaged-event.js';
import type { EventReader, RecordedEvent } from '../streams/event-store.js';

/**
 * Events of an alerts stream from a revision on, and the revision up to which they reach. A damaged event is skipped: /ready
 * reports it, and it must not keep later alerts from anybody.
 */
export async function readAlertEvents(
  log: Pick<EventReader, 'readStream'>,
  stream: string,
  from: number,
  limit: number,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly through: number }> {
  try {
    const events = await log.readStream(stream, from, limit);
    return { events, through: events.at(-1)?.revision ?? from - 1 };
  } catch (error) {
    if (!isDamagedEvent(error) || error.revision === undefined) throw error;
    const { revision } = error;
    const events = revision > from ? await log.readStream(stream, from, revision - from) : [];
    return { events, through: revision };
  }
}
