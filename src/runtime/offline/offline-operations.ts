import { join } from 'node:path';
import type { VisibilityWaiter } from '../../commands/read-your-writes.js';
import type { OfflineOperations } from '../../operations/operations-port.js';
import { FilePoisonEventJournal } from '../../projections/engine/adapters/file/file-poison-event-journal.js';
import { createProjector } from '../../projections/engine/projector.js';
import { discardUnusableStore } from '../../read-models/adapters/sqlite/read-model-file.js';
import { openScratchStore } from '../../read-models/adapters/sqlite/scratch-store.js';
import { SILENT_LOGGER } from '../../self-telemetry/logger.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { areReadModelsEmbedded, ATTEMPTS_FILE, READ_MODELS_FILE, SCRATCH_FOLDER } from '../engines/engine-settings.js';
import { openEventLog } from '../engines/event-log.js';
import { openReadModelStore } from '../engines/read-model-stores.js';
import { composeOfflineAdministration, type OfflineSettings } from './compose-administration.js';

/**
 * Opens the stores of the settings while no service runs on the data folder. Embedded stores are locked; external ones
 * may have other writers. Rejects with code `unavailable` when another process holds the folder.
 * @param notify called with notes for the operator
 */
export async function openOfflineOperations(
  settings: OfflineSettings,
  notify: (text: string) => void = () => undefined,
): Promise<OfflineOperations> {
  if (areReadModelsEmbedded(settings)) return openEmbeddedStoreOperations(settings, notify);
  const { openSharedStoreOperations } = await import('./shared-store-operations.js');
  return openSharedStoreOperations(settings, notify);
}

/** Projections for Grids, members, API keys and the audit. They are small, so they catch up quickly. */
const ADMINISTRATION_PROJECTIONS = ['access', 'audit', 'key-use'];

/** Time (ms) that a command waits until its effect is visible. */
const VISIBILITY_TIMEOUT_MS = 10_000;

/**
 * Opens read models in the data folder, with an embedded or remote log, and runs a projector on them. Locks the folder.
 * Resolves once the administration is up to date. Rejects with code `unavailable` when another process holds the
 * folder.
 */
export async function openEmbeddedStoreOperations(
  settings: OfflineSettings,
  notify: (text: string) => void = () => undefined,
): Promise<OfflineOperations> {
  const { dataDir } = settings;
  const feed = new InProcessFeed();
  const log = await openEventLog(settings, feed, undefined, notify);
  discardUnusableStore(join(dataDir, READ_MODELS_FILE), await log.head());
  const readModels = await openReadModelStore(settings);
  const journal = new FilePoisonEventJournal(join(dataDir, ATTEMPTS_FILE), SILENT_LOGGER);
  const projector = createProjector({
    events: log,
    store: readModels,
    feed,
    log: SILENT_LOGGER,
    scratch: () => openScratchStore(join(dataDir, SCRATCH_FOLDER)),
    journal,
    graceMs: 0,
  });
  await projector.start();
  const visibility: VisibilityWaiter = {
    waitForPosition: (position) =>
      Promise.all(
        ADMINISTRATION_PROJECTIONS.map((projection) =>
          projector.waitForPosition(projection, position, VISIBILITY_TIMEOUT_MS),
        ),
      ),
  };
  await visibility.waitForPosition(await log.head());
  return {
    ...composeOfflineAdministration({ log, readModels, progress: projector, visibility }, settings),
    projections: () => projector.projections(),
    replay: (projection, options, onProgress) => projector.rebuild(projection, onProgress, options),
    verify: (projection) => projector.verify(projection),
    listDeadLetters: () => projector.listDeadLetters(),
    retryDeadLetters: (options, onProgress) => projector.retryDeadLetters(options, onProgress),
    elsewhere: () => Promise.resolve(undefined),
    async close() {
      await projector.stop();
      await Promise.all([log.close(), readModels.close(), feed.close()]);
      journal.close();
    },
  };
}
