import { randomUUID } from 'node:crypto';
import { mintApiKey } from '../../auth/api-key-secret.js';
import type { Settings } from '../../config/settings.js';
import { createGridCommands } from '../../commands/grids/grid-commands.js';
import { gridDecider } from '../../commands/grids/grid-decider.js';
import { createCommandHandler } from '../../commands/handle-command.js';
import type { VisibilityWaiter } from '../../commands/read-your-writes.js';
import { createAdministrativeOperations } from '../../operations/administration/administrative-operations.js';
import { importIncidentFile } from '../../operations/incident-files/incident-import.js';
import type { AdministrativeOperations, Operations } from '../../operations/operations-port.js';
import { reportRecords } from '../../operations/record-report.js';
import { readRecordSources } from '../../projections/record-account-reader.js';
import type { ProjectionProgress } from '../../projections/engine/stored-projection-progress.js';
import { createAdministrationQueries } from '../../queries/administration/administration-queries.js';
import type { RetentionOperations } from '../../operations/retention-operations.js';
import { findNewestLogTime, findTelemetryAges } from '../../queries/telemetry/telemetry-age-queries.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import { createReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import { ShardMap } from '../../streams/shard-map.js';
import type { EventStore } from '../../streams/event-store.js';
import type { EngineSettings } from '../engines/engine-settings.js';
import { composeRetentionOperations, createRetentionClock } from '../compose-retention.js';
import { createImportWrites, importForOperator } from '../incident-file-import.js';

/** Settings of a command line process that opens stores for itself. */
export type OfflineSettings = EngineSettings & Pick<Settings, 'retentionDays' | 'keysPerGrid'>;

/** The stores that a command line process has opened for itself. */
export interface OfflineStores {
  readonly log: EventStore;
  readonly readModels: ReadModelReader;
  readonly progress: ProjectionProgress;
  /** Waits until administrative commands are visible. */
  readonly visibility: VisibilityWaiter;
}

/** Composes administration and incident import, which only need the log and readable read models. */
export function composeOfflineAdministration(
  { log, readModels, progress, visibility }: OfflineStores,
  settings: OfflineSettings,
): AdministrativeOperations & Pick<Operations, 'importSlice' | 'records' | keyof RetentionOperations> {
  const commands = createGridCommands({
    handle: createCommandHandler(log, gridDecider),
    mintApiKey,
    keysPerGrid: settings.keysPerGrid === 0 ? undefined : settings.keysPerGrid,
    newId: randomUUID,
    now: Date.now,
  });
  const target = {
    ...createImportWrites(log, settings, progress),
    maxAppendBytes: log.maxAppendBytes,
    readStream: log.readStream.bind(log),
    readAll: log.readAll.bind(log),
  };
  return {
    ...createAdministrativeOperations(commands, visibility, createAdministrationQueries(readModels)),
    ...composeRetention(log, readModels, settings),
    records: async () =>
      reportRecords(await readRecordSources(readModels, new ShardMap(settings.projectorShares)), log),
    importSlice: (file, request, onProgress) =>
      importForOperator(file, request, onProgress, (path, options, onImportProgress) =>
        importIncidentFile(path, target, { ...options, newId: randomUUID, onProgress: onImportProgress }),
      ),
  };
}

function composeRetention(
  log: EventStore,
  readModels: ReadModelReader,
  settings: OfflineSettings,
): RetentionOperations {
  const getReader = createReaderForGrid(readModels, new ShardMap(settings.projectorShares));
  const clock = createRetentionClock(log, () => findNewestLogTime(readModels, getReader));
  return composeRetentionOperations(clock, log, () => findTelemetryAges(readModels, getReader), settings);
}
