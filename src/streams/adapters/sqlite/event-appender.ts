import { type AppendResult, type ExpectedRevision, type Revision, START } from '../../event-store.js';
import type { EncodedEvent } from '../../event-encoding.js';
import { computeChecksum, toPosition } from './event-row-format.js';
import type { Connection } from './event-log-connection.js';
import { parseCategory } from './event-log-schema.js';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

/**
 * Inserts events inside the caller's transaction. Caches the head and stream revisions, so it MUST be discarded with
 * its connection and after a rollback.
 */
export class EventAppender {
  readonly #streams: StreamStateCache;
  readonly #insert;
  #head: number;
  #recordedAt: number;

  constructor(database: Connection) {
    this.#streams = new StreamStateCache(database);
    this.#insert = database.prepare(`
      INSERT INTO events (position, stream, revision, category, id, type, data, recorded_at, checksum, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    const newest = database.prepare('SELECT position, recorded_at FROM events ORDER BY position DESC LIMIT 1').get();
    this.#head = (newest?.position as number | undefined) ?? 0;
    this.#recordedAt = (newest?.recorded_at as number | undefined) ?? 0;
  }

  /** Log time of the newest event, ms since 1970; 0 for an empty log. */
  get newestTime(): number {
    return this.#recordedAt;
  }

  /** `now`: ms since 1970. `recordedAt` never goes back: an earlier clock is replaced by the time of the last event. */
  append({ stream, expected, events }: AppendRequest, now: number): AppendResult {
    const state = this.#streams.find(stream);
    const last = (state?.next ?? 0) - 1;
    if (events.length === 0) return this.#toResult(last);
    if (!matchesExpectedRevision(last, expected))
      return { ok: false, conflict: true, revision: last < 0 ? 'none' : last };
    this.#recordedAt = Math.max(this.#recordedAt, now);
    const target = state ?? this.#streams.create(stream);
    for (const event of events) this.#record(stream, target, event);
    return this.#toResult(target.next - 1);
  }

  #record(stream: string, state: StreamState, { id, type, data, body }: EncodedEvent): void {
    const rowid = this.#head + 1;
    const revision = state.next;
    const recordedAt = this.#recordedAt;
    const checksum = computeChecksum({ rowid, stream, revision, id, type, data, recordedAt }, body);
    this.#insert.run(rowid, state.id, revision, state.category, id, type, data, recordedAt, checksum, body ?? null);
    this.#head = rowid;
    state.next = revision + 1;
  }

  #toResult(revision: number): AppendResult {
    return { ok: true, position: this.#head === 0 ? START : toPosition(this.#head), revision };
  }
}

function matchesExpectedRevision(last: number, expected: ExpectedRevision): boolean {
  return expected === 'any' || (expected === 'none' ? last < 0 : last === expected);
}

/** Streams in the cache; it is cleared when it is full. */
const MAX_STREAMS = 50_000;

interface StreamState {
  readonly id: number;
  readonly category: number;
  /** Revision of the next event. */
  next: Revision;
}

/**
 * Cache of stream states, so that an append needs no query. Valid only while this connection's transactions commit:
 * discard it after a rollback.
 */
class StreamStateCache {
  readonly #cache = new Map<string, StreamState>();
  readonly #find;
  readonly #newest;
  readonly #create;
  readonly #findCategory;
  readonly #createCategory;

  constructor(database: Connection) {
    this.#find = database.prepare('SELECT id, category, next_revision AS floor FROM streams WHERE name = ?');
    this.#newest = database.prepare('SELECT max(revision) AS revision FROM events WHERE stream = ?');
    this.#create = database.prepare('INSERT INTO streams (name, category) VALUES (?, ?)');
    this.#findCategory = database.prepare('SELECT id FROM categories WHERE name = ?');
    this.#createCategory = database.prepare('INSERT INTO categories (name) VALUES (?)');
  }

  /** Undefined for a stream that does not exist yet. */
  find(name: string): StreamState | undefined {
    return this.#cache.get(name) ?? this.#load(name);
  }

  create(name: string): StreamState {
    const category = this.#categoryId(parseCategory(name));
    const id = Number(this.#create.run(name, category).lastInsertRowid);
    return this.#remember(name, { id, category, next: 0 });
  }

  #load(name: string): StreamState | undefined {
    const row = this.#find.get(name) as { id: number; category: number; floor: number } | undefined;
    if (row === undefined) return undefined;
    const newest = this.#newest.get(row.id)?.revision as number | null;
    return this.#remember(name, { id: row.id, category: row.category, next: Math.max(row.floor, (newest ?? -1) + 1) });
  }

  #remember(name: string, state: StreamState): StreamState {
    if (this.#cache.size >= MAX_STREAMS) this.#cache.clear();
    this.#cache.set(name, state);
    return state;
  }

  #categoryId(name: string): number {
    const id = this.#findCategory.get(name)?.id as number | undefined;
    return id ?? Number(this.#createCategory.run(name).lastInsertRowid);
  }
}
