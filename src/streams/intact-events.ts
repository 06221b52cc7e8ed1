import { isDamagedEvent } from './damaged-event.js';
import type { EventReader, RecordedEvent } from './event-store.js';

/** Damaged events after which the rest of a stream is not read: a damaged index may name one without end. */
const MAX_DAMAGED = 1_000;

/** Reads the events of a stream, oldest first, without the damaged ones. */
export async function readIntactEvents(
  events: Pick<EventReader, 'readStream'>,
  stream: string,
): Promise<readonly RecordedEvent[]> {
  try {
    return await events.readStream(stream);
  } catch (error) {
    if (!isDamagedEvent(error)) throw error;
    return readOneByOne(events, stream);
  }
}

/** A damaged event may name no revision, or a wrong one. */
async function readOneByOne(events: Pick<EventReader, 'readStream'>, stream: string): Promise<RecordedEvent[]> {
  const intact: RecordedEvent[] = [];
  let damaged = 0;
  for (let from = 0; damaged < MAX_DAMAGED; from++) {
    try {
      const [event] = (await events.readStream(stream, from, 1)) as (RecordedEvent | undefined)[];
      if (event === undefined) break;
      intact.push(event);
      from = event.revision;
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      damaged++;
    }
  }
  return intact;
}
