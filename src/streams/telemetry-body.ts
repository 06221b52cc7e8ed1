import type { AppendResult, EventReader, EventStore, NewEvent, RecordedEvent, Revision } from './event-store.js';
import { DamagedEvent } from './damaged-event.js';
import { TELEMETRY_PART_TYPE, type TelemetryPart, type TelemetryReceived } from './events/telemetry-events.js';
import { promisify } from 'node:util';
import { gunzip, type ZlibOptions } from 'node:zlib';
import type { ContentEncoding } from '../telemetry/compression/content-encoding.js';
import { chunkSizeFor, decompress as inflateUpTo } from '../telemetry/compression/decompress.js';

/** Reserved in each append for the JSON data of a part event. */
const PART_DATA_BYTES = 1_024;

/** An export request to append. */
export interface NewTelemetryEvent extends NewEvent {
  readonly data: TelemetryReceived;
  readonly body: Uint8Array;
}

/**
 * Appends one export request. A body that exceeds `maxAppendBytes` is written as part events followed by a closing
 * event that lists their revisions. The request exists only once the closing event is in the log, which is when this
 * resolves. Other requests may be appended to the stream in between. `newId` returns UUIDs.
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
 * The compressed body of an export request, reassembled from its parts if necessary. Undefined if a part has been
 * truncated. Rejects with `DamagedEvent` if the event or a part is damaged.
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
    // Copied, because the store takes ownership of the buffer.
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
    throw new DamagedEvent(part.position, `it is not part ${index} of request ${closing.id}`, {
      revision: part.revision,
    });
  }
  return part.body;
}

/** With `info`, which also gives how much of the input was read. */
const gunzipOnThreadPool = promisify(gunzip) as unknown as (
  body: Uint8Array,
  options: ZlibOptions & { readonly info: true },
) => Promise<{ readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }>;

/**
 * Below both sizes, compressed and not, bodies are decompressed inline: the thread pool saves the caller less than the
 * hand-over costs the process.
 */
const MIN_THREAD_POOL_BYTES = 16_384;
const MIN_THREAD_POOL_INFLATED_BYTES = 131_072;

/** Decompresses a body. Throws if it is damaged or its decompressed size differs from `inflatedBytes`. */
export function inflateBody(body: Uint8Array, encoding: ContentEncoding, inflatedBytes: number): Uint8Array {
  const result = inflateUpTo(body, encoding, inflatedBytes);
  if (!result.ok) throw new Error(`Cannot decompress the stored body: ${result.message}`);
  if (result.bytes.byteLength !== inflatedBytes) {
    throw new Error(`The stored body has ${result.bytes.byteLength} bytes instead of ${inflatedBytes}`);
  }
  return result.bytes;
}

/**
 * Like `inflateBody`, but decompresses large gzip bodies, the common case, on libuv's thread pool. Errors are those of
 * `inflateBody`.
 */
export async function inflateBodyOnThreadPool(
  body: Uint8Array,
  encoding: ContentEncoding,
  inflatedBytes: number,
): Promise<Uint8Array> {
  const isSmall = body.byteLength < MIN_THREAD_POOL_BYTES && inflatedBytes < MIN_THREAD_POOL_INFLATED_BYTES;
  if (encoding !== 'gzip' || isSmall) return inflateBody(body, encoding, inflatedBytes);
  try {
    const { buffer, engine } = await gunzipOnThreadPool(body, {
      maxOutputLength: inflatedBytes,
      chunkSize: chunkSizeFor(inflatedBytes),
      info: true,
    });
    // zlib ignores what follows a member if it begins with a zero byte.
    if (buffer.byteLength === inflatedBytes && engine.bytesWritten === body.byteLength) return buffer;
  } catch {
    // Falls through: `inflateBody` throws the detailed error.
  }
  return inflateBody(body, encoding, inflatedBytes);
}
