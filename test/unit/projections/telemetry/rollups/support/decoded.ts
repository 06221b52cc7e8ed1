import type { GridRollup, ServiceRollup } from '../../../../../../src/diagnostics/rollups/rollup-types.js';
import { eq } from '../../../../../../src/read-models/document-filter.js';
import { decodeGridRollup } from '../../../../../../src/read-models/rollups/grid-rollup-codec.js';
import { decodeServiceRollup } from '../../../../../../src/read-models/rollups/service-rollup-codec.js';
import {
  ROLLUP_BLOB,
  rollupId,
  spanRollupCollections,
} from '../../../../../../src/read-models/documents/rollup-documents.js';
import { GRID } from '../../../engine/support/requests.js';
import type { ProjectedLog } from '../../../engine/support/projected.js';

const { grids, services } = spanRollupCollections(1);

/** All rollups of a Grid's spans, by `minute/service`. */
export async function rollupsOf(log: ProjectedLog, gridId: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [{ minutes }, decode] of [
    [services, decodeServiceRollup],
    [grids, decodeGridRollup],
  ] as const) {
    for (const { id, document } of await log.store.find(minutes, { filter: eq('gridId', gridId) })) {
      const blob = await log.store.readBlob(minutes, id, ROLLUP_BLOB);
      found[`${document.minute}/${document.service}`] = decode(blob!);
    }
  }
  return found;
}

export async function gridRollup(log: ProjectedLog, minute: number): Promise<GridRollup | undefined> {
  const blob = await log.store.readBlob(grids.minutes, rollupId({ gridId: GRID, minute, service: '' }), ROLLUP_BLOB);
  return blob && decodeGridRollup(blob);
}

export async function serviceRollup(
  log: ProjectedLog,
  minute: number,
  service: string,
): Promise<ServiceRollup | undefined> {
  const blob = await log.store.readBlob(services.minutes, rollupId({ gridId: GRID, minute, service }), ROLLUP_BLOB);
  return blob && decodeServiceRollup(blob);
}
