import type { StoredMatcher } from '../../streams/events/notification-events.js';
import type { Collection } from '../read-model-store.js';

/** A period of planned maintenance, from ≤ t < to, in ms since 1970. */
export interface MaintenancePeriod {
  readonly silenceId: string;
  /** Which alerts, and so which objectives, it concerns. */
  readonly matchers: readonly StoredMatcher[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** Planned maintenance of a Grid, past periods included; the id is that of the Grid. */
export interface MaintenanceDocument {
  readonly gridId: string;
  readonly periods: readonly MaintenancePeriod[];
}

/** Periods of a Grid that are kept, and for how long after their end: as long as what was counted of objectives. */
export const MAINTENANCE_BOUNDS = { periods: 1_000, keptMs: 93 * 86_400_000 } as const;

/** Written by the projection of objectives, which reads it with its counts. */
export function maintenanceCollection(version: number): Collection<MaintenanceDocument> {
  return { name: `maintenance.v${version}`, indexes: [] };
}
