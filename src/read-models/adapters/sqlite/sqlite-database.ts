import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { createCheckpointTable } from './sqlite-tables.js';

const MAX_CACHED_STATEMENTS = 256;

/** How rows are laid out, in the file's `user_version`; another one makes way (see fitness.ts). */
export const STORE_FORMAT = 1;

/** One connection with its prepared statements. */
export class SqliteDatabase {
  private readonly statements = new Map<string, StatementSyncInstance>();

  constructor(private readonly connection: InstanceType<typeof DatabaseSync>) {}

  prepare(sql: string): StatementSyncInstance {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      if (this.statements.size >= MAX_CACHED_STATEMENTS) this.statements.clear();
      this.statements.set(sql, (statement = this.connection.prepare(sql)));
    }
    return statement;
  }

  exec(sql: string): void {
    this.connection.exec(sql);
  }

  /** Runs `work` in one write transaction; rolls back whatever it did when it throws. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.connection.isTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /** Prepared statements hold the old schema. */
  forgetStatements(): void {
    this.statements.clear();
  }

  close(): void {
    this.statements.clear();
    if (this.connection.isOpen) this.connection.close();
  }
}

/**
 * Read models are rebuilt from the log, so `synchronous=NORMAL`: a power cut may lose the last commits,
 * never tear one, and the checkpoint goes back with them; `OFF` is for files that nobody needs afterwards.
 * 4 KiB pages: a blob wastes half a page on average.
 */
export function openForWriting(file: string, synchronous: 'NORMAL' | 'OFF' = 'NORMAL'): SqliteDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(file, { timeout: 5000 });
  chmodSync(file, 0o600);
  const database = new SqliteDatabase(connection);
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA page_size = 4096');
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 4000`);
  database.exec('PRAGMA cache_size = -65536; PRAGMA journal_size_limit = 67108864');
  database.exec(`PRAGMA user_version = ${STORE_FORMAT}`);
  createCheckpointTable(database);
  return database;
}

/** A second connection that only reads; undefined while the writer has not created the file yet. */
export function openForReading(file: string): SqliteDatabase | undefined {
  if (!existsSync(file)) return undefined;
  const database = new SqliteDatabase(new DatabaseSync(file, { readOnly: true, timeout: 5000 }));
  try {
    database.exec('PRAGMA cache_size = -65536');
    return database;
  } catch (error) {
    database.close(); // a damaged file is opened again and again
    throw error;
  }
}
