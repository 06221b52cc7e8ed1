import type { ParkedEvent, ServiceOperations } from '../operations/operations-port.js';
import type { ServiceParts } from './composition.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { describeShardsElsewhere, refuseOwnerOnlyOperations } from './shard-owners.js';
import { proxyCallback } from './threads/worker-thread.js';
import { createAdministrativeOperations } from '../operations/administration/administrative-operations.js';
import { checkReadiness } from './readiness.js';
import { importInWorkerThread, createImportWrites, importForOperator } from './operator-import.js';

/** What an operator may have done by the service that runs. */
export function composeOperations(parts: ServiceParts): ServiceOperations {
  const { standings, settings, eventStore, grids, administration } = parts;
  const writes = createImportWrites(eventStore, settings, standings);
  return {
    ...createAdministrativeOperations(grids, grids, administration),
    readiness: () => checkReadiness(parts),
    ...(settings.roles.has('project') ? composeOwnedOperations(parts) : composeDelegatedOperations(settings)),
    importSlice: (file, request, onProgress) =>
      importForOperator(file, request, onProgress, (...order) =>
        importInWorkerThread(settings, eventStore.maxAppendBytes, writes, ...order),
      ),
  };
}

type ReadModelOperations = Pick<
  ServiceOperations,
  'projections' | 'elsewhere' | 'replay' | 'verify' | 'parked' | 'retryParked'
>;

function composeOwnedOperations({ projector, holdings, settings }: ServiceParts): ReadModelOperations {
  return {
    projections: () => projector.api.projections(),
    elsewhere: () => describeShardsElsewhere(holdings.all, settings),
    replay: (projection, onProgress) => projector.api.rebuild(projection, proxyCallback(onProgress)),
    verify: (projection) => projector.api.verify(projection),
    parked: () =>
      areReadModelsEmbedded(settings) ? projector.api.listDeadLetters() : listDeadLettersAnywhere(settings),
    retryParked: (options, onProgress) => projector.api.retryDeadLetters(options, proxyCallback(onProgress)),
  };
}

/** Split roles have their read models in a store that every process reaches: what is parked can be read there. */
function composeDelegatedOperations(settings: ServiceParts['settings']): ReadModelOperations {
  return {
    ...refuseOwnerOnlyOperations(settings),
    elsewhere: () => Promise.resolve(undefined),
    parked: () => listDeadLettersAnywhere(settings),
  };
}

/** Knows all projections, which this thread otherwise does not load. */
async function listDeadLettersAnywhere(settings: ServiceParts['settings']): Promise<readonly ParkedEvent[]> {
  const parked = await import('./offline/shard-diagnostics.js');
  return parked.readDeadLettersOfAllShards(settings);
}
