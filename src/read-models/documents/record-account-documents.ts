import type { RecordOutcomes } from '../../accounting/record-account.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Collection } from '../read-model-store.js';

/**
 * Outcomes of the records of a Grid, under the Grid's id, as of the checkpoint of the projection of their signal. Dead
 * letters are counted by their own documents. A rebuild starts with the oldest request that the log still holds.
 */
export interface RecordAccountDocument extends Omit<RecordOutcomes, 'deadLetters'> {
  readonly gridId: string;
  /** Log time (ms since 1970) of the first request that is counted. */
  readonly since: number;
}

/** Written by the projection of the signal. */
export function recordAccountCollection(signal: Signal, version: number): Collection<RecordAccountDocument> {
  return { name: `${signal}-record-accounts.v${version}`, indexes: [] };
}

/** Data points that rollups hold of one hour of their time: retention removes whole hours. */
export interface PointHourDocument {
  readonly gridId: string;
  /** Hours since 1970. */
  readonly hour: number;
  readonly points: number;
}

/** Written by the projection of metrics. */
export function pointHourCollection(version: number): Collection<PointHourDocument> {
  return { name: `metric-point-hours.v${version}`, indexes: [['gridId', 'hour']] };
}
