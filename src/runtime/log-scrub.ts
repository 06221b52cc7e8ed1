import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/settings.js';
import { EventLogScrub, type ScrubState } from '../policies/event-log-scrub.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { LogChecker } from '../streams/log-checker.js';

/** Name of the file in the data folder with the progress and the findings of the scrub. */
export const SCRUB_FILE = 'scrub.json';

/** The scrub of an embedded log; its progress is a file in the data folder. */
export function createLogScrub(
  { dataDir }: Pick<Settings, 'dataDir'>,
  checker: LogChecker,
  log: Logger,
): EventLogScrub {
  const file = join(dataDir, SCRUB_FILE);
  return new EventLogScrub({
    checker,
    load: () => loadState(file, log),
    save: (state) => saveState(file, state, log),
    log,
  });
}

/** Nothing is lost without it: the scrub then begins from the start. */
function loadState(file: string, log: Logger): ScrubState | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as Partial<ScrubState>;
    if (typeof state.position !== 'string' || !Array.isArray(state.damaged)) throw new Error('it has another format');
    return state as ScrubState;
  } catch (error) {
    log.warn('Cannot read the progress of the log check; it begins from the start', { file, error });
    return undefined;
  }
}

/** Not synced: after a power cut the scrub repeats what it had checked. */
function saveState(file: string, state: ScrubState, log: Logger): void {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    log.warn('Cannot save the progress of the log check', { file, error });
  }
}
