import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolderAtomically } from './atomic-folder.js';

/** File in the new folder that says what could not be saved. */
export const SALVAGE_REPORT_FILE = 'salvage.json';

/** Access to the damaged log. */
export interface SalvageSources<Report extends object> {
  readonly logFile: string;
  /** Saves what can be read into the new file `to`. */
  salvageLog(to: string): Promise<Report>;
}

/**
 * Saves a damaged event log into `folder`, which must be empty or missing: complete, or not at all. The folder holds the
 * log and a report; its first start builds the read models.
 */
export function salvageIntoFolder<Report extends object>(
  folder: string,
  sources: SalvageSources<Report>,
  { hindsight, now }: { readonly hindsight: string; readonly now: number },
): Promise<Report> {
  return createFolderAtomically(folder, async (draft) => {
    const report = await sources.salvageLog(join(draft, sources.logFile));
    const text = JSON.stringify({ hindsight, salvagedAt: new Date(now).toISOString(), ...report }, null, 2);
    await writeFile(join(draft, SALVAGE_REPORT_FILE), `${text}\n`, { mode: 0o600, flush: true });
    return report;
  });
}
