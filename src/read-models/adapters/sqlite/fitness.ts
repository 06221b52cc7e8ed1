import { existsSync } from 'node:fs';
import type { Position } from '../../../streams/event-store.js';
import { isDamage, keptDamaged, moveAside, notedDamage, remove } from './damage.js';
import { FORMAT, openForReading, type Database } from './database.js';
import { readCheckpoint } from './tables.js';

/** More faults than an operator reads. */
const MAX_FAULTS = 20;

/**
 * Makes way for new read models where the ones in `file` cannot be gone on with, and answers why; undefined where they can.
 * They hold nothing that the log does not. Damaged ones are kept beside, others are removed. `head` is where the log ends.
 * MUST be called before anybody opens the file.
 */
export function makeWay(file: string, head: Position): string | undefined {
  if (!existsSync(file)) return undefined;
  const damage = notedDamage(file);
  const unfit = damage === undefined ? unfitness(file, head) : { reason: `the read models are damaged: ${damage}`, damaged: true };
  if (unfit === undefined) return undefined;
  if (!unfit.damaged) remove(file);
  else moveAside(file);
  return unfit.damaged ? `${unfit.reason}; they are kept as ${keptDamaged(file)}` : unfit.reason;
}

/** What SQLite finds wrong with the structure of the read models. Reads the whole file, which nobody may be writing. */
export function findDamage(file: string): string[] {
  const noted = notedDamage(file);
  if (noted !== undefined) return [noted];
  let database: Database | undefined;
  try {
    database = openForReading(file);
    const rows = (database?.prepare(`PRAGMA integrity_check(${MAX_FAULTS})`).all() ?? []) as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  } finally {
    database?.close();
  }
}

function unfitness(file: string, head: Position): { readonly reason: string; readonly damaged: boolean } | undefined {
  let database: Database | undefined;
  try {
    database = openForReading(file);
    const reason = database && (formatFault(database) ?? aheadOf(database, head));
    return reason === undefined ? undefined : { reason, damaged: false };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { reason: `the read models are damaged: ${error.message}`, damaged: true };
  } finally {
    database?.close();
  }
}

function formatFault(database: Database): string | undefined {
  const { user_version: format } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return format === FORMAT ? undefined : `the read models have format ${format}, this program writes ${FORMAT}`;
}

/** Events that the read models have and the log has not were never there for any reader of the log: what comes in their place would be passed by. */
function aheadOf(database: Database, head: Position): string | undefined {
  const names = database.prepare('SELECT projection FROM checkpoints').all() as { projection: string }[];
  const ahead = names.map(({ projection }) => readCheckpoint(database, projection)).find((position) => position !== undefined && position > head);
  return ahead === undefined ? undefined : `the read models have events up to position ${ahead}, the log ends at ${head === '' ? 'its start' : head}`;
}
