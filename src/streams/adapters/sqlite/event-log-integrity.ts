import { type Position, START } from '../../event-store.js';
import { toEventLogPath } from './data-folder.js';
import { openLogChecker } from './event-log-checker.js';
import { openReaderConnection } from './event-log-connection.js';

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

/**
 * One sentence where indexes of the log in `dir` are damaged and no event is; otherwise undefined. Reads the whole log.
 */
export function findIndexOnlyDamage(dir: string): string | undefined {
  const { checker, connection } = openLogChecker(toEventLogPath(dir));
  try {
    let [count, first]: [number, Position | undefined] = [0, undefined];
    for (let after: Position | undefined = START; after !== undefined;) {
      const { reached, damaged } = checker.checkAfter(after);
      if (damaged.some(({ isIndexOnly }) => isIndexOnly !== true)) return undefined;
      count += damaged.length;
      first ??= damaged[0]?.position;
      after = reached;
    }
    return (
      first && `an index of the event log is damaged at ${count} events, from position ${first}; all events are intact`
    );
  } finally {
    connection.close();
  }
}
