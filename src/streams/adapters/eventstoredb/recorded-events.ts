import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { DamagedEvent } from '../../damaged-event.js';
import type { Position, RecordedEvent, Revision } from '../../event-store.js';
import type { Upcast } from '../../events/registry.js';
import { newestVersion } from '../../newest-version.js';
import { unframed } from './framing.js';
import type { Unframed } from './framing.js';
import { positionOf } from './positions.js';

/** An event on the wire. */
export type WireEvent = ReadResp.ReadEvent.RecordedEvent;

/** `created` counts in units of 100 ns since 1970. */
const TICKS_PER_MS = 10_000n;

/** The event that an answer carries, if it does. */
export function eventIn(answer: ReadResp): WireEvent | undefined {
  return answer.getEvent()?.getEvent();
}

export function positionIn(event: WireEvent): Position {
  return positionOf({ commit: event.getCommitPosition(), prepare: event.getPreparePosition() });
}

export function revisionIn(event: WireEvent): number {
  return Number(event.getStreamRevision());
}

export function idIn(event: WireEvent): string {
  return event.getId()!.getString();
}

export function streamIn(event: WireEvent): string {
  return Buffer.from(event.getStreamIdentifier()!.getStreamName_asU8()).toString();
}

/** By the clock of the node that led when the event was written, ms since 1970. */
export function recordedAtIn(event: WireEvent): number {
  return Number(BigInt(event.getMetadataMap().get('created') ?? '0') / TICKS_PER_MS);
}

/** The event in its newest version. Throws a `DamagedEvent` where it is not as it was appended. */
export function recordedEvent(event: WireEvent, upcast: Upcast, bodies = true): RecordedEvent {
  const header = { id: idIn(event), stream: streamIn(event), revision: revisionIn(event), position: positionIn(event), recordedAt: recordedAtIn(event) };
  const storedType = event.getMetadataMap().get('type') ?? '';
  const content = contentOf(event, { ...header, type: storedType });
  const { type, data } = newestVersion({ ...header, type: storedType }, content.data, upcast);
  return bodies && content.body !== undefined ? { ...header, type, data, body: content.body } : { ...header, type, data };
}

function contentOf(event: WireEvent, owner: { id: string; stream: string; type: string; position: Position; revision: Revision }): Unframed {
  const contentType = event.getMetadataMap().get('content-type') ?? '';
  try {
    return unframed(owner, { contentType, data: event.getData_asU8(), metadata: event.getCustomMetadata_asU8() });
  } catch (error) {
    throw new DamagedEvent(owner.position, (error as Error).message, { cause: error, revision: owner.revision });
  }
}

/** Bytes of the body, without looking whether it is whole. */
export function bodyBytesIn(event: WireEvent): number {
  return event.getMetadataMap().get('content-type') === 'application/json' ? 0 : event.getData_asU8().byteLength;
}
