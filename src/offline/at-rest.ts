import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { areReadModelsEmbedded, isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { openLogReader } from '../engines/log.js';
import { GROUPS } from '../projections/groups.js';
import { listParked } from '../projections/parked-events.js';
import { storedPosition } from '../projections/stored-position.js';
import { findDamage as findDamagedReadModels } from '../read-models/adapters/sqlite/fitness.js';
import { SqliteReadModelReader } from '../read-models/adapters/sqlite/read-model-reader.js';
import { logFile } from '../streams/adapters/sqlite/folder.js';
import { findDamage } from '../streams/adapters/sqlite/integrity.js';
import { damagedEvents } from '../streams/damaged-events.js';
import { START, type EventReader } from '../streams/event-store.js';
import { InProcessFeed } from '../streams/live/in-process.js';
import { receivedRecords } from '../streams/received-records.js';
import { READ_MODELS_FILE } from '../engines/engine-settings.js';

/** What a look at the stores shows; nothing is created or changed by it. */
export interface StoresAtRest {
  /** Records that the log has and the read models have not: the next start catches up with them. Absent where the read models are elsewhere. */
  readonly behind?: number;
  /** What is wrong with the bytes of the log, a sentence each. */
  readonly damage: readonly string[];
  /** What is wrong with the bytes of the read models: the next start builds others. */
  readonly damagedReadModels: readonly string[];
  /** Events that the read models lack because they could not be projected. */
  readonly parked: number;
}

/** More damaged events than an operator reads. */
const MAX_DAMAGED = 20;

/**
 * What a data folder has of log and read models. Undefined where nothing was ever stored. Reads the whole of an embedded log to find
 * damage; one elsewhere is its server's to check.
 */
export async function lookAtStores(settings: EngineSettings): Promise<StoresAtRest | undefined> {
  const { dataDir } = settings;
  const isLogHere = isLogEmbedded(settings);
  if (!existsSync(isLogHere ? logFile(dataDir) : join(dataDir, READ_MODELS_FILE))) return undefined;
  const feed = new InProcessFeed();
  const log = await openLogReader(settings, feed);
  try {
    const damage = isLogHere ? [...findDamage(dataDir), ...(await damagedEvents(log, MAX_DAMAGED))] : [];
    if (!areReadModelsEmbedded(settings)) return { damage, damagedReadModels: [], parked: 0 };
    return { damage, ...(await lookAtReadModels(join(dataDir, READ_MODELS_FILE), log)) };
  } finally {
    await Promise.all([log.close(), feed.close()]);
  }
}

async function lookAtReadModels(file: string, log: EventReader): Promise<Omit<StoresAtRest, 'damage'>> {
  const damagedReadModels = findDamagedReadModels(file);
  const readModels = new SqliteReadModelReader(file);
  try {
    const position = damagedReadModels.length > 0 ? START : ((await storedPosition(readModels, 'traces')) ?? START);
    let behind = 0;
    for await (const { records } of receivedRecords(log, position)) behind += records;
    const parked = damagedReadModels.length > 0 ? [] : await listParked(GROUPS, readModels);
    return { behind, damagedReadModels, parked: parked.length };
  } finally {
    await readModels.close();
  }
}
