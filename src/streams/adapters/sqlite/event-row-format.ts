import { DamagedEvent } from '../../damaged-event.js';
import type { Position, RecordedEvent } from '../../event-store.js';
import type { Upcast } from '../../events/event-registry.js';
import { type EncodedEvent, upcastStoredEvent } from '../../event-encoding.js';
import { createHash } from 'node:crypto';

export const HEADER_COLUMNS = 'position, stream, revision, id, type, data, recorded_at, checksum';

/** One row of `events`. `body` is undefined if it was not selected, null if the event has none. */
export interface EventRow {
  readonly position: number;
  readonly stream: number;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly recorded_at: number;
  readonly checksum: Uint8Array;
  readonly body?: Uint8Array | null;
}

/** Decodes a row: verifies its checksum and upcasts it to the newest version. Throws `DamagedEvent`. */
export function decodeRow(row: EventRow, stream: string | undefined, upcast: Upcast): RecordedEvent {
  const position = toPosition(row.position);
  if (stream === undefined) throw toDamagedEvent(row, 'its stream is unknown');
  assertIntact(row, stream);
  const { type, data } = upcastStoredEvent({ type: row.type, position, revision: row.revision }, row.data, upcast);
  const event = { id: row.id, type, data, stream, revision: row.revision, position, recordedAt: row.recorded_at };
  return row.body === undefined || row.body === null ? event : { ...event, body: row.body };
}

function assertIntact(row: EventRow, stream: string): void {
  const { position: rowid, revision, id, type, data, recorded_at: recordedAt, checksum, body } = row;
  // A flipped bit can change the type of a value: such a row is damaged, too.
  if (
    !(checksum instanceof Uint8Array) ||
    !matchesHeader({ rowid, stream, revision, id, type, data, recordedAt }, checksum)
  ) {
    throw toDamagedEvent(row, 'its header does not match its checksum');
  }
  if (body !== undefined && !(isBlobOrNull(body) && matchesBody(body, checksum))) {
    throw toDamagedEvent(row, 'its body does not match its checksum');
  }
}

/** Omits a revision that is no longer an integer. */
function toDamagedEvent({ position, revision }: Pick<EventRow, 'position' | 'revision'>, reason: string): DamagedEvent {
  return new DamagedEvent(toPosition(position), reason, {
    revision: Number.isSafeInteger(revision) ? revision : undefined,
  });
}

function isBlobOrNull(value: unknown): boolean {
  return value === null || value instanceof Uint8Array;
}

const DIGEST_BYTES = 8;

/** All fields of an event that the checksum covers, except the body. */
interface ChecksummedHeader extends Omit<EncodedEvent, 'body'> {
  readonly rowid: number;
  readonly stream: string;
  readonly revision: number;
  readonly recordedAt: number;
}

/**
 * 8 bytes of digest over the header and the body's digest, followed by the 8 bytes of the body's digest (absent without
 * a body). This lets readers that omit the body verify the header.
 */
export function computeChecksum(header: ChecksummedHeader, body: Uint8Array | undefined): Uint8Array {
  const bodyDigest = body === undefined ? new Uint8Array(0) : computeDigest(body);
  return Buffer.concat([computeHeaderDigest(header, bodyDigest), bodyDigest]);
}

export function matchesHeader(header: ChecksummedHeader, checksum: Uint8Array): boolean {
  return startsWith(checksum, computeHeaderDigest(header, checksum.subarray(DIGEST_BYTES)));
}

export function matchesBody(body: Uint8Array | null, checksum: Uint8Array): boolean {
  const expected = checksum.subarray(DIGEST_BYTES);
  return body === null ? expected.length === 0 : expected.length > 0 && startsWith(expected, computeDigest(body));
}

function computeHeaderDigest(header: ChecksummedHeader, bodyDigest: Uint8Array): Uint8Array {
  const { rowid, stream, revision, id, type, recordedAt, data } = header;
  const text = JSON.stringify([rowid, stream, revision, id, type, recordedAt, data]);
  return createHash('sha256').update(text).update(bodyDigest).digest().subarray(0, DIGEST_BYTES);
}

function computeDigest(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest().subarray(0, DIGEST_BYTES);
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, start.length), start) === 0;
}

/** 16 hex digits of the rowid, so that string order is log order. */
export function toPosition(rowid: number): Position {
  return rowid.toString(16).padStart(16, '0') as Position;
}

/** START becomes 0, which precedes every rowid. */
export function toRowid(position: Position): number {
  return position === '' ? 0 : Number.parseInt(position, 16);
}
