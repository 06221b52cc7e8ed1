import {
  ERROR_GROUPS_PROJECTION,
  errorGroupCollection,
  type ErrorGroupChange,
  errorGroupDocumentId,
} from '../../../../../src/read-models/documents/error-group-documents.js';
import { PROJECTIONS } from '../../../../../src/read-models/documents/projection-documents.js';
import { GRID, type TelemetryWorld } from '../../telemetry/support/telemetry-world.js';

/** Stores what people did about a group. */
export async function changeErrorGroup(
  world: TelemetryWorld,
  groupId: string,
  ...changes: readonly ErrorGroupChange[]
): Promise<void> {
  const document = { gridId: GRID, groupId, changes };
  await world.commit([
    { kind: 'put', collection: PROJECTIONS, id: ERROR_GROUPS_PROJECTION, document: { active: 1 } },
    { kind: 'put', collection: errorGroupCollection(1), id: errorGroupDocumentId(GRID, groupId), document },
  ]);
}

/** A resolution at this time in s since 1970. */
export function resolvedIn(atS: number, fixedIn = '', knownVersions: readonly string[] = []): ErrorGroupChange {
  return { type: 'resolved', at: atS * 1_000, by: 'owner', fixedIn, knownVersions };
}
