import type { ExceptionRollup, GridRollup, LogRollup, MetricRollup, ServiceRollup } from '../../diagnostics/rollups.js';
import type { Decoding } from './decoded-rollups.js';
import { decodeGridRollup } from './grid-rollup-codec.js';
import { decodeLogRollup } from './log-rollup-codec.js';
import { decodeMetricRollup } from './metric-rollup-codec.js';
import { decodeServiceRollup } from './service-rollup-codec.js';

/*
 * What decoded objects take on the heap beside the blob, which their sketches and distributions hold on to: rounded from
 * the growth of the heap by thousands of them.
 */
const OBJECT_BYTES = 80;
const WITH_SKETCH_BYTES = 300;
const WITH_TWO_SKETCHES_BYTES = 360;
const NUMBER_BYTES = 12;

export const GRID_ROLLUPS: Decoding<GridRollup> = {
  decode: decodeGridRollup,
  weigh: ({ services, edges }) => OBJECT_BYTES + services.length * (WITH_SKETCH_BYTES + OBJECT_BYTES) + edges.length * WITH_TWO_SKETCHES_BYTES,
};

export const SERVICE_ROLLUPS: Decoding<ServiceRollup> = {
  decode: decodeServiceRollup,
  weigh({ operations, exceptions, versions, instances }) {
    const calls = operations.reduce((sum, operation) => sum + operation.calls.length, 0);
    return OBJECT_BYTES * (1 + calls + versions.length + instances.length) + operations.length * WITH_TWO_SKETCHES_BYTES + exceptionBytes(exceptions);
  },
};

export const LOG_ROLLUPS: Decoding<LogRollup> = {
  decode: decodeLogRollup,
  weigh: ({ templates, exceptions }) => OBJECT_BYTES * (2 + templates.length) + exceptionBytes(exceptions),
};

export const METRIC_ROLLUPS: Decoding<MetricRollup> = {
  decode: decodeMetricRollup,
  weigh: ({ series }) => series.reduce((sum, { attributes }) => sum + (3 + attributes.length) * OBJECT_BYTES, OBJECT_BYTES),
};

function exceptionBytes(exceptions: readonly ExceptionRollup[]): number {
  return exceptions.reduce((sum, { ids }) => sum + OBJECT_BYTES + ids.length * NUMBER_BYTES, 0);
}
