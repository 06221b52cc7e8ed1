import type { ParkedEvent, RunningService } from '../cli/operations.js';
import type { Parts } from '../composition.js';
import { areReadModelsEmbedded } from '../engines/engine-settings.js';
import { othersThan } from '../offline/keepers.js';
import { leftToKeepers } from '../offline/left-to-keepers.js';
import { callback } from '../threads/thread.js';
import { administrativeOperations } from './administrative-operations.js';
import { readinessOf } from './readiness.js';
import { importInThread, importWrites, orderImport } from './slice-import.js';

/** What an operator may have done by the service that runs. */
export function operationsOf(parts: Parts): RunningService {
  const { standings, settings, eventStore, grids, administration } = parts;
  const writes = importWrites(eventStore, settings, standings);
  return {
    ...administrativeOperations(grids, grids, administration),
    readiness: () => readinessOf(parts),
    ...(settings.roles.has('project') ? keeping(parts) : notKeeping(settings)),
    importSlice: (file, request, onProgress) => orderImport(file, request, onProgress, (...order) => importInThread(settings, eventStore.maxAppendBytes, writes, ...order)),
  };
}

type OfReadModels = Pick<RunningService, 'projections' | 'elsewhere' | 'replay' | 'verify' | 'parked' | 'retryParked'>;

function keeping({ projector, holdings, settings }: Parts): OfReadModels {
  return {
    projections: () => projector.api.projections(),
    elsewhere: () => othersThan(holdings.all, settings),
    replay: (projection, onProgress) => projector.api.rebuild(projection, callback(onProgress)),
    verify: (projection) => projector.api.verify(projection),
    parked: () => (areReadModelsEmbedded(settings) ? projector.api.parked() : parkedAnywhere(settings)),
    retryParked: (options, onProgress) => projector.api.retryParked(options, callback(onProgress)),
  };
}

/** Split roles have their read models in a store that every process reaches: what is parked can be read there. */
function notKeeping(settings: Parts['settings']): OfReadModels {
  return { ...leftToKeepers(settings), elsewhere: () => Promise.resolve(undefined), parked: () => parkedAnywhere(settings) };
}

/** Knows all projections, which this thread otherwise does not load. */
async function parkedAnywhere(settings: Parts['settings']): Promise<readonly ParkedEvent[]> {
  const parked = await import('../offline/parked.js');
  return parked.parkedAnywhere(settings);
}
