import { openReaderConnection } from './event-log-connection.js';
import { toEventLogPath } from './data-folder.js';

/** More entries would not help an operator. */
const MAX_FAULTS = 20;

/**
 * Runs SQLite's integrity check on the log in `dir` (pages, key order, indexes against their table) and returns its
 * findings. Events verify their own checksums on read; this finds damage that could hide events. Reads the whole file.
 */
export function findLogStructureDamage(dir: string): string[] {
  const database = openReaderConnection(toEventLogPath(dir));
  try {
    const rows = database.prepare(`PRAGMA integrity_check(${MAX_FAULTS})`).all() as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok');
  } catch (error) {
    return [(error as Error).message];
  } finally {
    database.close();
  }
}
