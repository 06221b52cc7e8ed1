import type { Settings } from '../config.js';
import type { EngineSettings } from '../engines/engine-settings.js';

/** What every thread of a service is started with. */
export interface ThreadSettings extends EngineSettings, Pick<Settings, 'logLevel' | 'roles'> {}

/** Folder in the data folder for what a verification builds and throws away. */
export const SCRATCH_FOLDER = 'scratch';

/** File in the data folder with what projections were folding last. */
export const ATTEMPTS_FILE = 'attempts.json';
