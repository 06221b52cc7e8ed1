import { existsSync } from 'node:fs';
import { isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { openLogReader } from '../engines/log.js';
import { HindsightError } from '../errors.js';
import { exportSlice, findGrid, type Exported, type ExportOptions } from '../slices/export-slice.js';
import { logFile } from '../streams/adapters/sqlite/folder.js';
import { InProcessFeed } from '../streams/live/in-process.js';

/**
 * Writes a slice of a Grid, by its id or name, from the log that the settings name. A service that runs on it is not asked and goes on: this process reads
 * over a connection of its own.
 */
export async function exportFromStores(settings: EngineSettings, grid: string, file: string, options: Omit<ExportOptions, 'gridId'>): Promise<Exported> {
  const { dataDir } = settings;
  if (isLogEmbedded(settings) && !existsSync(logFile(dataDir))) throw new HindsightError('not-found', `${dataDir} has no log: nothing was ever stored there`);
  const log = await openLogReader(settings, new InProcessFeed());
  try {
    return await exportSlice(log, file, { ...options, gridId: await findGrid(log, grid) });
  } finally {
    await log.close();
  }
}
