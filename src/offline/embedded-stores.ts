import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { mintApiKey } from '../auth/api-keys.js';
import { createGridCommands } from '../commands/grid-commands.js';
import { gridDecider } from '../commands/grid/decider.js';
import { createHandle } from '../commands/handle.js';
import type { Showing } from '../commands/shown.js';
import { openLog } from '../engines/log.js';
import { openReadModelStore } from '../engines/read-models.js';
import type { EngineSettings } from '../engines/engine-settings.js';
import { SILENT } from '../log.js';
import { AttemptsFile } from '../projections/adapters/file/attempts-file.js';
import { createProjector } from '../projections/projector.js';
import { createAdministrationQueries } from '../queries/administration/administration-queries.js';
import { makeWay } from '../read-models/adapters/sqlite/fitness.js';
import { openScratchStore } from '../read-models/adapters/sqlite/scratch-store.js';
import { administrativeOperations } from '../service/administrative-operations.js';
import { importWrites, orderImport } from '../service/slice-import.js';
import { importSlice } from '../slices/import-slice.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { READ_MODELS_FILE } from '../engines/engine-settings.js';
import { ATTEMPTS_FILE, SCRATCH_FOLDER } from '../threads/thread-settings.js';
import type { OfflineStores } from './offline-stores.js';

/** Projections whose read models tell of Grids, members, keys and the audit: small, and quickly read from any log. */
const ADMINISTRATIVE = ['access', 'audit', 'key-use'];

/** How long what was done may take to show. */
const SHOWN_MS = 10_000;

/**
 * Read models in the data folder, whatever keeps the log: claims the folder and begins to catch the read models up.
 * Rejects with code `unavailable` when another process has it.
 */
export async function openEmbeddedStores(settings: EngineSettings): Promise<OfflineStores> {
  const { dataDir } = settings;
  const feed = new InProcessFeed();
  const log = await openLog(settings, feed);
  makeWay(join(dataDir, READ_MODELS_FILE), await log.head());
  const store = await openReadModelStore(settings);
  const attempts = new AttemptsFile(join(dataDir, ATTEMPTS_FILE), SILENT);
  const projector = createProjector({ events: log, store, feed, log: SILENT, scratch: () => openScratchStore(join(dataDir, SCRATCH_FOLDER)), attempts, graceMs: 0 });
  await projector.start();
  const showing: Showing = { whenAt: (position) => Promise.all(ADMINISTRATIVE.map((projection) => projector.whenAt(projection, position, SHOWN_MS))) };
  await showing.whenAt(await log.head());
  const commands = createGridCommands({ handle: createHandle(log, gridDecider), mintApiKey, newId: randomUUID, now: Date.now });
  const writes = importWrites(log, settings, { whenAt: (projection, position, timeoutMs) => projector.whenAt(projection, position, timeoutMs) });
  const target = { ...writes, maxAppendBytes: log.maxAppendBytes, readStream: log.readStream.bind(log), readAll: log.readAll.bind(log) };
  return {
    ...administrativeOperations(commands, showing, createAdministrationQueries(store)),
    projections: () => projector.projections(),
    replay: (projection, onProgress) => projector.rebuild(projection, onProgress),
    verify: (projection) => projector.verify(projection),
    importSlice: (file, request, onProgress) => orderImport(file, request, onProgress, (path, options, heard) => importSlice(path, target, { ...options, newId: randomUUID, onProgress: heard })),
    parked: () => projector.parked(),
    retryParked: (options, onProgress) => projector.retryParked(options, onProgress),
    elsewhere: () => Promise.resolve(undefined),
    async close() {
      await projector.stop();
      await Promise.all([log.close(), store.close(), feed.close()]);
      attempts.close();
    },
  };
}
