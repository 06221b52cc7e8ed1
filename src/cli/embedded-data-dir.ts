import { EMBEDDED, type Settings } from '../config.js';
import { HindsightError } from '../errors.js';

/**
 * The data folder, where it holds what a backup is of. Throws where log or read models are kept elsewhere: a copy of the rest would
 * look like a backup and be none.
 * @param logOnly whether the log is all that is asked for
 */
export function embeddedDataDir({ dataDir, eventStoreUrl, readStoreUrl }: Pick<Settings, 'dataDir' | 'eventStoreUrl' | 'readStoreUrl'>, logOnly = false): string {
  if (eventStoreUrl !== EMBEDDED) throw elsewhere('the log is in EventStoreDB', 'back EventStoreDB up by its own means: read models are built anew from the log');
  if (readStoreUrl !== EMBEDDED && !logOnly) throw elsewhere('the read models are in MongoDB', 'back the log up with --log-only: read models are built anew from it');
  return dataDir;
}

function elsewhere(why: string, remedy: string): HindsightError {
  return new HindsightError('unavailable', `${why}, and this command copies data folders\n  → ${remedy} (docs/deploying.md)`);
}
