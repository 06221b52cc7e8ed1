import { HindsightError } from '../errors.js';
import type { NewEvent } from './event-store.js';

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
