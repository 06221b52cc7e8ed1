import { HindsightError } from '../../errors.js';
import type { Position } from '../../streams/event-store.js';
import type { Collection, ReadModelReader, ReadModelStore } from '../read-model-store.js';

/** Choices that are fixed when the read models are created. */
export interface InstallationDocument {
  /** Number of shards: determines where the telemetry of each Grid is stored. */
  readonly shares: number;
}

export const INSTALLATION: Collection<InstallationDocument> = { name: 'installation', indexes: [] };
const ID = 'installation';

/**
 * If two processes store their choice at the same time, the store accepts one: the other one's checkpoint is expected
 * to be missing.
 */
const CHECKPOINT = 'installation';
const FIRST_POSITION = '1' as Position;

/** Number of shards that the read models were created for; undefined before the first start of a projector. */
export async function readInstalledShardCount(store: ReadModelReader): Promise<number | undefined> {
  return (await store.get(INSTALLATION, ID))?.shares;
}

/**
 * Stores the number of shards on the first start. Rejects with `invalid-request` if the read models were created for
 * another number: a process with another number would find nothing of its Grids and project everything again.
 */
export async function initializeShardCount(store: ReadModelStore, shardCount: number): Promise<void> {
  if ((await readInstalledShardCount(store)) === undefined) {
    const document: InstallationDocument = { shares: shardCount };
    await store.commit(
      [{ kind: 'put', collection: INSTALLATION, id: ID, document }],
      [{ projection: CHECKPOINT, expected: undefined, position: FIRST_POSITION }],
    );
  }
  assertSameShardCount(await readInstalledShardCount(store), shardCount);
}

/** The same for readers: stores nothing, and accepts any number before a projector has started. */
export async function verifyShardCount(store: ReadModelReader, shardCount: number): Promise<void> {
  assertSameShardCount((await readInstalledShardCount(store)) ?? shardCount, shardCount);
}

function assertSameShardCount(installed: number | undefined, shardCount: number): void {
  if (installed === shardCount) return;
  throw new HindsightError(
    'invalid-request',
    `PROJECTOR_SHARES is ${shardCount}, but the read models were created for ${installed} shards: set it to ${installed}, or start with an empty read store`,
  );
}
