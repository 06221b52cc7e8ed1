import assert from 'node:assert/strict';
import {
  readPoint,
  readSource,
  type MetricPoint,
} from '../../../../../src/projections/telemetry/rollups/metric-point.js';
import type { Exemplar, QuantileValue } from '../../../../../src/telemetry/metric-distributions.js';
import { portionOf, type PlainPoint } from './support/plain-points.js';

const summary: PlainPoint = {
  metric: 'm',
  unit: '',
  kind: 'summary',
  monotonic: false,
  temporality: 0,
  instance: 'a',
  resource: 0,
  timeUs: 1,
  startUs: 0,
  value: 1,
  observations: 1,
  min: NaN,
  max: NaN,
};

describe('data points', () => {
  function read(point: PlainPoint): MetricPoint {
    const { columns } = portionOf([point]);
    return readPoint(columns, 0, readSource(columns, 0));
  }

  it('have the quantiles and exemplars of their columns, and empty lists where there are none', () => {
    const [quantiles, exemplars]: [QuantileValue[], Exemplar[]] = [
      [
        [0.5, 2],
        [0.9, 5],
      ],
      [{ timeUs: 1, value: 2, traceId: '', spanId: '' }],
    ];
    const [reported, unreported] = [read({ ...summary, quantiles, exemplars }), read(summary)];
    assert.deepEqual(
      [reported.quantiles, reported.exemplars, unreported.quantiles, unreported.exemplars],
      [quantiles, exemplars, [], []],
    );
  });

  it('have no buckets that are none', () => {
    assert.equal(
      read({ ...summary, kind: 'histogram', buckets: { kind: 'explicit', bounds: [2, 1], counts: [1, 1, 1] } }).buckets,
      undefined,
    );
  });

  it('are cumulative unless they say that they are delta, or can fall', () => {
    const cumulative = (kind: PlainPoint['kind'], temporality: number, monotonic = false) =>
      read({ ...summary, kind, temporality, monotonic }).cumulative;
    assert.deepEqual(
      [
        cumulative('summary', 1),
        cumulative('histogram', 0),
        cumulative('exponential_histogram', 2),
        cumulative('sum', 2, true),
      ],
      [true, true, true, true],
    );
    assert.deepEqual(
      [cumulative('gauge', 2), cumulative('histogram', 1), cumulative('sum', 1, true), cumulative('sum', 2)],
      [false, false, false, false],
    );
  });
});
