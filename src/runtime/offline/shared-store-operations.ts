import { randomUUID } from 'node:crypto';
import { mintApiKey } from '../../auth/api-key-format.js';
import { createGridCommands } from '../../commands/grids/grid-commands.js';
import { gridDecider } from '../../commands/grids/grid-decider.js';
import { createCommandHandler } from '../../commands/handle-command.js';
import type { VisibilityWaiter } from '../../commands/read-your-writes.js';
import { isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { openEventLog, openRemoteEventLog } from '../engines/event-log.js';
import { openReadModelReader } from '../engines/read-model-stores.js';
import { readProjectionPosition } from '../../projections/projection.js';
import { createAdministrationQueries } from '../../queries/administration/administration-queries.js';
import { verifyShardCount } from '../../read-models/sharding/installed-shard-count.js';
import { createReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import { createAdministrativeOperations } from '../../operations/administration/administrative-operations.js';
import { createImportWrites, importForOperator } from '../operator-import.js';
import {
  createStoredProjectionProgress,
  type ProjectionProgress,
} from '../../projections/engine/stored-projection-progress.js';
import { importIncidentFile } from '../../operations/incident-files/incident-import.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import type { Position } from '../../streams/event-store.js';
import { ShardMap } from '../../streams/shard-map.js';
import { refuseOwnerOnlyOperations } from '../shard-owners.js';
import type { OfflineOperations } from '../../operations/operations-port.js';
import { listDeadLettersOfAllShards } from './shard-diagnostics.js';

/** How long what was done may take to show: shares that move to another process take longer, and are told of. */
const VISIBILITY_TIMEOUT_MS = 5_000;

/** In whose read models what was done shows, as in a service. */
const ADMINISTRATION_PROJECTIONS = ['access', 'audit'];

/** What was done is durable; nobody shows it yet. */
const NOT_VISIBLE_NOTICE = `what was done is in the log, and does not show within ${VISIBILITY_TIMEOUT_MS / 1_000} s: it does once a process with the role project keeps share 0 (hindsight doctor)`;

/**
 * Read models that processes elsewhere may keep. Appends to the log and reads what the others make of it; building and proving
 * read models is left to those who keep them, for two must not write the same.
 * Rejects with `invalid-request` where the read models were made for another number of shares.
 * @param tell what an operator should know beside the answer
 */
export async function openSharedStoreOperations(
  settings: EngineSettings,
  tell: (text: string) => void,
): Promise<OfflineOperations> {
  const feed = new InProcessFeed();
  const log = await (isLogEmbedded(settings) ? openEventLog(settings, feed) : openRemoteEventLog(settings, feed));
  const store = await openReadModelReader(settings);
  const shares = new ShardMap(settings.projectorShares);
  const close = async (): Promise<void> => void (await Promise.all([log.close(), store.close(), feed.close()]));
  await verifyShardCount(store, shares.count).catch((error: unknown) =>
    close().then(() => Promise.reject(error as Error)),
  );
  const readerOf = createReaderForGrid(store, shares);
  const standings = createStoredProjectionProgress((projection, gridId) =>
    readProjectionPosition(gridId === undefined ? store : readerOf(gridId), projection),
  );
  const commands = createGridCommands({
    handle: createCommandHandler(log, gridDecider),
    mintApiKey,
    newId: randomUUID,
    now: Date.now,
  });
  const target = {
    ...createImportWrites(log, settings, standings),
    maxAppendBytes: log.maxAppendBytes,
    readStream: log.readStream.bind(log),
    readAll: log.readAll.bind(log),
  };
  return {
    ...createAdministrativeOperations(
      commands,
      createNotifyingVisibilityWaiter(standings, tell),
      createAdministrationQueries(store),
    ),
    ...refuseOwnerOnlyOperations(settings),
    importSlice: (file, request, onProgress) =>
      importForOperator(file, request, onProgress, (path, options, heard) =>
        importIncidentFile(path, target, { ...options, newId: randomUUID, onProgress: heard }),
      ),
    parked: () => listDeadLettersOfAllShards(store, shares),
    elsewhere: () => Promise.resolve(undefined),
    close,
  };
}

function createNotifyingVisibilityWaiter(
  standings: ProjectionProgress,
  tell: (text: string) => void,
): VisibilityWaiter {
  return {
    async waitForPosition(position: Position) {
      const shown = await Promise.all(
        ADMINISTRATION_PROJECTIONS.map((projection) =>
          standings.waitForPosition(projection, position, VISIBILITY_TIMEOUT_MS),
        ),
      );
      if (shown.includes(false)) tell(NOT_VISIBLE_NOTICE);
    },
  };
}
