import type { AppendResult, ExpectedRevision } from '../../event-store.js';
import { START } from '../../event-store.js';
import type { EncodedEvent } from '../../encoded-event.js';
import { checksumOf } from './checksum.js';
import type { Connection } from './connection.js';
import { toPosition } from './positions.js';
import { StreamStates } from './stream-states.js';
import type { StreamState } from './stream-states.js';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

/**
 * Inserts events inside the transaction of its caller. It remembers head and revisions, so it lives as long as its
 * connection and no longer than the first rollback.
 */
export class LogAppending {
  readonly #streams: StreamStates;
  readonly #insert;
  #head: number;
  #recordedAt: number;

  constructor(database: Connection) {
    this.#streams = new StreamStates(database);
    this.#insert = database.prepare(`
      INSERT INTO events (position, stream, revision, category, id, type, data, recorded_at, checksum, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    const newest = database.prepare('SELECT position, recorded_at FROM events ORDER BY position DESC LIMIT 1').get();
    this.#head = (newest?.position as number | undefined) ?? 0;
    this.#recordedAt = (newest?.recorded_at as number | undefined) ?? 0;
  }

  /** `now` in ms; an earlier one than the last event's counts as that. */
  append({ stream, expected, events }: AppendRequest, now: number): AppendResult {
    const state = this.#streams.find(stream);
    const last = (state?.next ?? 0) - 1;
    if (events.length === 0) return this.#appended(last);
    if (!meets(last, expected)) return { ok: false, conflict: true, revision: last < 0 ? 'none' : last };
    this.#recordedAt = Math.max(this.#recordedAt, now);
    const target = state ?? this.#streams.create(stream);
    for (const event of events) this.#record(stream, target, event);
    return this.#appended(target.next - 1);
  }

  #record(stream: string, state: StreamState, { id, type, data, body }: EncodedEvent): void {
    const rowid = this.#head + 1;
    const revision = state.next;
    const recordedAt = this.#recordedAt;
    const checksum = checksumOf({ rowid, stream, revision, id, type, data, recordedAt }, body);
    this.#insert.run(rowid, state.id, revision, state.category, id, type, data, recordedAt, checksum, body ?? null);
    this.#head = rowid;
    state.next = revision + 1;
  }

  #appended(revision: number): AppendResult {
    return { ok: true, position: this.#head === 0 ? START : toPosition(this.#head), revision };
  }
}

function meets(last: number, expected: ExpectedRevision): boolean {
  return expected === 'any' || (expected === 'none' ? last < 0 : last === expected);
}
