import { HindsightError } from '../errors.js';
import type { Position } from '../streams/event-store.js';
import type { Collection, ReadModelReader, ReadModelStore } from './store.js';

/** What was chosen once, when the read models were made. */
export interface InstallationDocument {
  /** Number of shares of Grids: whatever is stored of a Grid's telemetry is where this number puts it. */
  readonly shares: number;
}

export const INSTALLATION: Collection<InstallationDocument> = { name: 'installation', indexes: [] };

const ID = 'installation';

/** Of two processes that keep their choice at the same time, the store takes one: the other one's checkpoint is expected to be missing. */
const CHECKPOINT = 'installation';
const KEPT = '1' as Position;

/** The number of shares that the read models were made for; undefined before the first start of a projector. */
export async function installedShares(store: ReadModelReader): Promise<number | undefined> {
  return (await store.get(INSTALLATION, ID))?.shares;
}

/**
 * Keeps the number of shares with the first start. Rejects with `invalid-request` where the read models were made for another one: a
 * process that puts Grids elsewhere would find nothing of them, and project all of it again beside.
 */
export async function keepInstallation(store: ReadModelStore, shares: number): Promise<void> {
  if ((await installedShares(store)) === undefined) {
    const document: InstallationDocument = { shares };
    await store.commit([{ kind: 'put', collection: INSTALLATION, id: ID, document }], [{ projection: CHECKPOINT, expected: undefined, position: KEPT }]);
  }
  refuseOther(await installedShares(store), shares);
}

/** The same for who only reads: nothing is kept, and nothing refused before a projector has started. */
export async function checkInstallation(store: ReadModelReader, shares: number): Promise<void> {
  refuseOther((await installedShares(store)) ?? shares, shares);
}

function refuseOther(installed: number | undefined, shares: number): void {
  if (installed === shares) return;
  throw new HindsightError('invalid-request', `PROJECTOR_SHARES is ${shares}, but the read models were made for ${installed} shares: set it to ${installed}, or begin with an empty read store`);
}
