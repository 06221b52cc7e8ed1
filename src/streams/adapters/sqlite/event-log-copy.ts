import { DatabaseSync } from '@photostructure/sqlite';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Position } from '../../event-store.js';
import { type EventRow, matchesBody, matchesHeader, toPosition, toRowid } from './event-row-format.js';
import { isUnreadablePage } from './disk-errors.js';
import { openReaderConnection, type Connection } from './event-log-connection.js';
import { createPrivateFile, toEventLogPath } from './data-folder.js';
import { SCHEMA, SCHEMA_VERSION } from './event-log-schema.js';

/** Limits of one read: it lasts milliseconds, so that the WAL can restart in between. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_EVENTS = 1_024;

/** Summary of a copied event log. */
export interface EventLogCopy {
  /** Position of the last event; undefined for an empty log. */
  readonly position: Position | undefined;
  readonly events: number;
  /** Time of the last event, ms since 1970. */
  readonly recordedAt: number | undefined;
  /** Positions of events that do not match their checksums, at most `MAX_DAMAGED`; they are copied unchanged. */
  readonly damaged: readonly Position[];
}

/** More entries would not help an operator. */
const MAX_DAMAGED = 100;

/** Where the copy ends: after a position, or after the last event recorded at or before a time (ms since 1970). */
export type LogCutoff = { readonly position: Position } | { readonly recordedAt: number };

export interface CopyOptions {
  /** Absent: the whole log up to its head when the copy starts. */
  readonly until?: LogCutoff;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** A complete row of the events table. */
type FullEventRow = EventRow & { readonly category: number };

/**
 * Copies the log in `dir` into the new file `to` (mode 0600); durable when this resolves. Reads in batches of a few
 * milliseconds, so that writers never wait and the WAL can restart. Events that retention deletes meanwhile may be
 * missing.
 */
export async function copyEventLog(
  dir: string,
  to: string,
  { until, onProgress = () => undefined }: CopyOptions = {},
): Promise<EventLogCopy> {
  const source = openReaderConnection(toEventLogPath(dir));
  try {
    return await new EventLogCopier(source, to, onProgress).copyTo(findLastRowid(source, until));
  } catch (error) {
    if (!isUnreadablePage(error) && !/not a database/.test((error as Error).message)) throw error;
    throw new Error(
      `Nothing was copied: pages of the event log cannot be read (${(error as Error).message})\n  → stop the service and save what can be read with \`hindsight salvage\``,
      { cause: error },
    );
  } finally {
    source.close();
  }
}

/** Rowid of the last event to copy; 0 if there is none. */
function findLastRowid(source: Connection, until: LogCutoff | undefined): number {
  const head = (source.prepare('SELECT max(position) AS head FROM events').get()?.head as number | null) ?? 0;
  if (until === undefined) return head;
  if ('position' in until) return Math.min(head, toRowid(until.position));
  return findLastRowidRecordedBy(source, until.recordedAt, head);
}

/** Binary search: times never decrease along positions. */
function findLastRowidRecordedBy(source: Connection, time: number, head: number): number {
  const next = source.prepare('SELECT position, recorded_at FROM events WHERE position >= ? ORDER BY position LIMIT 1');
  let before = 0;
  let after = head + 1;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const row = next.get(middle);
    if (row === undefined || (row.recorded_at as number) > time) after = middle;
    else before = Math.max(middle, row.position as number);
  }
  return before;
}

class EventLogCopier {
  private readonly damaged: Position[] = [];
  private readonly names = new Map<number, string>();
  private events = 0;
  private recordedAt: number | undefined;

  constructor(
    private readonly source: Connection,
    private readonly file: string,
    private readonly onProgress: NonNullable<CopyOptions['onProgress']>,
  ) {}

  async copyTo(end: number): Promise<EventLogCopy> {
    createPrivateFile(this.file);
    const target = openCopyTarget(this.file);
    try {
      const last = await this.copyEvents(target, end);
      this.copyStreamNames(target);
      return {
        position: last === 0 ? undefined : toPosition(last),
        events: this.events,
        recordedAt: this.recordedAt,
        damaged: this.damaged,
      };
    } finally {
      target.close();
      syncFile(this.file);
    }
  }

