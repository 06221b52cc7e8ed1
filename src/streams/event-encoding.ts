import { HindsightError } from '../errors.js';
import type { NewEvent, RecordedEvent } from './event-store.js';
import { DamagedEvent } from './damaged-event.js';
import type { Upcast } from './events/event-registry.js';

/** An event on its way into a store: its data is JSON text already. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly body?: Uint8Array;
}

/** Encodes one append. Throws `too-large` where data and bodies together exceed `maxAppendBytes`. */
export function encodeAppend(events: readonly NewEvent[], maxAppendBytes: number): EncodedEvent[] {
  let bytes = 0;
  const encoded = events.map(({ id, type, data, body }): EncodedEvent => {
    const json = JSON.stringify(data);
    bytes += Buffer.byteLength(json) + (body?.byteLength ?? 0);
    return body === undefined ? { id, type, data: json } : { id, type, data: json, body };
  });
  if (bytes > maxAppendBytes) {
    throw new HindsightError('too-large', `An append of ${bytes} bytes exceeds the store's ${maxAppendBytes}`);
  }
  return encoded;
}

/**
 * A stored event in its newest version. A step that fails is not mended by trying again: it throws a `DamagedEvent`, so that
 * readers pass the event by and go on.
 */
export function upcastStoredEvent(
  { type, position, revision }: Pick<RecordedEvent, 'type' | 'position' | 'revision'>,
  json: string,
  upcast: Upcast,
): ReturnType<Upcast> {
  try {
    return upcast(type, JSON.parse(json));
  } catch (error) {
    throw new DamagedEvent(position, `${type} cannot be brought to its newest version: ${String(error)}`, {
      cause: error,
      revision,
    });
  }
}
