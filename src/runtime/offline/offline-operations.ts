import {
  areReadModelsEmbedded,
  ATTEMPTS_FILE,
  type EngineSettings,
  READ_MODELS_FILE,
  SCRATCH_FOLDER,
} from '../engines/engine-settings.js';
import type { OfflineOperations } from '../../operations/operations-port.js';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { mintApiKey } from '../../auth/api-key-format.js';
import { createGridCommands } from '../../commands/grids/grid-commands.js';
import { gridDecider } from '../../commands/grids/grid-decider.js';
import { createCommandHandler } from '../../commands/handle-command.js';
import type { VisibilityWaiter } from '../../commands/read-your-writes.js';
import { openEventLog } from '../engines/event-log.js';
import { openReadModelStore } from '../engines/read-model-stores.js';
import { SILENT_LOGGER } from '../../self-telemetry/logger.js';
import { FilePoisonEventJournal } from '../../projections/engine/adapters/file/file-poison-event-journal.js';
import { createProjector } from '../../projections/engine/projector.js';
import { createAdministrationQueries } from '../../queries/administration/administration-queries.js';
import { discardUnusableStore } from '../../read-models/adapters/sqlite/read-model-file.js';
import { openScratchStore } from '../../read-models/adapters/sqlite/scratch-store.js';
import { createAdministrativeOperations } from '../../operations/administration/administrative-operations.js';
import { createImportWrites, importForOperator } from '../operator-import.js';
import { importIncidentFile } from '../../operations/incident-files/incident-import.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';

/**
 * The stores that the settings name, where no service of the data folder runs. Embedded ones are claimed, others are shared with
 * whoever else works on them. Rejects with code `unavailable` when another process has the folder.
 * @param tell what an operator should know beside the answer
 */
export async function openOfflineOperations(
  settings: EngineSettings,
  tell: (text: string) => void = () => undefined,
): Promise<OfflineOperations> {
  if (areReadModelsEmbedded(settings)) return openEmbeddedStoreOperations(settings);
  const { openSharedStoreOperations } = await import('./shared-store-operations.js');
  return openSharedStoreOperations(settings, tell);
}

/** Projections whose read models tell of Grids, members, keys and the audit: small, and quickly read from any log. */
const ADMINISTRATION_PROJECTIONS = ['access', 'audit', 'key-use'];

/** How long what was done may take to show. */
const VISIBILITY_TIMEOUT_MS = 10_000;

/**
 * Read models in the data folder, whatever keeps the log: claims the folder and begins to catch the read models up.
 * Rejects with code `unavailable` when another process has it.
 */
export async function openEmbeddedStoreOperations(settings: EngineSettings): Promise<OfflineOperations> {
  const { dataDir } = settings;
  const feed = new InProcessFeed();
  const log = await openEventLog(settings, feed);
  discardUnusableStore(join(dataDir, READ_MODELS_FILE), await log.head());
  const store = await openReadModelStore(settings);
  const attempts = new FilePoisonEventJournal(join(dataDir, ATTEMPTS_FILE), SILENT_LOGGER);
  const projector = createProjector({
    events: log,
    store,
    feed,
    log: SILENT_LOGGER,
    scratch: () => openScratchStore(join(dataDir, SCRATCH_FOLDER)),
    journal: attempts,
    graceMs: 0,
  });
  await projector.start();
  const showing: VisibilityWaiter = {
    waitForPosition: (position) =>
      Promise.all(
        ADMINISTRATION_PROJECTIONS.map((projection) =>
          projector.waitForPosition(projection, position, VISIBILITY_TIMEOUT_MS),
        ),
      ),
  };
  await showing.waitForPosition(await log.head());
  const commands = createGridCommands({
    handle: createCommandHandler(log, gridDecider),
    mintApiKey,
    newId: randomUUID,
    now: Date.now,
  });
  const writes = createImportWrites(log, settings, {
    waitForPosition: (projection, position, timeoutMs) => projector.waitForPosition(projection, position, timeoutMs),
  });
  const target = {
    ...writes,
    maxAppendBytes: log.maxAppendBytes,
    readStream: log.readStream.bind(log),
    readAll: log.readAll.bind(log),
  };
  return {
    ...createAdministrativeOperations(commands, showing, createAdministrationQueries(store)),
    projections: () => projector.projections(),
    replay: (projection, onProgress) => projector.rebuild(projection, onProgress),
    verify: (projection) => projector.verify(projection),
    importSlice: (file, request, onProgress) =>
      importForOperator(file, request, onProgress, (path, options, heard) =>
        importIncidentFile(path, target, { ...options, newId: randomUUID, onProgress: heard }),
      ),
    parked: () => projector.listDeadLetters(),
    retryParked: (options, onProgress) => projector.retryDeadLetters(options, onProgress),
    elsewhere: () => Promise.resolve(undefined),
    async close() {
      await projector.stop();
      await Promise.all([log.close(), store.close(), feed.close()]);
      attempts.close();
    },
  };
}

export { diagnoseStores as lookAtStores, type StoreDiagnostics as StoresAtRest } from './store-diagnostics.js';

export type { OfflineOperations as OfflineStores };
