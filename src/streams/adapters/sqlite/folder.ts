import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Name of the log's database in the data folder. */
export const LOG_FILE = 'events.db';

/** Space that is kept for commands (see disk-reserve.ts). */
export const RESERVE_FILE = 'reserve';

export function logFile(dir: string): string {
  return join(dir, LOG_FILE);
}

/**
 * Creates the data folder (0700). SQLite gives its side files (-wal, -shm) the mode of their database.
 */
export function createFolder(dir: string): void {
  if (mkdirSync(dir, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(resolve(dir)));
  chmodSync(dir, 0o700);
}

/**
 * Creates an empty file (0600) and makes its name durable. An existing file is not opened: closing any descriptor of a
 * database drops the locks that SQLite holds on it in this process.
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
