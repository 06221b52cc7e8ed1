import { join } from 'node:path';
import { backUp, type BackupOptions } from '../backup/backup.js';
import type { Manifest } from '../backup/manifest.js';
import { restore, type Restored, type RestoreOptions } from '../backup/restore.js';
import { SqliteReadModelReader } from '../read-models/adapters/sqlite/read-model-reader.js';
import { openScratchStore } from '../read-models/adapters/sqlite/scratch-store.js';
import { copyReadModels } from '../read-models/adapters/sqlite/store-copy.js';
import { openEventReader } from '../streams/adapters/sqlite/event-reader.js';
import { LOG_FILE } from '../streams/adapters/sqlite/folder.js';
import { copyLog } from '../streams/adapters/sqlite/log-copy.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { READ_MODELS_FILE } from '../engines/engine-settings.js';
import { SCRATCH_FOLDER } from '../threads/thread-settings.js';

/**
 * Backs the stores in `dataDir` up. A service that runs on them is not asked and goes on: this process reads over connections of its own.
 */
export function backUpStores(dataDir: string, folder: string, options: BackupOptions): Promise<Manifest> {
  const sources = {
    logFile: LOG_FILE,
    readModelsFile: READ_MODELS_FILE,
    copyLog: (to: string, onProgress: BackupOptions['onProgress']) => copyLog(dataDir, to, { onProgress }),
    copyReadModels: (to: string) => copyReadModels(join(dataDir, READ_MODELS_FILE), to),
    openReadModels: (file: string) => new SqliteReadModelReader(file),
  };
  return backUp(folder, sources, options);
}

/** Puts the backup into `dataDir`, which must be empty or not be there. */
export function restoreStores(backup: string, dataDir: string, options: RestoreOptions): Promise<Restored> {
  const stores = {
    logFile: LOG_FILE,
    cutLog: (folder: string, to: string, until: NonNullable<RestoreOptions['until']>, onProgress: RestoreOptions['onProgress']) => copyLog(folder, to, { until, onProgress }),
    openReadModels: (file: string) => new SqliteReadModelReader(file),
    openLog: (folder: string) => openEventReader(folder, new InProcessFeed()),
    scratch: (folder: string) => () => openScratchStore(join(folder, SCRATCH_FOLDER)),
  };
  return restore(backup, dataDir, stores, options);
}
