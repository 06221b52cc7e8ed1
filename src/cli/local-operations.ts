import { EMBEDDED, type Settings } from '../config/settings.js';
import { HindsightError } from '../errors.js';
import { connectControlSocket, controlSocketPath } from '../operations/control-socket.js';
import type { Operations } from '../operations/operations-port.js';
import { printNote } from './terminal-output.js';

/** Runs `work` through the service that runs on the data folder, or on the stores themselves if none runs. */
export async function withOperations<Result>(
  settings: Settings,
  work: (operations: Operations) => Promise<Result>,
): Promise<Result> {
  const running = await connectControlSocket(controlSocketPath(settings.dataDir));
  if (running !== undefined) return work(running);
  // Loaded on demand: it imports every store, and remote commands need none.
  const { openOfflineOperations } = await import('../runtime/offline/offline-operations.js');
  const stores = await openOfflineOperations(settings, writeNotice);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/**
 * Resolves to the named projection, or to all that this process owns; then names the owners of the rest on stderr.
 * Rejects with `not-found` for an unknown projection, with `unavailable` when this process owns none: the command would
 * do nothing.
 */
export async function resolveProjections(
  operations: Operations,
  projection: string | undefined,
  notify = writeNotice,
): Promise<readonly string[]> {
  const known = await operations.projections();
  if (projection !== undefined && known.includes(projection)) return [projection];
  const elsewhere = await operations.elsewhere();
  const others = elsewhere === undefined ? '' : `; ${elsewhere}`;
  if (projection !== undefined)
    throw new HindsightError(
      'not-found',
      `There is no projection "${projection}"; available: ${known.join(', ')}${others}`,
    );
  if (known.length === 0)
    throw new HindsightError(
      'unavailable',
      `This process owns no shards yet${others}\n  → retry in 10 s, or run the command on an owner`,
    );
  if (elsewhere !== undefined) notify(`${elsewhere}; run this command there, too`);
  return known;
}

/** Prints to stderr, as stdout may be JSON. */
function writeNotice(text: string): void {
  printNote(`hindsight: ${text}`);
}

/**
 * Data folder for a backup. Throws when log or read models are elsewhere: a copy of the rest would not be a complete
 * backup.
 * @param logOnly whether only the log is needed
 */
export function requireEmbeddedDataDir(
  { dataDir, eventStoreUrl, readStoreUrl }: Pick<Settings, 'dataDir' | 'eventStoreUrl' | 'readStoreUrl'>,
  logOnly = false,
): string {
  if (eventStoreUrl !== EMBEDDED)
    throw createExternalStoreError(
      'The event log is in EventStoreDB',
      'back up EventStoreDB with its own tools; read models can be rebuilt from the log',
    );
  if (readStoreUrl !== EMBEDDED && !logOnly)
    throw createExternalStoreError(
      'The read models are in MongoDB',
      'back up the log with --log-only; read models can be rebuilt from it',
    );
  return dataDir;
}

function createExternalStoreError(reason: string, remedy: string): HindsightError {
  return new HindsightError(
    'unavailable',
    `${reason}, but this command copies data folders\n  → ${remedy} (docs/deploying.md)`,
  );
}
