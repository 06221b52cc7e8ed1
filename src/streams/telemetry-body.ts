import type { AppendResult, EventReader, EventStore, NewEvent, RecordedEvent, Revision } from './event-store.js';
import { TELEMETRY_PART_TYPE, type TelemetryPart, type TelemetryReceived } from './events/telemetry-events.js';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ContentEncoding } from '../telemetry/compression/content-encoding.js';
import { decompress as inflateUpTo } from '../telemetry/compression/decompress.js';

/** Kept free in an append for the data of a part event. */
const PART_DATA_BYTES = 1_024;

/** An export request on its way into the log. */
export interface NewTelemetryEvent extends NewEvent {
  readonly data: TelemetryReceived;
  readonly body: Uint8Array;
}

/**
 * Appends one export request. A body that the store does not take in one append goes in part events first, then one
 * closing event that names their revisions: the request exists once the closing event is in the log, and this resolves
 * only then. Other requests may append to the stream in between. `newId` gives UUIDs.
 */
export async function appendTelemetry(
  store: Pick<EventStore, 'append' | 'maxAppendBytes'>,
  stream: string,
  event: NewTelemetryEvent,
  newId: () => string,
): Promise<AppendResult> {
  const dataBytes = Buffer.byteLength(JSON.stringify(event.data));
  if (event.body.byteLength + dataBytes <= store.maxAppendBytes) return store.append(stream, 'any', [event]);
  const partRevisions = await appendParts(store, stream, event, newId);
  const { id, type, data } = event;
  return store.append(stream, 'any', [{ id, type, data: { ...data, parts: partRevisions.length, partRevisions } }]);
}

/**
 * The body of an event as it was received, put together from its parts where it has some.
 * Undefined when a part has been truncated.
 */
export async function reassembleBody(
  reader: Pick<EventReader, 'readEvent'>,
  event: RecordedEvent<TelemetryReceived>,
): Promise<Uint8Array | undefined> {
  const { partRevisions } = event.data;
  if (partRevisions === undefined) return event.body ?? (await reader.readEvent(event.stream, event.revision))?.body;
  const parts: Uint8Array[] = [];
  for (const [index, revision] of partRevisions.entries()) {
    const part = await reader.readEvent(event.stream, revision);
    if (part === undefined) return undefined;
    parts.push(readPartBody(part, event, index));
  }
  return Buffer.concat(parts);
}

async function appendParts(
  store: Pick<EventStore, 'append' | 'maxAppendBytes'>,
  stream: string,
  { id, data, body }: NewTelemetryEvent,
  newId: () => string,
): Promise<Revision[]> {
  const size = Math.max(store.maxAppendBytes - PART_DATA_BYTES, 1);
  const revisions: Revision[] = [];
  for (let from = 0; from < body.byteLength; from += size) {
    const part: TelemetryPart = { gridId: data.gridId, request: id, index: revisions.length };
    // A copy: the store takes over the bytes of what it is given.
    const slice = new Uint8Array(body.subarray(from, from + size));
    const result = await store.append(stream, 'any', [
      { id: newId(), type: TELEMETRY_PART_TYPE, data: part, body: slice },
    ]);
    revisions.push(result.revision as Revision);
  }
  return revisions;
}

function readPartBody(part: RecordedEvent, closing: RecordedEvent, index: number): Uint8Array {
  const data = part.data as TelemetryPart;
  if (
    part.type !== TELEMETRY_PART_TYPE ||
    data.request !== closing.id ||
    data.index !== index ||
    part.body === undefined
  ) {
    throw new Error(`Revision ${part.revision} of ${part.stream} is not part ${index} of request ${closing.id}`);
  }
  return part.body;
}

const gunzipOnThreadPool = promisify(gunzip);

/** Smaller bodies are inflated sooner than handed over. */
const MIN_THREAD_POOL_BYTES = 4_096;

/**
 * The body that an event carries, inflated. The log says how many bytes there are: when there are more or fewer, or
 * they cannot be inflated any more, this throws.
 */
export function inflateBody(body: Uint8Array, encoding: ContentEncoding, inflatedBytes: number): Uint8Array {
  const result = inflateUpTo(body, encoding, inflatedBytes);
  if (!result.ok) throw new Error(`A stored body cannot be inflated: ${result.message}`);
  if (result.bytes.byteLength !== inflatedBytes) {
    throw new Error(`A stored body has ${result.bytes.byteLength} bytes instead of ${inflatedBytes}`);
  }
  return result.bytes;
}

/**
 * The same, off this thread where that pays: gzip, as nearly all senders use it, on the pool of libuv. Whatever is odd
 * about a body is told by `inflate`.
 */
export async function inflateBodyOnThreadPool(
  body: Uint8Array,
  encoding: ContentEncoding,
  inflatedBytes: number,
): Promise<Uint8Array> {
  if (encoding !== 'gzip' || body.byteLength < MIN_THREAD_POOL_BYTES) return inflateBody(body, encoding, inflatedBytes);
  try {
    const bytes = await gunzipOnThreadPool(body, { maxOutputLength: inflatedBytes, chunkSize: inflatedBytes });
    if (bytes.byteLength === inflatedBytes) return bytes;
  } catch {
    // Falls through: the careful way says what is wrong, in the words that operators know.
  }
  return inflateBody(body, encoding, inflatedBytes);
}
