import { existsSync } from 'node:fs';
import { assertFolderVersion } from '../engines/data-folder-version.js';
import { isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { openEventLogReader } from '../engines/event-log.js';
import { HindsightError } from '../../errors.js';
import {
  exportIncidentFile,
  findGridId,
  type ExportResult,
  type ExportOptions,
} from '../../operations/incident-files/incident-export.js';
import { toEventLogPath } from '../../streams/adapters/sqlite/data-folder.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';

/**
 * Writes an incident file of a Grid, named by id or name, from the event log of the settings. Reads over a connection
 * of its own; a running service is not involved.
 */
export async function exportFromEventLog(
  settings: EngineSettings,
  grid: string,
  file: string,
  options: Omit<ExportOptions, 'gridId'>,
): Promise<ExportResult> {
  const { dataDir } = settings;
  if (isLogEmbedded(settings) && !existsSync(toEventLogPath(dataDir)))
    throw new HindsightError('not-found', `${dataDir} contains no event log`);
  assertFolderVersion(dataDir);
  const log = await openEventLogReader(settings, new InProcessFeed());
  try {
    return await exportIncidentFile(log, file, { ...options, gridId: await findGridId(log, grid) });
  } finally {
    await log.close();
  }
}
