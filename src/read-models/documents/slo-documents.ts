import type { StoredSlo } from '../../streams/events/slo-events.js';
import type { Collection } from '../read-model-store.js';

/** What was recorded of the events of an objective. */
export interface RecordedCounts {
  /** Since when the objective has the indicator that was counted, ms since 1970. */
  readonly definedAt: number;
  /** Telemetry up to this revision of the Grid's telemetry stream is counted; −1: none. */
  readonly through: number;
  /** Hours since 1970 with events, ascending, at most the newest RECORDED_HOURS; good events and all events of each. */
  readonly hours: readonly (readonly [hour: number, good: number, total: number])[];
  /** Those of them in planned maintenance; absent: none. */
  readonly maintenance?: readonly (readonly [hour: number, good: number, total: number])[];
}

/** An objective with its recorded counts; its times are ms since 1970. */
export interface SloDocument extends StoredSlo {
  readonly gridId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly counts: RecordedCounts;
}

/** A report on the last month needs 62 days. */
export const RECORDED_HOURS = 93 * 24;

/** Name of the projection that writes this collection, and its version in this release. */
export const SLOS_PROJECTION = 'slos';
export const SLOS_VERSION = 2;

/** Prefixed with the Grid, because in a hand-made log objectives of two Grids may have the same id. */
export function sloDocumentId(gridId: string, sloId: string): string {
  return `${gridId}/${sloId}`;
}

export function sloCollection(version: number): Collection<SloDocument> {
  return { name: `slos.v${version}`, indexes: [['gridId']] };
}
