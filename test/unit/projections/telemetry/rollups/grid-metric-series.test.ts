import assert from 'node:assert/strict';
import { createMetricSource } from '../../../../../src/projections/telemetry/rollups/metric-point.js';
import { GridMetricSeries } from '../../../../../src/projections/telemetry/rollups/grid-metric-series.js';

const NOON_US = Date.UTC(2026, 5, 20, 12) * 1000;

describe('metric sources', () => {
  const gauge = (attribute: string) =>
    ({
      source: createMetricSource('shop', 'a', ''),
      metric: 'cpu',
      unit: '1',
      kind: 'gauge',
      monotonic: false,
      cumulative: false,
      delta: false,
      attributes: JSON.stringify([['key', attribute]]),
      timeUs: NOON_US,
      timeNs: 0,
      startUs: 0,
      value: 1,
      observations: 1,
      min: 1,
      max: 1,
      buckets: undefined,
      quantiles: [],
      exemplars: [],
    }) as const;

  it('include their names in their memory usage', () => {
    const sources = new GridMetricSeries('g', undefined, []);
    for (let i = 0; i < 100; i++) sources.addPoint(gauge(`${i}`.padEnd(8_000, 'x')));
    assert.ok(sources.bytes >= 100 * 8_000);
    const restored = new GridMetricSeries(
      'g',
      sources.takeChange(),
      sources.takeSourceChanges().flatMap(([, document]) => document ?? []),
    );
    assert.equal(restored.bytes, sources.bytes);
    restored.forgetBefore(NOON_US + 1);
    assert.equal(restored.bytes, 0);
  });

  it('include their buckets too, also when these are replaced', () => {
    const sources = new GridMetricSeries('g', undefined, []);
    const histogram = (second: number, bounds: readonly number[]) =>
      ({
        ...gauge('x'),
        kind: 'histogram',
        cumulative: true,
        timeUs: NOON_US + second * 1_000_000,
        buckets: { kind: 'explicit', bounds, counts: [...bounds, 1] },
      }) as const;
    const many = Array.from({ length: 300 }, (_, i) => i);
    sources.addPoint(histogram(0, many));
    assert.ok(sources.bytes >= 600 * 8);
    const restored = new GridMetricSeries(
      'g',
      sources.takeChange(),
      sources.takeSourceChanges().flatMap(([, document]) => document ?? []),
    );
    assert.equal(restored.bytes, sources.bytes);
    restored.addPoint(histogram(1, [1]));
    assert.ok(restored.bytes < sources.bytes - 500 * 8);
    restored.forgetBefore(NOON_US + 2_000_000);
    assert.equal(restored.bytes, 0);
  });

  it('store bounds once', () => {
    const sources = new GridMetricSeries('g', undefined, []);
    for (let i = 0; i < 5; i++)
      sources.addPoint({
        ...gauge(`${i}`),
        kind: 'histogram',
        cumulative: true,
        buckets: { kind: 'explicit', bounds: [1, 2, 3], counts: [0, i, 0, 0] },
      });
    const [[, document]] = sources.takeSourceChanges();
    assert.deepEqual(document?.bounds, [[1, 2, 3]]);
    assert.deepEqual(
      document?.series.map(({ buckets }) => buckets),
      [0, 1, 2, 3, 4].map((count) => ({ kind: 'explicit', bounds: 0, counts: [0, count, 0, 0] })),
    );
  });

  it('limit the series of one source to what fits into a document of 4 MiB, and accept new ones when old ones have expired', () => {
    const sources = new GridMetricSeries('g', undefined, []);
    const long = (i: number, hours = 0) => ({
      ...gauge(`${i}`.padEnd(8_000, 'x')),
      timeUs: NOON_US + hours * 3_600_000_000,
    });
    const kinds = Array.from({ length: 600 }, (_, i) => sources.addPoint(long(i)).kind);
    const kept = kinds.indexOf('overflow');
    assert.ok(kept > 500 && kept < 530, `${kept} series`);
    assert.equal(sources.addPoint(long(3, 1)).kind, 'counted', 'a known one');
    assert.equal(
      sources.addPoint({ ...long(1), source: createMetricSource('shop', 'b', '') }).kind,
      'counted',
      'of another source',
    );
    const documents = sources.takeSourceChanges().flatMap(([, document]) => document ?? []);
    assert.ok(documents.every((document) => JSON.stringify(document).length < 5_000_000));
    const restored = new GridMetricSeries('g', sources.takeChange(), documents);
    assert.equal(restored.addPoint(long(599)).kind, 'overflow', 'after a restart too');
    assert.equal(restored.addPoint(long(599, 30)).kind, 'counted', 'a day later');
  });
});
