import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { HindsightError } from '../../../errors.js';
import { createFolder, createPrivateFile } from './folder.js';

/** A restart may overlap the last moments of the process before it. */
const PATIENCE_MS = 250;

const SQLITE_BUSY = 5;

export interface FolderLock {
  /** Legal twice. */
  release(): void;
}

/**
 * Claims the data folder for this process: an exclusive transaction on a lock database, which the kernel ends when the
 * process dies, however it dies. Throws `unavailable` when another process has it.
 */
export function lockFolder(dir: string): FolderLock {
  createFolder(dir);
  const file = join(dir, 'lock.db');
  createPrivateFile(file);
  const database = new DatabaseSync(file, { timeout: PATIENCE_MS });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw isBusy(error) ? inUse(dir, error) : error;
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

function inUse(dir: string, cause: unknown): HindsightError {
  return new HindsightError('unavailable', `DATA_DIR ${dir} is in use by another Hindsight process`, [], { cause });
}
