import { chmodSync, closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import type { Position } from '../../../streams/event-store.js';
import {
  deleteStore,
  isDamageError,
  quarantineDamagedStore,
  quarantinePath,
  readRecordedDamage,
} from './store-damage.js';
import { openForReading, type SqliteDatabase, STORE_FORMAT } from './sqlite-database.js';
import { readCheckpoint } from './sqlite-tables.js';
import { DatabaseSync } from '@photostructure/sqlite';

/** More faults than an operator reads. */
const MAX_FAULTS = 20;

/**
 * Makes way for new read models where the ones in `file` cannot be gone on with, and answers why; undefined where they can.
 * They hold nothing that the log does not. Damaged ones are kept beside, others are removed. `head` is where the log ends.
 * MUST be called before anybody opens the file.
 */
export function discardUnusableStore(file: string, head: Position): string | undefined {
  if (!existsSync(file)) return undefined;
  const damage = readRecordedDamage(file);
  const unfit =
    damage === undefined
      ? findUnusableReason(file, head)
      : { reason: `the read models are damaged: ${damage}`, damaged: true };
  if (unfit === undefined) return undefined;
  if (!unfit.damaged) deleteStore(file);
  else quarantineDamagedStore(file);
  return unfit.damaged ? `${unfit.reason}; they are kept as ${quarantinePath(file)}` : unfit.reason;
}

/** What SQLite finds wrong with the structure of the read models. Reads the whole file, which nobody may be writing. */
export function checkReadModelIntegrity(file: string): string[] {
  const noted = readRecordedDamage(file);
  if (noted !== undefined) return [noted];
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
    : `the read models have format ${format}, this program writes ${STORE_FORMAT}`;
}

/** Events that the read models have and the log has not were never there for any reader of the log: what comes in their place would be passed by. */
function findCheckpointAheadOfLog(database: SqliteDatabase, head: Position): string | undefined {
  const names = database.prepare('SELECT projection FROM checkpoints').all() as { projection: string }[];
  const ahead = names
    .map(({ projection }) => readCheckpoint(database, projection))
    .find((position) => position !== undefined && position > head);
  return ahead === undefined
    ? undefined
    : `the read models have events up to position ${ahead}, the log ends at ${head === '' ? 'its start' : head}`;
}

/**
 * Copies the read models in `file` as they are at one moment into the new file `to` (0600), durable when this returns. Their
 * writer never waits; its write-ahead log cannot start over before the copy is done (a second for some 700 MB), and shrinks afterwards.
 * False where there are none. Blocks the thread that calls.
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
