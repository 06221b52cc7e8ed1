import { DatabaseSync } from '@photostructure/sqlite';
import { createPrivateFile } from './data-folder.js';
import { SCHEMA, SCHEMA_VERSION } from './event-log-schema.js';
import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';

export type SqlValue = number | string | Uint8Array | null;

export interface Statement {
  run(...values: readonly SqlValue[]): { readonly lastInsertRowid: number | bigint };
  get(...values: readonly SqlValue[]): Readonly<Record<string, SqlValue>> | undefined;
  all(...values: readonly SqlValue[]): unknown[];
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
const BUSY_TIMEOUT_MS = 2_000;

const SYNCHRONOUS_FULL = 2;

/** The size to which the WAL file shrinks once it has outgrown it. */
const WAL_SIZE_LIMIT_BYTES = 128 * 1024 * 1024;

/** The one connection that writes events. Checkpoints never run inside its commits. */
export function openWriter(file: string): Connection {
  createPrivateFile(file);
  rewriteWal(file);
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  return closeOnError(database, () =>
    explainDamage(file, () => {
      // Both take effect only before the first table.
      database.exec('PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL');
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
      database.exec(`PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
      assertDurable(database);
      const version = readPragma(database, 'user_version') as number;
      if (version > SCHEMA_VERSION)
        throw new Error(`The log has format ${version}; this program knows ${SCHEMA_VERSION}`);
      if (version < SCHEMA_VERSION)
        database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
      assertSchema(database);
    }),
  );
}

/** A log that cannot be opened at all is told in words that an operator can act on. */
function explainDamage(file: string, open: () => void): void {
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
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  return closeOnError(database, () => {
    database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
    assertDurable(database);
  });
}

export function openReaderConnection(file: string): Connection {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  return closeOnError(database, () => assertSchema(database));
}

/** The schema is text in the file and can be damaged like the rest: then SQLite would read the rows in another way. */
function assertSchema(database: Connection): void {
  const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all() as {
    sql: string;
  }[];
  if (normalizeSql(rows.map(({ sql }) => sql).join(';')) !== normalizeSql(SCHEMA)) {
    throw new Error('The schema of the event log is not what this program made');
  }
}

function normalizeSql(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/ ?; ?/g, ';').trim();
}

/** An acknowledgement is a promise: a connection that would not keep it is refused. */
export function assertDurable(database: Connection): void {
  const mode = readPragma(database, 'journal_mode');
  const synchronous = readPragma(database, 'synchronous');
  if (mode !== 'wal' || synchronous !== SYNCHRONOUS_FULL) {
    throw new Error(`The log is not durable: journal_mode is ${mode}, synchronous is ${synchronous}`);
  }
}

export function readPragma(database: Connection, name: string): string | number {
  return prepareCached(database, `PRAGMA ${name}`).get()?.[name] as string | number;
}

const statements = new WeakMap<Connection, Map<string, Statement>>();

/**
 * The statement, prepared once a connection. The package ends statements only when they are collected as garbage, and a
 * closed connection lingers until then: whoever prepares again and again fills memory that the collector does not see.
 */
export function prepareCached(database: Connection, sql: string): Statement {
  const known = statements.get(database) ?? new Map<string, Statement>();
  if (known.size === 0) statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

function closeOnError(database: Connection, prepare: () => void): Connection {
  try {
    prepare();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * Makes the WAL of `file` durable as it reads now. After a failed sync the kernel takes its pages for clean although the
 * disk does not have them: a later sync succeeds without writing them, and a power cut would take what was acknowledged
 * behind them. So every byte is written again, in place, which a cut at any moment leaves as it is.
 * MUST be called before a connection appends to a WAL that another connection or process has left.
 */
function rewriteWal(file: string): void {
  const wal = `${file}-wal`;
  if (!existsSync(wal)) return;
  const descriptor = openSync(wal, 'r+');
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let at = 0, bytes; (bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, at)) > 0; at += bytes)
      writeFully(descriptor, chunk.subarray(0, bytes), at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeFully(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
}
