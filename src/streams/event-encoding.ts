import { HindsightError } from '../errors.js';
import type { NewEvent, RecordedEvent } from './event-store.js';
import { DamagedEvent } from './damaged-event.js';
import type { Upcast } from './events/event-registry.js';

/** An event ready to be stored: `data` is serialized JSON. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly body?: Uint8Array;
}

/** Serializes the events of one append. Throws `too-large` if data and bodies together exceed `maxAppendBytes`. */
export function encodeAppend(events: readonly NewEvent[], maxAppendBytes: number): EncodedEvent[] {
  let bytes = 0;
  const encoded = events.map(({ id, type, data, body }): EncodedEvent => {
    const json = JSON.stringify(data);
    bytes += Buffer.byteLength(json) + (body?.byteLength ?? 0);
    return body === undefined ? { id, type, data: json } : { id, type, data: json, body };
  });
  if (bytes > maxAppendBytes) {
    throw new HindsightError('too-large', `The append of ${bytes} bytes exceeds the limit of ${maxAppendBytes} bytes`);
  }
  return encoded;
}

/**
 * Parses stored JSON and upcasts it to the newest version. Retrying a failed upcast cannot help, so it throws
 * `DamagedEvent`, which readers skip.
 */
export function upcastStoredEvent(
  { type, position, revision }: Pick<RecordedEvent, 'type' | 'position' | 'revision'>,
  json: string,
  upcast: Upcast,
): ReturnType<Upcast> {
  try {
    return upcast(type, JSON.parse(json));
  } catch (error) {
    throw new DamagedEvent(position, `cannot upcast ${type}: ${String(error)}`, {
      cause: error,
      revision,
    });
  }
}
