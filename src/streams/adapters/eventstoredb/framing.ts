import { createHash } from 'node:crypto';
import type { EncodedEvent } from '../../encoded-event.js';

export const JSON_CONTENT = 'application/json';
export const BINARY_CONTENT = 'application/octet-stream';

/** The two byte fields of an event of EventStoreDB, and what the first one is. */
export interface Frame {
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** What a frame belongs to: part of the checksum, so that events cannot be taken for one another. */
export interface FrameOwner {
  readonly stream: string;
  readonly id: string;
  readonly type: string;
}

/** What a frame holds: data as JSON text. */
export interface Unframed {
  readonly data: string;
  readonly body?: Uint8Array;
}

const METADATA = /^\{"checksum":"([0-9a-f]{32})"(?:,"data":(.*))?\}$/s;

/**
 * An event without a body is JSON data, an event with one is the body as it is, with its data in the metadata: either can be
 * read by the tools of the server. The metadata carries a checksum of everything.
 */
export function framed(stream: string, event: EncodedEvent): Frame {
  const checksum = checksumOf({ stream, id: event.id, type: event.type }, event);
  if (event.body === undefined) {
    return { contentType: JSON_CONTENT, data: Buffer.from(event.data), metadata: Buffer.from(`{"checksum":"${checksum}"}`) };
  }
  return { contentType: BINARY_CONTENT, data: event.body, metadata: Buffer.from(`{"checksum":"${checksum}","data":${event.data}}`) };
}

/** Throws, with the reason, where the frame is not as `framed` made it. */
export function unframed(owner: FrameOwner, { contentType, data, metadata }: Frame): Unframed {
  const [, checksum, sideData] = METADATA.exec(Buffer.from(metadata).toString()) ?? [];
  if (checksum === undefined) throw new Error('it has no checksum');
  const content = contentType === JSON_CONTENT ? { data: Buffer.from(data).toString() } : { data: sideData ?? '', body: data };
  if (checksumOf(owner, content) !== checksum) throw new Error('its checksum does not match');
  return content;
}

function checksumOf({ stream, id, type }: FrameOwner, { data, body }: Unframed): string {
  const header = JSON.stringify([stream, id.toLowerCase(), type, Buffer.byteLength(data), body?.byteLength ?? null]);
  const hash = createHash('sha256').update(header).update(data);
  if (body !== undefined) hash.update(body);
  return hash.digest('hex').slice(0, 32);
}
