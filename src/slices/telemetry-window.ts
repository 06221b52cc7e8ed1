import type { EventReader, Position, RecordedEvent } from '../streams/event-store.js';
import { START } from '../streams/event-store.js';
import { eventsAfter } from '../streams/events-after.js';

/** Bytes of bodies in memory at a time, but for a single larger one. */
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH = 256;

/** Position before the first event of the stream that was recorded at `time` (ms since 1970) or later. Log times never decrease: a search by halves. */
async function positionBefore(log: Pick<EventReader, 'readStream'>, stream: string, time: number): Promise<Position> {
  const at = async (revision: number): Promise<RecordedEvent | undefined> => (await log.readStream(stream, revision, 1))[0];
  let before = -1;
  let after = 1;
  for (let event = await at(after); event !== undefined && event.recordedAt < time; event = await at(after)) {
    before = event.revision;
    after = 2 * (event.revision + 1);
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const event = await at(middle);
    if (event === undefined || event.recordedAt >= time) after = middle;
    else before = Math.max(middle, event.revision);
  }
  return before < 0 ? START : ((await at(before))?.position ?? START);
}

export interface Window {
  /** Recorded from … to, ms since 1970, both included. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly bodies: boolean;
}

/** Events of one stream that were recorded in the window, in the order of the log. */
export async function* recordedIn(log: Pick<EventReader, 'readStream' | 'readAll'>, stream: string, { fromMs, toMs, bodies }: Window): AsyncGenerator<RecordedEvent> {
  for await (const event of eventsAfter(log, await positionBefore(log, stream, fromMs), { prefixes: [stream], limit: BATCH, maxBytes: BATCH_BYTES, bodies })) {
    if (event.recordedAt > toMs) return;
    if (event.recordedAt >= fromMs) yield event;
  }
}
