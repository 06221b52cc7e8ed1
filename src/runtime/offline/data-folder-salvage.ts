import { existsSync } from 'node:fs';
import { assertFolderVersion } from '../engines/data-folder-version.js';
import { HindsightError } from '../../errors.js';
import { salvageIntoFolder } from '../../operations/backup/log-salvage-folder.js';
import { EVENT_LOG_FILE, lockDataFolder, toEventLogPath } from '../../streams/adapters/sqlite/data-folder.js';
import {
  type LogSalvage,
  salvageEventLog,
  type SalvageProgressListener,
} from '../../streams/adapters/sqlite/salvage/log-salvage.js';

export type { LogSalvage };

export interface SalvageOptions {
  readonly hindsight: string;
  /** Ms since 1970. */
  readonly now: number;
  readonly onProgress: SalvageProgressListener;
}

/**
 * Saves the event log in `dataDir` into `folder`. Locks the data folder meanwhile. Rejects with `unavailable` while
 * another process uses it, with `not-found` if it has no event log.
 */
export async function salvageDataFolder(
  dataDir: string,
  folder: string,
  { onProgress, ...about }: SalvageOptions,
): Promise<LogSalvage> {
  const file = toEventLogPath(dataDir);
  if (!existsSync(file)) throw new HindsightError('not-found', `${dataDir} contains no event log`);
  assertFolderVersion(dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const sources = { logFile: EVENT_LOG_FILE, salvageLog: (to: string) => salvageEventLog(file, to, onProgress) };
    return await salvageIntoFolder(folder, sources, about);
  } finally {
    lock.release();
  }
}
