import type { AnyCollection } from '../../read-model-store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { blobTable, documentTable } from './sqlite-tables.js';
import { setImmediate } from 'node:timers/promises';

/** Pages moved by one slice of a vacuum (1 MiB). */
const VACUUM_PAGES = 256;

/** Rows deleted by one slice: columns of a few blocks, about a megabyte. */
const ROWS_PER_SLICE = 32;

/**
 * Pages of the write-ahead log after which a slice checkpoints it: 1 MiB takes about 10 ms, the 16 MiB of commits too
 * long.
 */
const CHECKPOINT_PAGES = 256;

/** Returns free pages to the file system; returns the number of bytes. */
export function* vacuumInSlices(writable: () => SqliteDatabase): Generator<void, number, void> {
  const before = readPragma(writable(), 'page_count');
  for (let free = readPragma(writable(), 'freelist_count'); free > 0;) {
    const database = writable();
    withSetting(database, 'wal_autocheckpoint', CHECKPOINT_PAGES, () =>
      database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`),
    );
    yield;
    const remaining = readPragma(writable(), 'freelist_count');
    if (remaining >= free) break; // commits used more than was freed: the next vacuum continues
    free = remaining;
  }
  truncateWal(writable());
  return Math.max(0, before - readPragma(writable(), 'page_count')) * readPragma(writable(), 'page_size');
}

/** Deletes all rows of a collection, each slice in its own transaction: dropping full tables would take seconds. */
export function* deleteRowsInSlices(
  writable: () => SqliteDatabase,
  collection: AnyCollection,
): Generator<void, void, void> {
  for (const table of [blobTable(collection), documentTable(collection)]) {
    const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} LIMIT ${ROWS_PER_SLICE})`;
    while (deleteRows(writable(), sql) > 0) yield;
  }
}

/** Checkpoints and truncates the write-ahead log without waiting for readers: they only leave it longer. */
export function truncateWal(database: SqliteDatabase): void {
  withSetting(database, 'busy_timeout', 0, () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
}

function deleteRows(database: SqliteDatabase, sql: string): number | bigint {
  return withSetting(database, 'wal_autocheckpoint', CHECKPOINT_PAGES, () => database.prepare(sql).run().changes);
}

/** Runs `work` with a temporary setting of the connection. */
function withSetting<T>(
  database: SqliteDatabase,
  name: 'busy_timeout' | 'wal_autocheckpoint',
  value: number,
  work: () => T,
): T {
  const [before] = Object.values(database.prepare(`PRAGMA ${name}`).get() as Record<string, number>);
  database.exec(`PRAGMA ${name} = ${value}`);
  try {
    return work();
  } finally {
    database.exec(`PRAGMA ${name} = ${before}`);
  }
}

function readPragma(database: SqliteDatabase, name: 'page_count' | 'page_size' | 'freelist_count'): number {
  return (database.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[name];
}

/** Time slice (ms); a slice that starts just before its end may take four times as long. */
const TIME_SLICE_MS = 5;

/**
 * Runs a long operation in slices of about 20 ms at most, and yields the thread in between. A slice should take a few
 * milliseconds, and MUST leave no transaction open.
 */
export async function runInSlices<T>(slices: Generator<void, T, void>): Promise<T> {
  for (;;) {
    await setImmediate();
    const until = performance.now() + TIME_SLICE_MS;
    do {
      const { done, value } = slices.next();
      if (done === true) return value;
    } while (performance.now() < until);
  }
}
