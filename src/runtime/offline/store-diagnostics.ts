import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { areReadModelsEmbedded, isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { openEventLogReader } from '../engines/event-log.js';
import { PROJECTION_GROUPS } from '../../projections/projection-groups.js';
import { listDeadLetters } from '../../projections/engine/dead-letter-queue.js';
import { readProjectionPosition } from '../../projections/projection.js';
import { checkReadModelIntegrity as findDamagedReadModels } from '../../read-models/adapters/sqlite/read-model-file.js';
import { SqliteReadModelReader } from '../../read-models/adapters/sqlite/read-model-reader.js';
import { toEventLogPath } from '../../streams/adapters/sqlite/data-folder.js';
import { findLogStructureDamage } from '../../streams/adapters/sqlite/event-log-integrity.js';
import { findDamagedEvents, readReceivedRecords } from '../../streams/event-log-scans.js';
import { START, type EventReader } from '../../streams/event-store.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { READ_MODELS_FILE } from '../engines/engine-settings.js';

/** What a look at the stores shows; nothing is created or changed by it. */
export interface StoreDiagnostics {
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
const MAX_DAMAGED_EVENTS = 20;

/**
 * What a data folder has of log and read models. Undefined where nothing was ever stored. Reads the whole of an embedded log to find
 * damage; one elsewhere is its server's to check.
 */
export async function diagnoseStores(settings: EngineSettings): Promise<StoreDiagnostics | undefined> {
  const { dataDir } = settings;
  const isLogHere = isLogEmbedded(settings);
  if (!existsSync(isLogHere ? toEventLogPath(dataDir) : join(dataDir, READ_MODELS_FILE))) return undefined;
  const feed = new InProcessFeed();
  const log = await openEventLogReader(settings, feed);
  try {
    const damage = isLogHere
      ? [...findLogStructureDamage(dataDir), ...(await findDamagedEvents(log, MAX_DAMAGED_EVENTS))]
      : [];
    if (!areReadModelsEmbedded(settings)) return { damage, damagedReadModels: [], parked: 0 };
    return { damage, ...(await diagnoseReadModels(join(dataDir, READ_MODELS_FILE), log)) };
  } finally {
    await Promise.all([log.close(), feed.close()]);
  }
}

async function diagnoseReadModels(file: string, log: EventReader): Promise<Omit<StoreDiagnostics, 'damage'>> {
  const damagedReadModels = findDamagedReadModels(file);
  const readModels = new SqliteReadModelReader(file);
  try {
    const position =
      damagedReadModels.length > 0 ? START : ((await readProjectionPosition(readModels, 'traces')) ?? START);
    let behind = 0;
    for await (const { records } of readReceivedRecords(log, position)) behind += records;
    const parked = damagedReadModels.length > 0 ? [] : await listDeadLetters(PROJECTION_GROUPS, readModels);
    return { behind, damagedReadModels, parked: parked.length };
  } finally {
    await readModels.close();
  }
}
