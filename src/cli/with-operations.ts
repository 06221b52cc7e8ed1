import type { Settings } from '../config.js';
import { HindsightError } from '../errors.js';
import { connectControl, controlPath } from './control-socket.js';
import type { Operations } from './operations.js';

/** Works through the service that runs on the data folder, or on the stores themselves when none does. */
export async function withOperations<Result>(settings: Settings, work: (operations: Operations) => Promise<Result>): Promise<Result> {
  const running = await connectControl(controlPath(settings.dataDir));
  if (running !== undefined) return work(running);
  // Loaded where it is needed: it knows every store, and a remote command needs none.
  const { openStores } = await import('../offline.js');
  const stores = await openStores(settings, tellOnStderr);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** The one that was asked for, or all that are kept there; others are told of on stderr. Rejects with `unavailable` where none is: nothing would have been done. */
export async function chosenProjections(operations: Operations, projection: string | undefined, tell = tellOnStderr): Promise<readonly string[]> {
  const known = await operations.projections();
  if (projection !== undefined && known.includes(projection)) return [projection];
  const elsewhere = await operations.elsewhere();
  const others = elsewhere === undefined ? '' : `; ${elsewhere}`;
  if (projection !== undefined) throw new HindsightError('not-found', `there is no projection "${projection}"; there are ${known.join(', ')}${others}`);
  if (known.length === 0) throw new HindsightError('unavailable', `this process keeps no read models at the moment${others}\n  → shares come within 10 s of its start: run it again, or where they are`);
  if (elsewhere !== undefined) tell(`${elsewhere}: run this there too`);
  return known;
}

/** Beside the answer, which may be JSON. */
function tellOnStderr(text: string): void {
  process.stderr.write(`hindsight: ${text}\n`);
}
