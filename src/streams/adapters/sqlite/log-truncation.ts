import type { Connection } from './event-log-connection.js';
import { readPragma, prepareCached } from './event-log-connection.js';
import type { EventLogWriter } from './event-log-writer.js';

/** What one slice removes at most: about the work of one group commit. */
const BATCH_EVENTS = 256;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Pages that one slice of vacuum moves (4 MiB). */
const VACUUM_PAGES = 256;

/**
 * This share of the file stays free: the events of the next hours go there, and a store in the steady state of its
 * retention does not give bytes back only to ask for them again.
 */
const FREE_PAGE_FRACTION = 1 / 32;

export interface TruncationResult {
  events: number;
  bytes: number;
}

/**
 * Removes events in slices, each a transaction of its own, so that group commits go in between.
 * The newest event of the log always stays: positions go on from it.
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

/** By halving: times never decrease along rowids. 0 when nothing is that old. */
function findLastRowidBefore(database: Connection, beforeTime: number): number {
  const at = prepareCached(
    database,
    'SELECT position, recorded_at FROM events WHERE position >= ? ORDER BY position LIMIT 1',
  );
  let low = 0;
  let high =
    ((prepareCached(database, 'SELECT max(position) AS head FROM events').get()?.head as number | null) ?? 0) - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((at.get(middle)?.recorded_at as number) < beforeTime) low = middle;
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

/** True where more may be left of the stream. */
function removeBatch(database: Connection, stream: number, end: number, total: TruncationResult): boolean {
  const victims = selectOldest(database, stream, end);
  if (victims.length === 0) return false;
  const remove = prepareCached(database, 'DELETE FROM events WHERE position = ?');
  for (const { position } of victims) remove.run(position);
  const last = victims[victims.length - 1];
  prepareCached(database, 'UPDATE streams SET next_revision = max(next_revision, ?) WHERE id = ?').run(
    last.revision + 1,
    stream,
  );
  total.events += victims.length;
  total.bytes += sumBytes(victims);
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
  const past = rows.findIndex((row) => {
    const full = bytes >= BATCH_BYTES;
    bytes += row.bytes ?? 0;
    return full || row.position > end;
  });
  return past < 0 ? rows : rows.slice(0, past);
}

function sumBytes(victims: readonly ExpiredRow[]): number {
  return victims.reduce((sum, victim) => sum + (victim.bytes ?? 0), 0);
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
