import type { Connection } from './event-log-connection.js';
import { readPragma, prepareCached } from './event-log-connection.js';
import type { EventLogWriter } from './event-log-writer.js';

/** Limits of one batch: about the work of one group commit. */
const BATCH_EVENTS = 256;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Pages that one vacuum step moves (4 MiB). */
const VACUUM_PAGES = 256;

/**
 * Fraction of the file that stays free for new events: at a steady retention, space is reused instead of returned to
 * the file system and allocated again.
 */
const FREE_PAGE_FRACTION = 1 / 32;

export interface TruncationResult {
  events: number;
  bytes: number;
}

/**
 * Deletes events in batches, each in its own transaction, so that group commits run in between. The newest event of the
 * log is always kept, because positions continue from it.
 */
export function* truncateInBatches(
  writer: EventLogWriter,
  prefix: string,
  beforeTime: number,
): Generator<void, TruncationResult, void> {
  const total: TruncationResult = { events: 0, bytes: 0 };
  const end = writer.withConnection((database) => findLastRowidBefore(database, beforeTime));
  for (const stream of writer.withConnection((database) => findStreamsWithPrefix(database, prefix))) {
    while (writer.transaction((database) => removeBatch(database, stream, end, total))) yield;
  }
  yield* vacuum(writer);
  return total;
}

/** Binary search: times never decrease along rowids. 0 if no event is that old. */
function findLastRowidBefore(database: Connection, beforeTime: number): number {
  const selectAt = prepareCached(
    database,
    'SELECT position, recorded_at FROM events WHERE position >= ? ORDER BY position LIMIT 1',
  );
  let low = 0;
  let high =
    ((prepareCached(database, 'SELECT max(position) AS head FROM events').get()?.head as number | null) ?? 0) - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((selectAt.get(middle)?.recorded_at as number) < beforeTime) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

function findStreamsWithPrefix(database: Connection, prefix: string): number[] {
  const rows = prepareCached(database, 'SELECT id FROM streams WHERE name >= ?1 AND name < ?1 || char(0x10FFFF)').all(
    prefix,
  );
  return (rows as { id: number }[]).map(({ id }) => id);
}

interface ExpiredRow {
  readonly position: number;
  readonly revision: number;
  readonly bytes: number | null;
}

/** True if the stream may contain more expired events. */
function removeBatch(database: Connection, stream: number, end: number, total: TruncationResult): boolean {
  const expired = selectOldest(database, stream, end);
  if (expired.length === 0) return false;
  const remove = prepareCached(database, 'DELETE FROM events WHERE position = ?');
  for (const { position } of expired) remove.run(position);
  const last = expired[expired.length - 1];
  prepareCached(database, 'UPDATE streams SET next_revision = max(next_revision, ?) WHERE id = ?').run(
    last.revision + 1,
    stream,
  );
  total.events += expired.length;
  total.bytes += sumBytes(expired);
  return true;
}

function selectOldest(database: Connection, stream: number, end: number): ExpiredRow[] {
  const rows = prepareCached(
    database,
    `
    SELECT position, revision, length(body) AS bytes FROM events WHERE stream = ? ORDER BY revision LIMIT ?
  `,
  ).all(stream, BATCH_EVENTS) as ExpiredRow[];
  let bytes = 0;
  const firstKept = rows.findIndex((row) => {
    const full = bytes >= BATCH_BYTES;
    bytes += row.bytes ?? 0;
    return full || row.position > end;
  });
  return firstKept < 0 ? rows : rows.slice(0, firstKept);
}

function sumBytes(expired: readonly ExpiredRow[]): number {
  return expired.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
}

function* vacuum(writer: EventLogWriter): Generator<void, void, void> {
  for (let excess = writer.withConnection(countExcessPages); excess > 0;) {
    const before = excess;
    writer.withConnection((database) => database.exec(`PRAGMA incremental_vacuum(${Math.min(excess, VACUUM_PAGES)})`));
    yield;
    excess = writer.withConnection(countExcessPages);
    if (excess >= before) return;
  }
}

function countExcessPages(database: Connection): number {
  const free = readPragma(database, 'freelist_count') as number;
  return free - Math.ceil((readPragma(database, 'page_count') as number) * FREE_PAGE_FRACTION);
}
