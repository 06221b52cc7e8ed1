import { randomUUID } from 'node:crypto';
import { mintApiKey } from '../auth/api-keys.js';
import { createGridCommands } from '../commands/grid-commands.js';
import { gridDecider } from '../commands/grid/decider.js';
import { createHandle } from '../commands/handle.js';
import type { Showing } from '../commands/shown.js';
import { isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { openLog, remoteLog } from '../engines/log.js';
import { openReadModelReader } from '../engines/read-models.js';
import { storedPosition } from '../projections/stored-position.js';
import { createAdministrationQueries } from '../queries/administration/administration-queries.js';
import { checkInstallation } from '../read-models/installation.js';
import { readersByGrid } from '../read-models/shares/readers-by-grid.js';
import { administrativeOperations } from '../service/administrative-operations.js';
import { importWrites, orderImport } from '../service/slice-import.js';
import { storedStandings, type Standings } from '../service/standings.js';
import { importSlice } from '../slices/import-slice.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import type { Position } from '../streams/event-store.js';
import { Shares } from '../streams/shares.js';
import { leftToKeepers } from './left-to-keepers.js';
import type { OfflineStores } from './offline-stores.js';
import { parkedOf } from './parked.js';

/** How long what was done may take to show: shares that move to another process take longer, and are told of. */
const SHOWN_MS = 5_000;

/** In whose read models what was done shows, as in a service. */
const SHOWN_IN = ['access', 'audit'];

/** What was done is durable; nobody shows it yet. */
const NOT_SHOWN = `what was done is in the log, and does not show within ${SHOWN_MS / 1_000} s: it does once a process with the role project keeps share 0 (hindsight doctor)`;

/**
 * Read models that processes elsewhere may keep. Appends to the log and reads what the others make of it; building and proving
 * read models is left to those who keep them, for two must not write the same.
 * Rejects with `invalid-request` where the read models were made for another number of shares.
 * @param tell what an operator should know beside the answer
 */
export async function openSharedStores(settings: EngineSettings, tell: (text: string) => void): Promise<OfflineStores> {
  const feed = new InProcessFeed();
  const log = await (isLogEmbedded(settings) ? openLog(settings, feed) : remoteLog(settings, feed));
  const store = await openReadModelReader(settings);
  const shares = new Shares(settings.projectorShares);
  const close = async (): Promise<void> => void (await Promise.all([log.close(), store.close(), feed.close()]));
  await checkInstallation(store, shares.count).catch((error: unknown) => close().then(() => Promise.reject(error as Error)));
  const readerOf = readersByGrid(store, shares);
  const standings = storedStandings((projection, gridId) => storedPosition(gridId === undefined ? store : readerOf(gridId), projection));
  const commands = createGridCommands({ handle: createHandle(log, gridDecider), mintApiKey, newId: randomUUID, now: Date.now });
  const target = { ...importWrites(log, settings, standings), maxAppendBytes: log.maxAppendBytes, readStream: log.readStream.bind(log), readAll: log.readAll.bind(log) };
  return {
    ...administrativeOperations(commands, showing(standings, tell), createAdministrationQueries(store)),
    ...leftToKeepers(settings),
    importSlice: (file, request, onProgress) => orderImport(file, request, onProgress, (path, options, heard) => importSlice(path, target, { ...options, newId: randomUUID, onProgress: heard })),
    parked: () => parkedOf(store, shares),
    elsewhere: () => Promise.resolve(undefined),
    close,
  };
}

function showing(standings: Standings, tell: (text: string) => void): Showing {
  return {
    async whenAt(position: Position) {
      const shown = await Promise.all(SHOWN_IN.map((projection) => standings.whenAt(projection, position, SHOWN_MS)));
      if (shown.includes(false)) tell(NOT_SHOWN);
    },
  };
}
