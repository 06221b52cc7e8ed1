import type { RunningService } from '../cli/operations.js';
import type { Parts } from '../composition.js';
import { callback } from '../threads/thread.js';
import { administrativeOperations } from './administrative-operations.js';
import { readinessOf } from './readiness.js';
import { importInThread, importWrites, orderImport } from './slice-import.js';

/** What an operator may have done by the service that runs. */
export function operationsOf(parts: Parts): RunningService {
  const { projector, standings, settings, eventStore, grids, administration } = parts;
  const writes = importWrites(eventStore, settings, standings);
  return {
    ...administrativeOperations(grids, grids, administration),
    readiness: () => readinessOf(parts),
    projections: () => projector.api.projections(),
    replay: (projection, onProgress) => projector.api.rebuild(projection, callback(onProgress)),
    verify: (projection) => projector.api.verify(projection),
    importSlice: (file, request, onProgress) => orderImport(file, request, onProgress, (...order) => importInThread(settings, eventStore.maxAppendBytes, writes, ...order)),
    parked: () => projector.api.parked(),
    retryParked: (options, onProgress) => projector.api.retryParked(options, callback(onProgress)),
  };
}
