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

/** The subset of node:sqlite's API that the adapter uses. */
export interface Connection {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/** Time (ms) that a statement waits for a lock held by another thread. */
const BUSY_TIMEOUT_MS = 2_000;

const SYNCHRONOUS_FULL = 2;

/** After a restart the WAL file is truncated to this size. */
const WAL_SIZE_LIMIT_BYTES = 128 * 1024 * 1024;

/**
 * Opens the only connection that writes events; upgrades the schema. Checkpoints never run inside its commits. Throws
 * if the file is damaged, has a newer format, or cannot be opened with durable settings.
 */
export function openWriter(file: string): Connection {
  createPrivateFile(file);
  rewriteWal(file);
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  return closeOnError(database, () =>
    explainDamage(file, () => {
      // Both take effect only before the first table.
      database.exec('PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL');
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
      database.exec(`PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
      assertDurable(database);
      const version = readPragma(database, 'user_version') as number;
      if (version > SCHEMA_VERSION)
        throw new Error(
          `The event log has format ${version}; this version of Hindsight supports up to ${SCHEMA_VERSION}`,
        );
      if (version < SCHEMA_VERSION)
        database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
      assertSchema(database);
    }),
  );
}

/** Turns errors of a file that SQLite cannot open into a message with a remedy. */
function explainDamage(file: string, open: () => void): void {
  try {
    open();
  } catch (error) {
    const { message } = error as Error;
    if (!/not a database|malformed/.test(message)) throw error;
    throw new Error(
      `${file} is damaged at its start (${message}): restore the folder from a backup, or save what can be read with \`hindsight salvage\``,
      {
        cause: error,
      },
    );
  }
}

/**
 * Opens the connection that copies committed pages from the WAL into the database. Both files are synced, so it uses
 * `synchronous = FULL` as well.
 */
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

/** The schema is stored in the file and can be damaged; SQLite would then decode rows differently. */
function assertSchema(database: Connection): void {
  const rows = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all() as {
    sql: string;
  }[];
  if (normalizeSql(rows.map(({ sql }) => sql).join(';')) !== normalizeSql(SCHEMA)) {
    throw new Error('The schema of the event log does not match this version of Hindsight');
  }
}

function normalizeSql(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/ ?; ?/g, ';').trim();
}

/** Rejects connections that would acknowledge appends that are not durable. */
export function assertDurable(database: Connection): void {
  const mode = readPragma(database, 'journal_mode');
  const synchronous = readPragma(database, 'synchronous');
  if (mode !== 'wal' || synchronous !== SYNCHRONOUS_FULL) {
    throw new Error(`The event log is not durable: journal_mode is ${mode}, synchronous is ${synchronous}`);
  }
}

export function readPragma(database: Connection, name: string): string | number {
  return prepareCached(database, `PRAGMA ${name}`).get()?.[name] as string | number;
}

const statements = new WeakMap<Connection, Map<string, Statement>>();

/**
 * Prepares each statement once per connection. The package finalizes statements only on garbage collection, and a
 * closed connection stays allocated until then: preparing repeatedly would grow native memory that the collector does
 * not see.
 */
export function prepareCached(database: Connection, sql: string): Statement {
  const cache = statements.get(database) ?? new Map<string, Statement>();
  if (cache.size === 0) statements.set(database, cache);
  const statement = cache.get(sql) ?? database.prepare(sql);
  cache.set(sql, statement);
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
 * Makes the current content of the WAL of `file` durable. After a failed sync, the kernel marks pages as clean although
 * they are not on disk: a later sync would succeed without writing them, and a power failure would lose acknowledged
 * events. So every byte is written again in place, which is safe to interrupt at any moment. MUST be called before a
 * connection appends to a WAL left by another connection or process.
 */
function rewriteWal(file: string): void {
  const wal = `${file}-wal`;
  if (!existsSync(wal)) return;
  const descriptor = openSync(wal, 'r+');
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let offset = 0, bytes; (bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, offset)) > 0; offset += bytes)
      writeFully(descriptor, chunk.subarray(0, bytes), offset);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeFully(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(descriptor, bytes, written, bytes.length - written, offset + written);
}
