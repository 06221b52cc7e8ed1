import { existsSync } from 'node:fs';
import { assertFolderVersion } from '../engines/data-folder-version.js';
import { isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { assertIntactWal, openEventLogReader } from '../engines/event-log.js';
import { HindsightError } from '../../errors.js';
import {
  exportIncidentFile,
  findGridId,
  type ExportResult,
  type ExportOptions,
} from '../../operations/incident-files/incident-export.js';
import { toEventLogPath } from '../../streams/adapters/sqlite/data-folder.js';
import { DamageSkippingReader } from '../../streams/damage-skipping-reader.js';
import type { Position } from '../../streams/event-store.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';

export interface OfflineExportResult extends ExportResult {
  /** Positions of damaged events that were skipped: the file lacks them. */
  readonly damaged: readonly Position[];
}

/**
 * Writes an incident file of a Grid, named by id or name, from the event log of the settings. Reads over a connection
 * of its own; a running service is not involved. Rejects with `SettingsError` if a damaged write-ahead log would hide
 * events of a stopped one.
 */
export async function exportFromEventLog(
  settings: EngineSettings,
  grid: string,
  file: string,
  options: Omit<ExportOptions, 'gridId'>,
): Promise<OfflineExportResult> {
  const { dataDir } = settings;
  if (isLogEmbedded(settings) && !existsSync(toEventLogPath(dataDir)))
    throw new HindsightError('not-found', `${dataDir} contains no event log`);
  assertFolderVersion(dataDir);
  if (isLogEmbedded(settings)) assertIntactWal(dataDir);
  const log = await openEventLogReader(settings, new InProcessFeed());
  try {
    const readable = new DamageSkippingReader(log);
    const exported = await exportIncidentFile(readable, file, { ...options, gridId: await findGridId(readable, grid) });
    return { ...exported, damaged: readable.damaged };
  } finally {
    await log.close();
  }
}
