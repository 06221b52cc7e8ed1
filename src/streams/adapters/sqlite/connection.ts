import { DatabaseSync } from '@photostructure/sqlite';
import { createPrivateFile } from './folder.js';
import { SCHEMA, SCHEMA_VERSION } from './schema.js';
import { rewriteWal } from './wal-file.js';

export type Value = number | string | Uint8Array | null;

export interface Statement {
  run(...values: readonly Value[]): { readonly lastInsertRowid: number | bigint };
  get(...values: readonly Value[]): Readonly<Record<string, Value>> | undefined;
  all(...values: readonly Value[]): unknown[];
}

/** What we use of node:sqlite's API. */
export interface Connection {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/** Milliseconds that a statement waits for a lock of another thread. */
const BUSY_MS = 2_000;

const FULL = 2;

/** The size to which the WAL file shrinks once it has outgrown it. */
const WAL_KEEP_BYTES = 128 * 1024 * 1024;

/** The one connection that writes events. Checkpoints never run inside its commits. */
export function openWriter(file: string): Connection {
  createPrivateFile(file);
  rewriteWal(file);
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  return closedOnError(database, () => named(file, () => {
    // Both take effect only before the first table.
    database.exec('PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL');
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
    database.exec(`PRAGMA journal_size_limit = ${WAL_KEEP_BYTES}`);
    assertDurable(database);
    const version = pragma(database, 'user_version') as number;
    if (version > SCHEMA_VERSION) throw new Error(`The log has format ${version}; this program knows ${SCHEMA_VERSION}`);
    if (version < SCHEMA_VERSION) database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
    assertSchema(database);
  }));
}

/** A log that cannot be opened at all is told in words that an operator can act on. */
function named(file: string, open: () => void): void {
  try {
    open();
  } catch (error) {
    const { message } = error as Error;
    if (!/not a database|malformed/.test(message)) throw error;
    throw new Error(`${file} is damaged at its start (${message}): restore the folder from a backup`, { cause: error });
  }
}

/** Moves committed pages from the WAL into the database; it syncs both, so it asks for FULL as well. */
export function openCheckpointer(file: string): Connection {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  return closedOnError(database, () => {
    database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
    assertDurable(database);
  });
}

export function openReaderConnection(file: string): Connection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  return closedOnError(database, () => assertSchema(database));
}

/** The schema is text in the file and can be damaged like the rest: then SQLite would read the rows in another way. */
function assertSchema(database: Connection): void {
  const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all() as { sql: string }[];
  if (words(rows.map(({ sql }) => sql).join(';')) !== words(SCHEMA)) {
    throw new Error('The schema of the event log is not what this program made');
  }
}

function words(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/ ?; ?/g, ';').trim();
}

/** An acknowledgement is a promise: a connection that would not keep it is refused. */
export function assertDurable(database: Connection): void {
  const mode = pragma(database, 'journal_mode');
  const synchronous = pragma(database, 'synchronous');
  if (mode !== 'wal' || synchronous !== FULL) {
    throw new Error(`The log is not durable: journal_mode is ${mode}, synchronous is ${synchronous}`);
  }
}

export function pragma(database: Connection, name: string): string | number {
  return prepared(database, `PRAGMA ${name}`).get()?.[name] as string | number;
}

const statements = new WeakMap<Connection, Map<string, Statement>>();

/**
 * The statement, prepared once a connection. The package ends statements only when they are collected as garbage, and a
 * closed connection lingers until then: whoever prepares again and again fills memory that the collector does not see.
 */
export function prepared(database: Connection, sql: string): Statement {
  const known = statements.get(database) ?? new Map<string, Statement>();
  if (known.size === 0) statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

function closedOnError(database: Connection, prepare: () => void): Connection {
  try {
    prepare();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
