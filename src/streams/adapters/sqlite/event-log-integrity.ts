import { openReaderConnection } from './event-log-connection.js';
import { toEventLogPath } from './data-folder.js';

/** More faults than an operator reads. */
const MAX_FAULTS = 20;

/**
 * What SQLite finds wrong with the structure of the log in `dir`: pages, order of keys, indexes against their table.
 * Events verify themselves when they are read; this finds damage that would hide some. Reads the whole file.
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