  private async copyEvents(target: Connection, end: number): Promise<number> {
    const insert = target.prepare(
      'INSERT INTO events (position, stream, revision, category, id, type, data, recorded_at, checksum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    let last = 0;
    for (let rows = this.readBatch(last, end); rows.length > 0; rows = this.readBatch(last, end)) {
      target.exec('BEGIN');
      for (const row of rows) {
        this.verifyRow(row);
        insert.run(
          row.position,
          row.stream,
          row.revision,
          row.category,
          row.id,
          row.type,
          row.data,
          row.recorded_at,
          row.checksum,
          row.body ?? null,
        );
      }
      target.exec('COMMIT');
      this.events += rows.length;
      last = rows[rows.length - 1].position;
      this.recordedAt = rows[rows.length - 1].recorded_at;
      this.onProgress({ done: last, total: end });
      await setImmediate();
    }
    return last;
  }

  /** SQLite reports the length of a body without reading it, so the batch is chosen before any body is loaded. */
  private readBatch(after: number, end: number): FullEventRow[] {
    const sizeQuery = this.source.prepare(
      'SELECT position, length(data) + coalesce(length(body), 0) AS bytes FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?',
    );
    const sizes = sizeQuery.all(after, end, BATCH_EVENTS) as { position: number; bytes: number }[];
    if (sizes.length === 0) return [];
    let bytes = 0;
    const full = sizes.findIndex((row) => (bytes += row.bytes) >= BATCH_BYTES);
    const to = sizes[full < 0 ? sizes.length - 1 : full].position;
    const rows = this.source
      .prepare('SELECT * FROM events WHERE position > ? AND position <= ? ORDER BY position')
      .all(after, to) as FullEventRow[];
    // The whole batch was truncated meanwhile; later events may still exist.
    return rows.length > 0 ? rows : this.readBatch(to, end);
  }

  private verifyRow({
    position: rowid,
    stream,
    revision,
    id,
    type,
    data,
    recorded_at: recordedAt,
    checksum,
    body = null,
  }: FullEventRow): void {
    const intact =
      matchesHeader({ rowid, stream: this.streamName(stream), revision, id, type, data, recordedAt }, checksum) &&
      matchesBody(body, checksum);
    if (!intact && this.damaged.length < MAX_DAMAGED) this.damaged.push(toPosition(rowid));
  }

  private streamName(stream: number): string {
    let name = this.names.get(stream);
    if (name === undefined) {
      name =
        (this.source.prepare('SELECT name FROM streams WHERE id = ?').get(stream)?.name as string | undefined) ?? '';
      this.names.set(stream, name);
    }
    return name;
  }

  /** Copied last, so that a stream whose newest events were deleted meanwhile keeps its next revision. */
  private copyStreamNames(target: Connection): void {
    target.exec('BEGIN');
    const category = target.prepare('INSERT INTO categories (id, name) VALUES (?, ?)');
    for (const { id, name } of this.source.prepare('SELECT id, name FROM categories').all() as {
      id: number;
      name: string;
    }[])
      category.run(id, name);
    const stream = target.prepare('INSERT INTO streams (id, name, category, next_revision) VALUES (?, ?, ?, ?)');
    type Stream = { id: number; name: string; category: number; next_revision: number };
    for (const row of this.source.prepare('SELECT id, name, category, next_revision FROM streams').all() as Stream[])
      stream.run(row.id, row.name, row.category, row.next_revision);
    target.exec(
      'DELETE FROM streams WHERE next_revision = 0 AND NOT EXISTS (SELECT 1 FROM events WHERE events.stream = streams.id)',
    );
    target.exec('COMMIT');
  }
}

/**
 * Opens a new, empty log for writing. No journal and a single sync at the end: the file is not used before it is complete and is discarded after a crash.
 */
export function openCopyTarget(file: string): Connection {
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF',
  );
  database.exec(`${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  return database;
}

export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
