import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mintApiKey } from './auth/api-keys.js';
import type { Operations } from './cli/operations.js';
import { createGridCommands } from './commands/grid-commands.js';
import { gridDecider } from './commands/grid/decider.js';
import { createHandle } from './commands/handle.js';
import type { Showing } from './commands/shown.js';
import { SILENT } from './log.js';
import { AttemptsFile } from './projections/adapters/file/attempts-file.js';
import { GROUPS } from './projections/groups.js';
import { listParked } from './projections/parked-events.js';
import { checkpointName } from './projections/projection.js';
import { createProjector } from './projections/projector.js';
import { createAdministrationQueries } from './queries/administration/administration-queries.js';
import { findDamage as findDamagedReadModels, makeWay } from './read-models/adapters/sqlite/fitness.js';
import { SqliteReadModelReader } from './read-models/adapters/sqlite/read-model-reader.js';
import { SqliteReadModelStore } from './read-models/adapters/sqlite/read-model-store.js';
import { openScratchStore } from './read-models/adapters/sqlite/scratch-store.js';
import { activeVersion } from './read-models/projections.js';
import { administrativeOperations } from './service/administrative-operations.js';
import { importWrites, orderImport } from './service/slice-import.js';
import { importSlice } from './slices/import-slice.js';
import { openEventReader } from './streams/adapters/sqlite/event-reader.js';
import { logFile } from './streams/adapters/sqlite/folder.js';
import { findDamage } from './streams/adapters/sqlite/integrity.js';
import { openEventStore } from './streams/adapters/sqlite/sqlite-event-store.js';
import { damagedEvents } from './streams/damaged-events.js';
import { START, type Position } from './streams/event-store.js';
import { InProcessFeed } from './streams/live/in-process.js';
import { receivedRecords } from './streams/received-records.js';
import { ATTEMPTS_FILE, READ_MODELS_FILE, SCRATCH_FOLDER } from './threads/thread-settings.js';

/** Projections whose read models tell of Grids, members, keys and the audit: small, and quickly read from any log. */
const ADMINISTRATIVE = ['access', 'audit', 'key-use'];
/** How long what was done may take to show. */
const SHOWN_MS = 10_000;

/** The embedded stores of a data folder on which no service runs, claimed and ready to be operated on. */
export interface OfflineStores extends Operations {
  close(): Promise<void>;
}

/** Claims the folder and begins to catch the read models up with the log. Rejects with code `unavailable` when another process has it. */
export async function openStores(dataDir: string): Promise<OfflineStores> {
  const feed = new InProcessFeed();
  const log = await openEventStore(dataDir, feed);
  makeWay(join(dataDir, READ_MODELS_FILE), await log.head());
  const store = new SqliteReadModelStore(join(dataDir, READ_MODELS_FILE));
  const attempts = new AttemptsFile(join(dataDir, ATTEMPTS_FILE), SILENT);
  const projector = createProjector({ events: log, store, feed, log: SILENT, scratch: () => openScratchStore(join(dataDir, SCRATCH_FOLDER)), attempts, graceMs: 0 });
  await projector.start();
  const showing: Showing = { whenAt: (position) => Promise.all(ADMINISTRATIVE.map((projection) => projector.whenAt(projection, position, SHOWN_MS))) };
  await showing.whenAt(await log.head());
  const commands = createGridCommands({ handle: createHandle(log, gridDecider), mintApiKey, newId: randomUUID, now: Date.now });
  const target = { ...importWrites(log, dataDir, (...when) => projector.whenAt(...when)), maxAppendBytes: log.maxAppendBytes, readStream: log.readStream.bind(log), readAll: log.readAll.bind(log) };
  return {
    ...administrativeOperations(commands, showing, createAdministrationQueries(store)),
    projections: () => projector.projections(),
    replay: (projection, onProgress) => projector.rebuild(projection, onProgress),
    verify: (projection) => projector.verify(projection),
    importSlice: (file, request, onProgress) => orderImport(file, request, onProgress, (path, options, heard) => importSlice(path, target, { ...options, newId: randomUUID, onProgress: heard })),
    parked: () => projector.parked(),
    retryParked: (options, onProgress) => projector.retryParked(options, onProgress),
    async close() {
      await projector.stop();
      await Promise.all([log.close(), store.close(), feed.close()]);
      attempts.close();
    },
  };
}

/** What a look at the stores shows; nothing is created or changed by it. */
export interface StoresAtRest {
  /** Records that the log has and the read models have not: the next start catches up with them. */
  readonly behind: number;
  /** What is wrong with the bytes of the log, a sentence each. */
  readonly damage: readonly string[];
  /** What is wrong with the bytes of the read models: the next start builds others. */
  readonly damagedReadModels: readonly string[];
  /** Events that the read models lack because they could not be projected. */
  readonly parked: number;
}

/** More damaged events than an operator reads. */
const MAX_DAMAGED = 20;

/** Undefined where nothing was ever stored. Reads the whole log to find damage. */
export async function lookAtStores(dataDir: string): Promise<StoresAtRest | undefined> {
  if (!existsSync(logFile(dataDir))) return undefined;
  const feed = new InProcessFeed();
  const log = openEventReader(dataDir, feed);
  const file = join(dataDir, READ_MODELS_FILE);
  const damagedReadModels = findDamagedReadModels(file);
  const readModels = new SqliteReadModelReader(file);
  try {
    const position = damagedReadModels.length > 0 ? START : await tracesPosition(readModels);
    let behind = 0;
    for await (const { records } of receivedRecords(log, position)) behind += records;
    const damage = [...findDamage(dataDir), ...(await damagedEvents(log, MAX_DAMAGED))];
    const parked = damagedReadModels.length > 0 ? [] : await listParked(GROUPS, readModels);
    return { behind, damage, damagedReadModels, parked: parked.length };
  } finally {
    await Promise.all([log.close(), readModels.close(), feed.close()]);
  }
}

async function tracesPosition(readModels: SqliteReadModelReader): Promise<Position> {
  const version = await activeVersion(readModels, 'traces');
  return (version === undefined ? undefined : await readModels.checkpoint(checkpointName('traces', version))) ?? START;
}
