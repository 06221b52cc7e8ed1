import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Position } from '../../../streams/event-store.js';
import {
  deleteStore,
  isDamageError,
  quarantineDamagedStore,
  quarantinePath,
  readRecordedDamage,
} from './store-damage.js';
import { SqliteDatabase } from './sqlite-database.js';
import { createCheckpointTable, readCheckpoint } from './sqlite-tables.js';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * Format of the rows, stored in `user_version` of the file; files with another one are discarded (see
 * read-model-file.ts).
 */
export const STORE_FORMAT = 1;

/** Maximum number of reported faults. */
const MAX_FAULTS = 20;

/**
 * Discards the read models in `file` if they cannot be used, and returns why; undefined if they can. They contain
 * nothing that is not in the log. Damaged files are quarantined, others are deleted. `head`: end of the log. MUST be
 * called before the file is opened.
 */
export function discardUnusableStore(file: string, head: Position): string | undefined {
  if (!existsSync(file)) return undefined;
  const damage = readRecordedDamage(file);
  const unusable =
    damage === undefined
      ? findUnusableReason(file, head)
      : { reason: `the read models are damaged: ${damage}`, damaged: true };
  if (unusable === undefined) return undefined;
  if (!unusable.damaged) deleteStore(file);
  else quarantineDamagedStore(file);
  return unusable.damaged ? `${unusable.reason}; moved to ${quarantinePath(file)}` : unusable.reason;
}

/**
 * Faults that SQLite finds in the structure of the read models; empty if there are none. Reads the whole file, which
 * must not be written meanwhile.
 */
export function checkReadModelIntegrity(file: string): string[] {
  const recorded = readRecordedDamage(file);
  if (recorded !== undefined) return [recorded];
  let database: SqliteDatabase | undefined;
  try {
    database = openForReading(file);
    const rows = (database?.prepare(`PRAGMA integrity_check(${MAX_FAULTS})`).all() ?? []) as {
      integrity_check: string;
    }[];
    return rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  } finally {
    database?.close();
  }
}

function findUnusableReason(
  file: string,
  head: Position,
): { readonly reason: string; readonly damaged: boolean } | undefined {
  let database: SqliteDatabase | undefined;
  try {
    database = openForReading(file);
    const reason = database && (findFormatMismatch(database) ?? findCheckpointAheadOfLog(database, head));
    return reason === undefined ? undefined : { reason, damaged: false };
  } catch (error) {
    if (!isDamageError(error)) throw error;
    return { reason: `the read models are damaged: ${error.message}`, damaged: true };
  } finally {
    database?.close();
  }
}

function findFormatMismatch(database: SqliteDatabase): string | undefined {
  const { user_version: format } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return format === STORE_FORMAT
    ? undefined
    : `the read models have format ${format}, but this version uses format ${STORE_FORMAT}`;
}

/**
 * Detects read models that are ahead of the log, which therefore contain events that no reader of the log ever saw: the
 * events that take their positions would be skipped.
 */
function findCheckpointAheadOfLog(database: SqliteDatabase, head: Position): string | undefined {
  const names = database.prepare('SELECT projection FROM checkpoints').all() as { projection: string }[];
  const ahead = names
    .map(({ projection }) => readCheckpoint(database, projection))
    .find((position) => position !== undefined && position > head);
  return ahead === undefined
    ? undefined
    : `the read models contain events up to position ${ahead}, but the log ends at ${head === '' ? 'its start' : head}`;
}

/**
 * Copies a consistent snapshot of the read models in `file` into the new file `to` (0600), durable when this returns.
 * Never blocks the writer; the write-ahead log cannot be truncated until the copy is done (about a second per 700 MB).
 * False if there are no read models. Blocks the calling thread.
 */
export function copyReadModels(file: string, to: string): boolean {
  if (!existsSync(file)) return false;
  closeSync(openSync(to, 'wx', 0o600));
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  chmodSync(to, 0o600);
  const descriptor = openSync(to, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/** Page cache (bytes) of a connection. The cache of the operating system holds the same pages. */
export const DEFAULT_PAGE_CACHE_BYTES = 8 * 1024 * 1024;

interface WriteOptions {
  readonly synchronous?: 'NORMAL' | 'OFF';
  readonly pageCacheBytes?: number;
}

/** SQLite takes a negative size as KiB. */
function setPageCache(bytes: number): string {
  return `PRAGMA cache_size = -${Math.max(1, Math.floor(bytes / 1024))}`;
}

/**
 * Opens the file for writing and creates it if necessary. Read models can be rebuilt from the log, so
 * `synchronous=NORMAL`: a power failure may lose the last commits together with their checkpoints, but never a part of
 * one. `OFF` is for temporary files. 4 KiB pages: a blob wastes half a page on average.
 */
export function openForWriting(
  file: string,
  { synchronous = 'NORMAL', pageCacheBytes = DEFAULT_PAGE_CACHE_BYTES }: WriteOptions = {},
): SqliteDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(file, { timeout: 5000 });
  chmodSync(file, 0o600);
  const database = new SqliteDatabase(connection);
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA page_size = 4096');
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 4000`);
  database.exec(`${setPageCache(pageCacheBytes)}; PRAGMA journal_size_limit = 67108864`);
  database.exec(`PRAGMA user_version = ${STORE_FORMAT}`);
  createCheckpointTable(database);
  return database;
}

/** Opens a read-only connection; undefined if the file does not exist yet. */
export function openForReading(file: string, pageCacheBytes = DEFAULT_PAGE_CACHE_BYTES): SqliteDatabase | undefined {
  if (!existsSync(file)) return undefined;
  const database = new SqliteDatabase(new DatabaseSync(file, { readOnly: true, timeout: 5000 }));
  try {
    database.exec(setPageCache(pageCacheBytes));
    return database;
  } catch (error) {
    database.close(); // a damaged file is opened again and again
    throw error;
  }
}
