import type { VisibilityWaiter } from '../../commands/read-your-writes.js';
import type { OfflineOperations } from '../../operations/operations-port.js';
import {
  createStoredProjectionProgress,
  type ProjectionProgress,
} from '../../projections/engine/stored-projection-progress.js';
import { readProjectionPosition } from '../../projections/projection.js';
import { verifyShardCount } from '../../read-models/sharding/installed-shard-count.js';
import { createReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { Position } from '../../streams/event-store.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { ShardMap } from '../../streams/shard-map.js';
import { isLogEmbedded } from '../engines/engine-settings.js';
import { openEventLog, openRemoteEventLog } from '../engines/event-log.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import { refuseOwnerOnlyOperations } from '../shard-owners.js';
import { composeOfflineAdministration, type OfflineSettings } from './compose-administration.js';
import { listDeadLettersOfAllShards } from './shard-diagnostics.js';

/**
 * Time (ms) that a command waits until its effect is visible. Moving a shard takes longer: then the operator is
 * notified.
 */
const VISIBILITY_TIMEOUT_MS = 10_000;

/** Projections that must reach the position of a command, as in a running service. */
const ADMINISTRATION_PROJECTIONS = ['access', 'audit'];

/** The command is durable, but no process projects it at the moment. */
const NOT_VISIBLE_NOTICE = `the change is in the event log, but was not visible after ${VISIBILITY_TIMEOUT_MS / 1_000} s; it becomes visible once a process with the role project owns shard 0 (see hindsight doctor)`;

/**
 * Opens read models that other processes may own. Appends to the log and reads what the owners project; operations that
 * write read models are refused, as each shard has one writer. Rejects with `invalid-request` when the read models were
 * created with another number of shards.
 * @param notify called with notes for the operator
 */
export async function openSharedStoreOperations(
  settings: OfflineSettings,
  notify: (text: string) => void,
): Promise<OfflineOperations> {
  const feed = new InProcessFeed();
  const log = await (isLogEmbedded(settings)
    ? openEventLog(settings, feed, undefined, notify)
    : openRemoteEventLog(settings, feed));
  const readModels = await openReadModelReader(settings);
  const shardMap = new ShardMap(settings.projectorShares);
  const close = async (): Promise<void> => void (await Promise.all([log.close(), readModels.close(), feed.close()]));
  await verifyShardCount(readModels, shardMap.count).catch((error: unknown) =>
    close().then(() => Promise.reject(error as Error)),
  );
  const readerForGrid = createReaderForGrid(readModels, shardMap);
  const progress = createStoredProjectionProgress((projection, gridId) =>
    readProjectionPosition(gridId === undefined ? readModels : readerForGrid(gridId), projection),
  );
  const visibility = createNotifyingVisibilityWaiter(progress, notify);
  return {
    ...composeOfflineAdministration({ log, readModels, progress, visibility }, settings),
    ...refuseOwnerOnlyOperations(settings),
    listDeadLetters: () => listDeadLettersOfAllShards(readModels, shardMap),
    elsewhere: () => Promise.resolve(undefined),
    close,
  };
}

function createNotifyingVisibilityWaiter(
  progress: ProjectionProgress,
  notify: (text: string) => void,
): VisibilityWaiter {
  return {
    async waitForPosition(position: Position) {
      const reached = await Promise.all(
        ADMINISTRATION_PROJECTIONS.map((projection) =>
          progress.waitForPosition(projection, position, VISIBILITY_TIMEOUT_MS),
        ),
      );
      if (reached.includes(false)) notify(NOT_VISIBLE_NOTICE);
    },
  };
}
