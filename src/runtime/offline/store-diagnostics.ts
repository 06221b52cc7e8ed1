import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { areReadModelsEmbedded, isLogEmbedded, type EngineSettings } from '../engines/engine-settings.js';
import { openEventLogReader } from '../engines/event-log.js';
import { type RecordReport, reportRecords } from '../../operations/record-report.js';
import { readRecordSources } from '../../projections/record-account-reader.js';
import { PROJECTION_GROUPS } from '../../projections/projection-groups.js';
import { listDeadLetters } from '../../projections/engine/dead-letter-queue.js';
import { readProjectionPosition } from '../../projections/projection.js';
import { checkReadModelIntegrity as findDamagedReadModels } from '../../read-models/adapters/sqlite/read-model-file.js';
import { SqliteReadModelReader } from '../../read-models/adapters/sqlite/read-model-reader.js';
import { toEventLogPath } from '../../streams/adapters/sqlite/data-folder.js';
import { findIndexOnlyDamage, findLogStructureDamage } from '../../streams/adapters/sqlite/event-log-integrity.js';
import { findWalDamage } from '../../streams/adapters/sqlite/wal-damage.js';
import { findDamagedEvents, readReceivedRecords } from '../../streams/event-log-scans.js';
import { START, type EventReader } from '../../streams/event-store.js';
import { InProcessFeed } from '../../streams/live/in-process-feed.js';
import { ShardMap } from '../../streams/shard-map.js';
import { READ_MODELS_FILE } from '../engines/engine-settings.js';

/** State of the stores in a data folder that no service uses. */
export interface StoreDiagnostics {
  /**
   * Records of the event log that are not projected yet: the next start projects them. Absent when the read models are
   * not in the folder.
   */
  readonly unprojectedRecords?: number;
  /** Damage in the event log, one sentence each. */
  readonly damage: readonly string[];
  /** Damage of an index of the event log, in one sentence; absent if there is none, or events are damaged as well. */
  readonly indexDamage?: string;
  /** Damage in the read models: the next start rebuilds them. */
  readonly damagedReadModels: readonly string[];
  /** Number of dead letters: events that could not be projected. */
  readonly deadLetters: number;
  /** Outcomes of the records in the event log; absent without read models that can be read. */
  readonly records?: RecordReport;
}

/** Damaged events that are reported at most. */
const MAX_DAMAGED_EVENTS = 20;

/**
 * Checks event log and read models in a data folder; changes nothing. Undefined when the folder has neither. Reads an
 * embedded log completely to find damage; a remote log is checked by its server.
 */
export async function diagnoseStores(settings: EngineSettings): Promise<StoreDiagnostics | undefined> {
  const { dataDir } = settings;
  const isLogHere = isLogEmbedded(settings);
  if (!existsSync(isLogHere ? toEventLogPath(dataDir) : join(dataDir, READ_MODELS_FILE))) return undefined;
  const feed = new InProcessFeed();
  const log = await openEventLogReader(settings, feed);
  try {
    const ofLog = isLogHere ? await diagnoseLog(dataDir, log) : { damage: [] };
    if (!areReadModelsEmbedded(settings)) return { ...ofLog, damagedReadModels: [], deadLetters: 0 };
    return { ...ofLog, ...(await diagnoseReadModels(join(dataDir, READ_MODELS_FILE), log, isLogHere)) };
  } finally {
    await Promise.all([log.close(), feed.close()]);
  }
}

async function diagnoseLog(
  dataDir: string,
  log: EventReader,
): Promise<Pick<StoreDiagnostics, 'damage' | 'indexDamage'>> {
  const walDamage = findWalDamage(toEventLogPath(dataDir));
  const structure = findLogStructureDamage(dataDir);
  const events = await findDamagedEvents(log, MAX_DAMAGED_EVENTS);
  const isOfEvents = walDamage !== undefined || events.length > 0;
  const indexDamage = structure.length > 0 && !isOfEvents ? findIndexOnlyDamage(dataDir) : undefined;
  if (indexDamage !== undefined) return { damage: [], indexDamage };
  return { damage: [...(walDamage === undefined ? [] : [walDamage]), ...structure, ...events] };
}

/** `wholeLog`: see reportRecords. */
async function diagnoseReadModels(
  file: string,
  log: EventReader,
  wholeLog: boolean,
): Promise<Omit<StoreDiagnostics, 'damage' | 'indexDamage'>> {
  const damagedReadModels = findDamagedReadModels(file);
  const readModels = new SqliteReadModelReader(file);
  try {
    const position =
      damagedReadModels.length > 0 ? START : ((await readProjectionPosition(readModels, 'traces')) ?? START);
    let behind = 0;
    for await (const { records } of readReceivedRecords(log, position)) behind += records;
    if (damagedReadModels.length > 0) return { unprojectedRecords: behind, damagedReadModels, deadLetters: 0 };
    const deadLetters = await listDeadLetters(PROJECTION_GROUPS, readModels);
    const records = await reportRecords(await readRecordSources(readModels, new ShardMap(1)), log, { wholeLog });
    return { unprojectedRecords: behind, damagedReadModels, deadLetters: deadLetters.length, records };
  } finally {
    await readModels.close();
  }
}
