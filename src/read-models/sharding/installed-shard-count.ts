import { HindsightError } from '../../errors.js';
import type { Position } from '../../streams/event-store.js';
import type { Collection, ReadModelReader, ReadModelStore } from '../read-model-store.js';

/** What was chosen once, when the read models were made. */
export interface InstallationDocument {
  /** Number of shares of Grids: whatever is stored of a Grid's telemetry is where this number puts it. */
  readonly shares: number;
}

export const INSTALLATION: Collection<InstallationDocument> = { name: 'installation', indexes: [] };
const ID = 'installation';

/** Of two processes that keep their choice at the same time, the store takes one: the other one's checkpoint is expected to be missing. */
const CHECKPOINT = 'installation';
const FIRST_POSITION = '1' as Position;

/** The number of shares that the read models were made for; undefined before the first start of a projector. */
export async function readInstalledShardCount(store: ReadModelReader): Promise<number | undefined> {
  return (await store.get(INSTALLATION, ID))?.shares;
}

/**
 * Keeps the number of shares with the first start. Rejects with `invalid-request` where the read models were made for another one: a
 * process that puts Grids elsewhere would find nothing of them, and project all of it again beside.
 */
export async function initializeShardCount(store: ReadModelStore, shares: number): Promise<void> {
  if ((await readInstalledShardCount(store)) === undefined) {
    const document: InstallationDocument = { shares };
    await store.commit(
      [{ kind: 'put', collection: INSTALLATION, id: ID, document }],
      [{ projection: CHECKPOINT, expected: undefined, position: FIRST_POSITION }],
    );
  }
  assertSameShardCount(await readInstalledShardCount(store), shares);
}

/** The same for who only reads: nothing is kept, and nothing refused before a projector has started. */
export async function verifyShardCount(store: ReadModelReader, shares: number): Promise<void> {
  assertSameShardCount((await readInstalledShardCount(store)) ?? shares, shares);
}

function assertSameShardCount(installed: number | undefined, shares: number): void {
  if (installed === shares) return;
  throw new HindsightError(
    'invalid-request',
    `PROJECTOR_SHARES is ${shares}, but the read models were made for ${installed} shares: set it to ${installed}, or begin with an empty read store`,
  );
}
