import type { EncodedEvent } from '../../encoded-event.js';

/**
 * Events that can leave the thread without a copy, and the buffers to transfer. A body that shares its buffer
 * (a slice, a Buffer of Node's pool) is copied first: a transfer takes the whole buffer along.
 */
export function transferable(events: readonly EncodedEvent[]): { events: EncodedEvent[]; buffers: ArrayBuffer[] } {
  const buffers: ArrayBuffer[] = [];
  const moved = events.map((event) => {
    if (event.body === undefined) return event;
    const body = ownsBuffer(event.body) ? event.body : new Uint8Array(event.body);
    buffers.push(body.buffer as ArrayBuffer);
    return { ...event, body };
  });
  return { events: moved, buffers };
}

/**
 * An empty body is copied, too: it may be one that was transferred before. Copying that throws here, for the one who
 * used it twice; in a message it would make the worker lose all the calls of the turn.
 */
function ownsBuffer({ buffer, byteLength }: Uint8Array): boolean {
  return byteLength > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
