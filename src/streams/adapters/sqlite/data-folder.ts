import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { HindsightError } from '../../../errors.js';

/** File name of the event log in the data folder. */
export const EVENT_LOG_FILE = 'events.db';

/** File that reserves disk space for commands (see disk-reserve.ts). */
export const RESERVE_FILE = 'reserve';

export function toEventLogPath(dir: string): string {
  return join(dir, EVENT_LOG_FILE);
}

/** Creates the data folder (mode 0700). SQLite gives its side files (-wal, -shm) the mode of their database. */
export function createDataFolder(dir: string): void {
  if (mkdirSync(dir, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(resolve(dir)));
  chmodSync(dir, 0o700);
}

/**
 * Creates an empty file (mode 0600) and makes its directory entry durable. An existing file is not opened: closing any
 * descriptor of a database releases the locks that SQLite holds on it in this process.
 */
export function createPrivateFile(path: string): void {
  if (existsSync(path)) {
    chmodSync(path, 0o600);
    return;
  }
  closeSync(openSync(path, 'wx', 0o600));
  syncFolder(dirname(path));
}

function syncFolder(dir: string): void {
  const descriptor = openSync(dir, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A new process may start before the old one has exited. */
const LOCK_TIMEOUT_MS = 250;

const SQLITE_BUSY = 5;

export interface DataFolderLock {
  /** Safe to call twice. */
  release(): void;
}

/**
 * Locks the data folder for this process by an exclusive transaction on a lock database; the kernel releases it when
 * the process ends. Throws `unavailable` when another process holds it.
 */
export function lockDataFolder(dir: string): DataFolderLock {
  createDataFolder(dir);
  const file = join(dir, 'lock.db');
  createPrivateFile(file);
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw isBusy(error) ? toFolderInUseError(dir, error) : error;
  }
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function toFolderInUseError(dir: string, cause: unknown): HindsightError {
  return new HindsightError('unavailable', `DATA_DIR ${dir} is in use by another Hindsight process`, [], { cause });
}
