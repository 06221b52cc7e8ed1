import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { DamagedEvent } from '../../damaged-event.js';
import { type Position, type RecordedEvent, type Revision, START } from '../../event-store.js';
import type { Upcast } from '../../events/event-registry.js';
import { type EncodedEvent, upcastStoredEvent } from '../../event-encoding.js';
import { createHash } from 'node:crypto';

/** An event on the wire. */
export type WireEvent = ReadResp.ReadEvent.RecordedEvent;

/** `created` is in units of 100 ns since 1970. */
const TICKS_PER_MS = 10_000n;

/** The event in a response, if there is one. */
export function extractEvent(response: ReadResp): WireEvent | undefined {
  return response.getEvent()?.getEvent();
}

export function eventPosition(event: WireEvent): Position {
  return toPosition({ commit: event.getCommitPosition(), prepare: event.getPreparePosition() });
}

export function eventRevision(event: WireEvent): number {
  return Number(event.getStreamRevision());
}

export function eventId(event: WireEvent): string {
  return event.getId()!.getString();
}

export function eventStream(event: WireEvent): string {
  return Buffer.from(event.getStreamIdentifier()!.getStreamName_asU8()).toString();
}

/** Time by the clock of the leader that wrote the event, ms since 1970. */
export function eventRecordedAt(event: WireEvent): number {
  return Number(BigInt(event.getMetadataMap().get('created') ?? '0') / TICKS_PER_MS);
}

/** Decodes the event and upcasts it to its newest version. Throws `DamagedEvent` if it is not as it was appended. */
export function decodeEvent(event: WireEvent, upcast: Upcast, bodies = true): RecordedEvent {
  const header = {
    id: eventId(event),
    stream: eventStream(event),
    revision: eventRevision(event),
    position: eventPosition(event),
    recordedAt: eventRecordedAt(event),
  };
  const storedType = event.getMetadataMap().get('type') ?? '';
  const content = decodeContent(event, { ...header, type: storedType });
  const { type, data } = upcastStoredEvent({ ...header, type: storedType }, content.data, upcast);
  return bodies && content.body !== undefined
    ? { ...header, type, data, body: content.body }
    : { ...header, type, data };
}

function decodeContent(
  event: WireEvent,
  owner: { id: string; stream: string; type: string; position: Position; revision: Revision },
): FrameContent {
  const contentType = event.getMetadataMap().get('content-type') ?? '';
  try {
    return decodeFrame(owner, { contentType, data: event.getData_asU8(), metadata: event.getCustomMetadata_asU8() });
  } catch (error) {
    throw new DamagedEvent(owner.position, (error as Error).message, { cause: error, revision: owner.revision });
  }
}

export const JSON_CONTENT = 'application/json';
const BINARY_CONTENT = 'application/octet-stream';

/** The two byte fields of an EventStoreDB event, and the content type of the first. */
export interface Frame {
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** Identity of the event; part of the checksum, so that events cannot be confused. */
interface FrameOwner {
  readonly stream: string;
  readonly id: string;
  readonly type: string;
}

/** Content of a frame: data as JSON text, and the body. */
interface FrameContent {
  readonly data: string;
  readonly body?: Uint8Array;
}

const METADATA_PATTERN = /^\{"checksum":"([0-9a-f]{32})"(?:,"data":(.*))?\}$/s;

/**
 * Events without a body are stored as JSON data, events with a body as binary data with the JSON in the metadata, so
 * that the server's tools can show both. The metadata contains a checksum of everything.
 */
export function encodeFrame(stream: string, event: EncodedEvent): Frame {
  const checksum = computeChecksum({ stream, id: event.id, type: event.type }, event);
  if (event.body === undefined) {
    return {
      contentType: JSON_CONTENT,
      data: Buffer.from(event.data),
      metadata: Buffer.from(`{"checksum":"${checksum}"}`),
    };
  }
  return {
    contentType: BINARY_CONTENT,
    data: event.body,
    metadata: Buffer.from(`{"checksum":"${checksum}","data":${event.data}}`),
  };
}

/** Throws with the reason if the frame is not as `encodeFrame` created it. */
export function decodeFrame(owner: FrameOwner, { contentType, data, metadata }: Frame): FrameContent {
  const [, checksum, sideData] = METADATA_PATTERN.exec(Buffer.from(metadata).toString()) ?? [];
  if (checksum === undefined) throw new Error('it has no checksum');
  const content =
    contentType === JSON_CONTENT ? { data: Buffer.from(data).toString() } : { data: sideData ?? '', body: data };
  if (computeChecksum(owner, content) !== checksum) throw new Error('its checksum does not match');
  return content;
}

function computeChecksum({ stream, id, type }: FrameOwner, { data, body }: FrameContent): string {
  const header = JSON.stringify([stream, id.toLowerCase(), type, Buffer.byteLength(data), body?.byteLength ?? null]);
  const hash = createHash('sha256').update(header).update(data);
  if (body !== undefined) hash.update(body);
  return hash.digest('hex').slice(0, 32);
}

/** Position in `$all` as EventStoreDB represents it: decimal digits of unsigned 64-bit integers. */
interface LogPosition {
  readonly commit: string;
  readonly prepare: string;
}

/** Servers before 22.6 return this for an unknown position. */
const UNKNOWN_POSITION = '18446744073709551615';

/**
 * Hex digits of fixed length, so that string order is log order. The second half is present only if the two differ: for
 * explicit transactions, which are obsolete.
 */
export function toPosition({ commit, prepare }: LogPosition): Position {
  if (commit === UNKNOWN_POSITION || prepare === UNKNOWN_POSITION) {
    throw new Error('The server does not report event positions: EventStoreDB 22.6 or newer is required');
  }
  return (commit === prepare ? toHex(commit) : `${toHex(commit)}/${toHex(prepare)}`) as Position;
}

/** Undefined for START. */
export function toLogPosition(position: Position): LogPosition | undefined {
  if (position === START) return undefined;
  const [commit, prepare = commit] = position.split('/');
  return { commit: toDecimal(commit), prepare: toDecimal(prepare) };
}

function toHex(digits: string): string {
  return BigInt(digits).toString(16).padStart(16, '0');
}

function toDecimal(digits: string): string {
  return BigInt(`0x${digits}`).toString();
}
