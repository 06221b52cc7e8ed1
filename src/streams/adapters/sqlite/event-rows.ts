import { DamagedEvent } from '../../damaged-event.js';
import type { RecordedEvent } from '../../event-store.js';
import type { Upcast } from '../../events/registry.js';
import { newestVersion } from '../../newest-version.js';
import { bodyMatches, headerMatches } from './checksum.js';
import { toPosition } from './positions.js';

export const HEADER_COLUMNS = 'position, stream, revision, id, type, data, recorded_at, checksum';

/** One row of `events`. `body` is undefined where it was not selected, null where the event has none. */
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

/** The event in a row, verified and in its newest version. Throws `DamagedEvent`. */
export function eventOf(row: EventRow, stream: string | undefined, upcast: Upcast): RecordedEvent {
  const position = toPosition(row.position);
  if (stream === undefined) throw damaged(row, 'its stream is unknown');
  assertIntact(row, stream);
  const { type, data } = newestVersion({ type: row.type, position, revision: row.revision }, row.data, upcast);
  const event = { id: row.id, type, data, stream, revision: row.revision, position, recordedAt: row.recorded_at };
  return row.body === undefined || row.body === null ? event : { ...event, body: row.body };
}

function assertIntact(row: EventRow, stream: string): void {
  const { position: rowid, revision, id, type, data, recorded_at: recordedAt, checksum, body } = row;
  // A flipped bit can turn a value into another type: such a row does not match either.
  if (!(checksum instanceof Uint8Array) || !headerMatches({ rowid, stream, revision, id, type, data, recordedAt }, checksum)) {
    throw damaged(row, 'its header does not match its checksum');
  }
  if (body !== undefined && !(isBlobOrNull(body) && bodyMatches(body, checksum))) {
    throw damaged(row, 'its body does not match its checksum');
  }
}

/** What is no whole number any more is no revision. */
function damaged({ position, revision }: Pick<EventRow, 'position' | 'revision'>, reason: string): DamagedEvent {
  return new DamagedEvent(toPosition(position), reason, { revision: Number.isSafeInteger(revision) ? revision : undefined });
}

function isBlobOrNull(value: unknown): boolean {
  return value === null || value instanceof Uint8Array;
}
