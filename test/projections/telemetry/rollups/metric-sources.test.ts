import assert from 'node:assert/strict';
import { metricSource } from '../../../../src/projections/telemetry/rollups/metric-point.js';
import { MetricSources } from '../../../../src/projections/telemetry/rollups/metric-sources.js';

const NOON_US = Date.UTC(2026, 5, 20, 12) * 1000;

describe('metric sources', () => {
  const gauge = (attribute: string) => ({
    source: metricSource('shop', 'a', ''), metric: 'cpu', unit: '1', kind: 'gauge', monotonic: false, cumulative: false,
    attributes: JSON.stringify([['key', attribute]]), timeUs: NOON_US, startUs: 0, value: 1, observations: 1, min: 1, max: 1, buckets: undefined, quantiles: [], exemplars: [],
  } as const);

  it('count the names that they keep among the memory that they take', () => {
    const sources = new MetricSources('g', undefined, []);
    for (let i = 0; i < 100; i++) sources.take(gauge(`${i}`.padEnd(8_000, 'x')));
    assert.ok(sources.bytes >= 100 * 8_000);
    const restored = new MetricSources('g', sources.takeChange(), sources.takeSourceChanges().flatMap(([, document]) => document ?? []));
    assert.equal(restored.bytes, sources.bytes);
    restored.forgetBefore(NOON_US + 1);
    assert.equal(restored.bytes, 0);
  });
});
