import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  copySeries,
  type MetricRollup,
  type MetricSeriesRollup,
} from '../../../../src/diagnostics/rollups/rollup-types.js';
import {
  decodeMetricRollup,
  decodeMetricSeries,
  encodeMetricRollup,
} from '../../../../src/read-models/rollups/metric-rollup-codec.js';
import { metricRollup } from './support/arbitrary-rollups.js';
import { FORMAT_4_BLOB } from './support/former-blobs.js';
import { plain } from './support/plain.js';

const NEWEST = 1_781_956_840_000_000;
const cpu: MetricSeriesRollup = {
  metric: 'cpu',
  unit: '1',
  kind: 'gauge',
  monotonic: false,
  instance: 'a',
  attributes: [['state', 'used']],
  points: 3,
  sum: 1.5,
  count: 3,
  min: 0.25,
  max: 0.75,
  last: 0.5,
  lastUs: NEWEST,
  buckets: [],
  quantiles: [],
  exemplars: [],
};
const calls: MetricSeriesRollup = {
  ...cpu,
  metric: 'calls',
  unit: '',
  kind: 'sum',
  monotonic: true,
  instance: '',
  attributes: [],
  points: 2,
  sum: 7,
  count: 2,
  min: NaN,
  max: NaN,
  last: 90,
};
const bounds = [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 7_500, 10_000, 30_000, 60_000];
const latency = (route: string): MetricSeriesRollup => ({
  ...cpu,
  metric: 'latency',
  unit: 'ms',
  kind: 'histogram',
  attributes: [['route', route]],
  points: 4,
  sum: 1234.5,
  count: 60,
  min: NaN,
  max: NaN,
  last: 98_765.5,
  buckets: [{ kind: 'explicit', bounds, counts: [0, 0, 0, 12, 20, 18, 6, 3, 1, 0, 0, 0, 0, 0, 0, 0] }],
});
const exemplar = {
  timeUs: NEWEST - 5,
  value: 99,
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
};

describe('bytes of a metric rollup', () => {
  it('decode to the same series for one metric as for all', () => {
    fc.assert(
      fc.property(metricRollup, fc.nat(), (rollup, pick) => {
        const metric = rollup.series.length === 0 ? 'none' : rollup.series[pick % rollup.series.length].metric;
        const bytes = encodeMetricRollup(rollup);
        const all = decodeMetricRollup(bytes);
        assert.deepEqual(
          plain(decodeMetricSeries(bytes, metric)),
          plain({ ...all, series: all.series.filter((one) => one.metric === metric) }),
        );
        assert.deepEqual(decodeMetricSeries(bytes, `${metric} and another`), { service: rollup.service, series: [] });
      }),
    );
  });

  it('of one metric are read without the strings of the others', () => {
    const seen: string[] = [];
    const rollup = { service: 'shop', series: [cpu, calls, latency('/a'), latency('/b')] };
    decodeMetricSeries(encodeMetricRollup(rollup), 'latency', (text) => (seen.push(text), text));
    assert.deepEqual(seen.sort(), ['/a', '/b', 'a', 'latency', 'ms', 'route', 'shop']);
  });

  it('give series that decode their lists at each access, and whose copies have them', () => {
    const reported = {
      ...latency('/a'),
      quantiles: [[0.5, 3]] as const,
      exemplars: [exemplar, { ...exemplar, value: 1, traceId: '', spanId: '' }],
    };
    const [series] = decodeMetricRollup(encodeMetricRollup({ service: 'shop', series: [reported] })).series;
    assert.deepEqual(copySeries(series), reported);
    assert.deepEqual(copySeries(series), reported, 'again');
    assert.deepEqual(series.quantiles, reported.quantiles);
  });

  it('contain bounds once', () => {
    const size = (routes: number) =>
      encodeMetricRollup({ service: 'shop', series: Array.from({ length: routes }, (_, i) => latency(`/${i}`)) })
        .byteLength;
    assert.ok(size(9) - size(8) < 64, `${size(9) - size(8)} bytes more`);
  });

  it('of numbers that are integers, equal or not reported are few', () => {
    const size = (series: MetricSeriesRollup) =>
      encodeMetricRollup({ service: 'shop', series: [cpu, series] }).byteLength -
      encodeMetricRollup({ service: 'shop', series: [cpu] }).byteLength;
    const text = 'calls'.length + 1;
    assert.ok(size(calls) - text <= 18, `${size(calls)} bytes`);
  });

  it('of the former format are read: they are stored until their rollups are rebuilt', () => {
    const expected: MetricRollup = { service: 'shop', series: [calls, cpu] };
    assert.deepEqual(decodeMetricRollup(FORMAT_4_BLOB), expected);
    assert.deepEqual(decodeMetricSeries(FORMAT_4_BLOB, 'cpu'), { ...expected, series: [cpu] });
  });
});
