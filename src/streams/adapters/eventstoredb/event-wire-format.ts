import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { DamagedEvent } from '../../damaged-event.js';
import { type Position, type RecordedEvent, type Revision, START } from '../../event-store.js';
import type { Upcast } from '../../events/event-registry.js';
import { type EncodedEvent, upcastStoredEvent } from '../../event-encoding.js';
import { createHash } from 'node:crypto';

/** An event on the wire. */
export type WireEvent = ReadResp.ReadEvent.RecordedEvent;

/** `created` counts in units of 100 ns since 1970. */
const TICKS_PER_MS = 10_000n;

/** The event that an answer carries, if it does. */
export function extractEvent(answer: ReadResp): WireEvent | undefined {
  return answer.getEvent()?.getEvent();
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

/** By the clock of the node that led when the event was written, ms since 1970. */
export function eventRecordedAt(event: WireEvent): number {
  return Number(BigInt(event.getMetadataMap().get('created') ?? '0') / TICKS_PER_MS);
}

/** The event in its newest version. Throws a `DamagedEvent` where it is not as it was appended. */
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

/** Bytes of the body, without looking whether it is whole. */
export function countBodyBytes(event: WireEvent): number {
  return event.getMetadataMap().get('content-type') === 'application/json' ? 0 : event.getData_asU8().byteLength;
}

export const JSON_CONTENT = 'application/json';
const BINARY_CONTENT = 'application/octet-stream';

/** The two byte fields of an event of EventStoreDB, and what the first one is. */
export interface Frame {
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** What a frame belongs to: part of the checksum, so that events cannot be taken for one another. */
interface FrameOwner {
  readonly stream: string;
  readonly id: string;
  readonly type: string;
}

/** What a frame holds: data as JSON text. */
interface FrameContent {
  readonly data: string;
  readonly body?: Uint8Array;
}

const METADATA_PATTERN = /^\{"checksum":"([0-9a-f]{32})"(?:,"data":(.*))?\}$/s;

/**
 * An event without a body is JSON data, an event with one is the body as it is, with its data in the metadata: either can be
 * read by the tools of the server. The metadata carries a checksum of everything.
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

/** Throws, with the reason, where the frame is not as `framed` made it. */
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

/** A place in `$all`, as EventStoreDB numbers it: decimal digits of unsigned 64-bit integers. */
interface LogPosition {
  readonly commit: string;
  readonly prepare: string;
}

/** What servers before 22.6 give for a position that they do not know. */
const UNKNOWN_POSITION = '18446744073709551615';

/**
 * Hex digits of fixed length, so that strings stand in the order of the log. The second half is there only where the two
 * differ: for events of explicit transactions, which nobody writes any more.
 */
export function toPosition({ commit, prepare }: LogPosition): Position {
  if (commit === UNKNOWN_POSITION || prepare === UNKNOWN_POSITION) {
    throw new Error('The server does not tell positions of events in streams: EventStoreDB 22.6 or newer is needed');
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
