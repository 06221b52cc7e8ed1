import type { AnyCollection } from '../../store.js';
import type { Database } from './database.js';
import { blobTable, documentTable } from './tables.js';

/** Pages that one slice of vacuum moves (1 MiB). */
const VACUUM_PAGES = 256;

/** Rows that one slice deletes: columns of a few blocks, about a megabyte. */
const DELETED_ROWS = 32;

/** Pages of the write-ahead log after which a slice checkpoints it: 1 MiB costs some 10 ms, the 16 MiB of commits too much. */
const CHECKPOINT_PAGES = 256;

/** Gives free pages back to the file system; answers bytes. */
export function* vacuumSlices(writable: () => Database): Generator<void, number, void> {
  const before = pragma(writable(), 'page_count');
  for (let free = pragma(writable(), 'freelist_count'); free > 0;) {
    const database = writable();
    withSetting(database, 'wal_autocheckpoint', CHECKPOINT_PAGES, () => database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`));
    yield;
    const left = pragma(writable(), 'freelist_count');
    if (left >= free) break; // commits took more than was given back: the next vacuum goes on
    free = left;
  }
  shrinkLog(writable());
  return Math.max(0, before - pragma(writable(), 'page_count')) * pragma(writable(), 'page_size');
}

/** Deletes all rows of a collection, each slice in a transaction of its own: dropping full tables would take seconds. */
export function* emptyTables(writable: () => Database, collection: AnyCollection): Generator<void, void, void> {
  for (const table of [blobTable(collection), documentTable(collection)]) {
    const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} LIMIT ${DELETED_ROWS})`;
    while (deleteRows(writable(), sql) > 0) yield;
  }
}

/** Brings the write-ahead log into the file and cuts it, without waiting for readers: they only leave it longer. */
export function shrinkLog(database: Database): void {
  withSetting(database, 'busy_timeout', 0, () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
}

function deleteRows(database: Database, sql: string): number | bigint {
  return withSetting(database, 'wal_autocheckpoint', CHECKPOINT_PAGES, () => database.prepare(sql).run().changes);
}

/** Does `work` under another setting of the connection. */
function withSetting<T>(database: Database, name: 'busy_timeout' | 'wal_autocheckpoint', value: number, work: () => T): T {
  const [before] = Object.values(database.prepare(`PRAGMA ${name}`).get() as Record<string, number>);
  database.exec(`PRAGMA ${name} = ${value}`);
  try {
    return work();
  } finally {
    database.exec(`PRAGMA ${name} = ${before}`);
  }
}

function pragma(database: Database, name: 'page_count' | 'page_size' | 'freelist_count'): number {
  return (database.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[name];
}
