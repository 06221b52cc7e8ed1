import { isDamagedEvent } from './damaged-event.js';
import { START, type EventReader } from './event-store.js';

const BATCH = 256;
/** Of bodies in memory at a time, but for a single larger one. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** What is wrong with events whose bytes are not those that were appended, a sentence each, at most `most`. Reads the whole log. */
export async function damagedEvents(log: Pick<EventReader, 'readAll'>, most: number): Promise<string[]> {
  const found: string[] = [];
  for (let after = START; found.length < most; ) {
    try {
      const batch = await log.readAll(after, { limit: BATCH, maxBytes: BATCH_BYTES });
      if (batch.length === 0) break;
      after = batch[batch.length - 1].position;
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      found.push(error.message);
      after = error.position;
    }
  }
  return found;
}
