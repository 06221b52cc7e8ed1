import { METRIC_KINDS, type MetricKind } from '../../../../../../src/diagnostics/rollups/rollup-types.js';
import {
  createDroppedRecords,
  selectRowsByGrid,
  type TelemetryBatch,
} from '../../../../../../src/projections/telemetry/telemetry-batch.js';
import type {
  HistogramBuckets,
  Exemplar,
  QuantileValue,
} from '../../../../../../src/telemetry/metric-distributions.js';
import {
  createMetricColumns,
  reserveDataPointRow,
  type MetricColumns,
} from '../../../../../../src/telemetry/columns/metric-batch-columns.js';
import { GRID } from '../../../engine/support/requests.js';

/** A data point of the service `shop` as its columns have it. */
export interface PlainPoint {
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  /** On the wire: 1 delta, 2 cumulative. */
  readonly temporality: number;
  readonly instance: string;
  /** Tells resources apart that have the same instance. */
  readonly resource: number;
  readonly timeUs: number;
  readonly startUs: number;
  readonly value: number;
  readonly observations: number;
  readonly min: number;
  readonly max: number;
  readonly buckets?: HistogramBuckets;
  readonly quantiles?: readonly QuantileValue[];
  readonly exemplars?: readonly Exemplar[];
}

/** One request with these points. */
export function portionOf(points: readonly PlainPoint[]): TelemetryBatch<MetricColumns> {
  const columns = createMetricColumns();
  for (const point of points) addRow(columns, point);
  const request = { identity: '', recordedAt: 0, gridId: GRID, revision: 0, spans: 0 };
  const dropped = createDroppedRecords();
  const section = { gridId: GRID, from: 0, to: columns.count, recordedAt: 0, keys: [], request, event: 0, dropped };
  return { columns, eventRows: [section], rows: selectRowsByGrid([section], () => true), floorUs: () => 0 };
}

function addRow(columns: MetricColumns, point: PlainPoint): void {
  reserveDataPointRow(columns);
  const row = columns.count++;
  const text = (value: string): number => columns.strings.internText(value);
  columns.kind[row] = METRIC_KINDS.indexOf(point.kind);
  columns.temporality[row] = point.kind === 'gauge' || point.kind === 'summary' ? 0 : point.temporality;
  columns.monotonic[row] = Number(point.monotonic);
  for (const name of ['timeUs', 'startUs', 'value', 'observations', 'min', 'max'] as const)
    columns[name][row] = point[name];
  for (const name of ['metric', 'unit'] as const) columns[name][row] = text(point[name]);
  columns.service[row] = text('shop');
  columns.attributes[row] = text('[]');
  columns.resource[row] = row;
  columns.resourceTokens[row] = { tokens: Uint32Array.of(point.resource), checks: Uint16Array.of(1) };
  columns.resourceInstances[row] = text(point.instance);
  columns.buckets[row] = point.buckets;
  columns.quantiles[row] = point.quantiles;
  columns.exemplars[row] = point.exemplars;
}
