import { join } from 'node:path';
import { createBackup, type BackupOptions } from '../../operations/backup/backup-creation.js';
import type { BackupManifest } from '../../operations/backup/backup-manifest.js';
import { restoreBackup, type RestoreResult, type RestoreOptions } from '../../operations/backup/backup-restore.js';
import { SqliteReadModelReader } from '../../read-models/adapters/sqlite/read-model-reader.js';
import { openScratchStore } from '../../read-models/adapters/sqlite/scratch-store.js';
import { copyReadModels } from '../../read-models/adapters/sqlite/read-model-file.js';
import { openEventReader } from '../../streams/adapters/sqlite/sqlite-event-reader.js';
import { EVENT_LOG_FILE } from '../../streams/adapters/sqlite/data-folder.js';
import { copyEventLog } from '../../streams/adapters/sqlite/event-log-copy.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { assertFolderVersion } from '../engines/data-folder-version.js';
import { assertIntactWal } from '../engines/event-log.js';
import { READ_MODELS_FILE, SCRATCH_FOLDER } from '../engines/engine-settings.js';

/**
 * Backs up the stores in `dataDir` into `folder`. Reads over connections of its own; a running service is not involved.
 * Rejects with `SettingsError` if a damaged write-ahead log would hide events of a stopped one.
 */
export async function backUpDataFolder(
  dataDir: string,
  folder: string,
  options: BackupOptions,
): Promise<BackupManifest> {
  assertFolderVersion(dataDir);
  assertIntactWal(dataDir);
  const sources = {
    logFile: EVENT_LOG_FILE,
    readModelsFile: READ_MODELS_FILE,
    copyLog: (to: string, onProgress: BackupOptions['onProgress']) => copyEventLog(dataDir, to, { onProgress }),
    copyReadModels: (to: string) => copyReadModels(join(dataDir, READ_MODELS_FILE), to),
    openReadModels: (file: string) => new SqliteReadModelReader(file),
  };
  return createBackup(folder, sources, options);
}

/** Restores a backup into `dataDir`, which must be empty or missing. */
export function restoreDataFolder(backup: string, dataDir: string, options: RestoreOptions): Promise<RestoreResult> {
  const stores = {
    logFile: EVENT_LOG_FILE,
    copyLogUntil: (
      folder: string,
      to: string,
      until: NonNullable<RestoreOptions['until']>,
      onProgress: RestoreOptions['onProgress'],
    ) => copyEventLog(folder, to, { until, onProgress }),
    openReadModels: (file: string) => new SqliteReadModelReader(file),
    openLog: (folder: string) => openEventReader(folder, new InProcessFeed()),
    scratch: (folder: string) => () => openScratchStore(join(folder, SCRATCH_FOLDER)),
  };
  return restoreBackup(backup, dataDir, stores, options);
}
