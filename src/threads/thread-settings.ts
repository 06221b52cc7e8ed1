import type { LogLevel } from '../config.js';

/** What every thread of a service on embedded stores is started with. */
export interface ThreadSettings {
  readonly dataDir: string;
  readonly logLevel: LogLevel;
}

/** File of the embedded read models in the data folder. */
export const READ_MODELS_FILE = 'read-models.db';

/** Folder in the data folder for what a verification builds and throws away. */
export const SCRATCH_FOLDER = 'scratch';

/** File in the data folder with what projections were folding last. */
export const ATTEMPTS_FILE = 'attempts.json';
