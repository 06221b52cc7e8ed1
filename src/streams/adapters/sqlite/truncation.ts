import type { Connection } from './connection.js';
import { pragma, prepared } from './connection.js';
import type { LogWriter } from './log-writer.js';

/** What one slice removes at most: about the work of one group commit. */
const SLICE_EVENTS = 256;
const SLICE_BYTES = 4 * 1024 * 1024;

/** Pages that one slice of vacuum moves (4 MiB). */
const VACUUM_PAGES = 256;

/**
 * This share of the file stays free: the events of the next hours go there, and a store in the steady state of its
 * retention does not give bytes back only to ask for them again.
 */
const RESERVE_SHARE = 1 / 32;

export interface Truncated {
  events: number;
  bytes: number;
}

/**
 * Removes events in slices, each a transaction of its own, so that group commits go in between.
 * The newest event of the log always stays: positions go on from it.
 */
export function* truncate(writer: LogWriter, prefix: string, beforeTime: number): Generator<void, Truncated, void> {
  const total: Truncated = { events: 0, bytes: 0 };
  const end = writer.use((database) => lastRowidBefore(database, beforeTime));
  for (const stream of writer.use((database) => streamsWith(database, prefix))) {
    while (writer.transaction((database) => removeSlice(database, stream, end, total))) yield;
  }
  yield* vacuum(writer);
  return total;
}

/** By halving: times never decrease along rowids. 0 when nothing is that old. */
function lastRowidBefore(database: Connection, beforeTime: number): number {
  const at = prepared(database, 'SELECT position, recorded_at FROM events WHERE position >= ? ORDER BY position LIMIT 1');
  let low = 0;
  let high = ((prepared(database, 'SELECT max(position) AS head FROM events').get()?.head as number | null) ?? 0) - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((at.get(middle)?.recorded_at as number) < beforeTime) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

function streamsWith(database: Connection, prefix: string): number[] {
  const rows = prepared(database, 'SELECT id FROM streams WHERE name >= ?1 AND name < ?1 || char(0x10FFFF)').all(prefix);
  return (rows as { id: number }[]).map(({ id }) => id);
}

interface Victim {
  readonly position: number;
  readonly revision: number;
  readonly bytes: number | null;
}

/** True where more may be left of the stream. */
function removeSlice(database: Connection, stream: number, end: number, total: Truncated): boolean {
  const victims = oldest(database, stream, end);
  if (victims.length === 0) return false;
  const remove = prepared(database, 'DELETE FROM events WHERE position = ?');
  for (const { position } of victims) remove.run(position);
  const last = victims[victims.length - 1];
  prepared(database, 'UPDATE streams SET next_revision = max(next_revision, ?) WHERE id = ?').run(last.revision + 1, stream);
  total.events += victims.length;
  total.bytes += bytesOf(victims);
  return true;
}

function oldest(database: Connection, stream: number, end: number): Victim[] {
  const rows = prepared(database, `
    SELECT position, revision, length(body) AS bytes FROM events WHERE stream = ? ORDER BY revision LIMIT ?
  `).all(stream, SLICE_EVENTS) as Victim[];
  let bytes = 0;
  const past = rows.findIndex((row) => {
    const full = bytes >= SLICE_BYTES;
    bytes += row.bytes ?? 0;
    return full || row.position > end;
  });
  return past < 0 ? rows : rows.slice(0, past);
}

function bytesOf(victims: readonly Victim[]): number {
  return victims.reduce((sum, victim) => sum + (victim.bytes ?? 0), 0);
}

function* vacuum(writer: LogWriter): Generator<void, void, void> {
  for (let excess = writer.use(excessPages); excess > 0;) {
    const before = excess;
    writer.use((database) => database.exec(`PRAGMA incremental_vacuum(${Math.min(excess, VACUUM_PAGES)})`));
    yield;
    excess = writer.use(excessPages);
    if (excess >= before) return;
  }
}

function excessPages(database: Connection): number {
  const free = pragma(database, 'freelist_count') as number;
  return free - Math.ceil((pragma(database, 'page_count') as number) * RESERVE_SHARE);
}
