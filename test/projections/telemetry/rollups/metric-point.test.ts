import assert from 'node:assert/strict';
import { ROLLUP_BOUNDS } from '../../../../src/diagnostics/rollups.js';
import { pointAt, sourceAt, type MetricPoint } from '../../../../src/projections/telemetry/rollups/metric-point.js';
import type { QuantileValue } from '../../../../src/telemetry/distribution.js';
import { portionOf, type PlainPoint } from './support/plain-points.js';

const summary: PlainPoint = { metric: 'm', unit: '', kind: 'summary', monotonic: false, temporality: 0, instance: 'a', resource: 0, timeUs: 1, startUs: 0, value: 1, observations: 1, min: NaN, max: NaN };

describe('data points', () => {
  function read(point: PlainPoint): MetricPoint {
    const { columns } = portionOf([point]);
    return pointAt(columns, 0, sourceAt(columns, 0));
  }

  it('have their quantiles in order, each once, without what is none', () => {
    const told: QuantileValue[] = [[0.9, 4], [0.5, 2], [0.9, 5], [0.5, NaN], [0.99, Infinity], [1.5, 1], [-0.5, 1], [NaN, 1]];
    assert.deepEqual(read({ ...summary, quantiles: told }).quantiles, [[0.5, 2], [0.9, 5]]);
  });

  it('of too many quantiles have the highest', () => {
    const many = Array.from({ length: 100 }, (_, i): QuantileValue => [i / 100, i]);
    assert.deepEqual(read({ ...summary, quantiles: many }).quantiles, many.slice(-ROLLUP_BOUNDS.quantiles));
  });

  it('have no buckets that are none, and no exemplars without a value', () => {
    const exemplar = { timeUs: 1, value: 2, traceId: '', spanId: '' };
    const point = read({ ...summary, kind: 'histogram', buckets: { kind: 'explicit', bounds: [2, 1], counts: [1, 1, 1] }, exemplars: [{ ...exemplar, value: NaN }, exemplar] });
    assert.deepEqual([point.buckets, point.exemplars], [undefined, [exemplar]]);
  });

  it('are cumulative unless they say that they are delta, or can fall', () => {
    const cumulative = (kind: PlainPoint['kind'], temporality: number, monotonic = false) => read({ ...summary, kind, temporality, monotonic }).cumulative;
    assert.deepEqual([cumulative('summary', 1), cumulative('histogram', 0), cumulative('exponential_histogram', 2), cumulative('sum', 2, true)], [true, true, true, true]);
    assert.deepEqual([cumulative('gauge', 2), cumulative('histogram', 1), cumulative('sum', 1, true), cumulative('sum', 2)], [false, false, false, false]);
  });
});
