import { EMBEDDED, type Settings } from '../config/settings.js';
import { HindsightError } from '../errors.js';
import { connectControlSocket, controlSocketPath } from '../operations/control-socket.js';
import type { Operations } from '../operations/operations-port.js';

/** Works through the service that runs on the data folder, or on the stores themselves when none does. */
export async function withOperations<Result>(
  settings: Settings,
  work: (operations: Operations) => Promise<Result>,
): Promise<Result> {
  const running = await connectControlSocket(controlSocketPath(settings.dataDir));
  if (running !== undefined) return work(running);
  // Loaded where it is needed: it knows every store, and a remote command needs none.
  const { openOfflineOperations } = await import('../runtime/offline/offline-operations.js');
  const stores = await openOfflineOperations(settings, writeNotice);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** The one that was asked for, or all that are kept there; others are told of on stderr. Rejects with `unavailable` where none is: nothing would have been done. */
export async function resolveProjections(
  operations: Operations,
  projection: string | undefined,
  tell = writeNotice,
): Promise<readonly string[]> {
  const known = await operations.projections();
  if (projection !== undefined && known.includes(projection)) return [projection];
  const elsewhere = await operations.elsewhere();
  const others = elsewhere === undefined ? '' : `; ${elsewhere}`;
  if (projection !== undefined)
    throw new HindsightError(
      'not-found',
      `there is no projection "${projection}"; there are ${known.join(', ')}${others}`,
    );
  if (known.length === 0)
    throw new HindsightError(
      'unavailable',
      `this process keeps no read models at the moment${others}\n  → shares come within 10 s of its start: run it again, or where they are`,
    );
  if (elsewhere !== undefined) tell(`${elsewhere}: run this there too`);
  return known;
}

/** Beside the answer, which may be JSON. */
function writeNotice(text: string): void {
  process.stderr.write(`hindsight: ${text}\n`);
}

/**
 * The data folder, where it holds what a backup is of. Throws where log or read models are kept elsewhere: a copy of the rest would
 * look like a backup and be none.
 * @param logOnly whether the log is all that is asked for
 */
export function requireEmbeddedDataDir(
  { dataDir, eventStoreUrl, readStoreUrl }: Pick<Settings, 'dataDir' | 'eventStoreUrl' | 'readStoreUrl'>,
  logOnly = false,
): string {
  if (eventStoreUrl !== EMBEDDED)
    throw createExternalStoreError(
      'the log is in EventStoreDB',
      'back EventStoreDB up by its own means: read models are built anew from the log',
    );
  if (readStoreUrl !== EMBEDDED && !logOnly)
    throw createExternalStoreError(
      'the read models are in MongoDB',
      'back the log up with --log-only: read models are built anew from it',
    );
  return dataDir;
}

function createExternalStoreError(why: string, remedy: string): HindsightError {
  return new HindsightError(
    'unavailable',
    `${why}, and this command copies data folders\n  → ${remedy} (docs/deploying.md)`,
  );
}
