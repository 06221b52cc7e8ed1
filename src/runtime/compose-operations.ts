import type { DeadLetter, ServiceOperations } from '../operations/operations-port.js';
import type { ServiceParts } from './service-parts.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { describeShardsElsewhere, refuseOwnerOnlyOperations } from './shard-owners.js';
import { proxyCallback } from './threads/worker-thread.js';
import { createAdministrativeOperations } from '../operations/administration/administrative-operations.js';
import { reportRecords } from '../operations/record-report.js';
import { composeRetentionOperations } from './compose-retention.js';
import { checkReadiness } from './readiness.js';
import { importInWorkerThread, createImportWrites, importForOperator } from './incident-file-import.js';

/** Operations that a running service offers on its control socket. */
export function composeOperations(parts: ServiceParts): ServiceOperations {
  const { progress, settings, eventStore, grids, administration, retentionClock, accessThread } = parts;
  const writes = createImportWrites(eventStore, settings, progress);
  return {
    ...createAdministrativeOperations(grids, grids, administration),
    ...composeRetentionOperations(retentionClock, eventStore, () => accessThread.api.telemetryAges(), settings),
    readiness: () => checkReadiness(parts),
    records: async () => reportRecords(await accessThread.api.recordSources(), eventStore),
    ...(settings.roles.has('project') ? composeOwnedOperations(parts) : composeDelegatedOperations(settings)),
    importSlice: (file, request, onProgress) =>
      importForOperator(file, request, onProgress, (...call) =>
        importInWorkerThread(settings, eventStore.maxAppendBytes, writes, ...call),
      ),
  };
}

type ReadModelOperations = Pick<
  ServiceOperations,
  'projections' | 'elsewhere' | 'replay' | 'verify' | 'listDeadLetters' | 'retryDeadLetters'
>;

function composeOwnedOperations({ projector, ownedShards, settings }: ServiceParts): ReadModelOperations {
  return {
    projections: () => projector.api.projections(),
    elsewhere: () => describeShardsElsewhere(ownedShards.all, settings),
    replay: (projection, options, onProgress) => projector.api.rebuild(projection, proxyCallback(onProgress), options),
    verify: (projection) => projector.api.verify(projection),
    listDeadLetters: () =>
      areReadModelsEmbedded(settings) ? projector.api.listDeadLetters() : listDeadLettersAnywhere(settings),
    retryDeadLetters: (options, onProgress) => projector.api.retryDeadLetters(options, proxyCallback(onProgress)),
  };
}

/**
 * For a process without the role `project`: projections run elsewhere, but dead letters can be read from the shared
 * store.
 */
function composeDelegatedOperations(settings: ServiceParts['settings']): ReadModelOperations {
  return {
    ...refuseOwnerOnlyOperations(settings),
    elsewhere: () => Promise.resolve(undefined),
    listDeadLetters: () => listDeadLettersAnywhere(settings),
  };
}

/** The module is loaded on demand: it imports every projection. */
async function listDeadLettersAnywhere(settings: ServiceParts['settings']): Promise<readonly DeadLetter[]> {
  const { readDeadLettersOfAllShards } = await import('./offline/shard-diagnostics.js');
  return readDeadLettersOfAllShards(settings);
}
