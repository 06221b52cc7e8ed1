import assert from 'node:assert/strict';
import type { Chart } from '../../../../src/diagnostics/chart-model.js';
import type { ServiceCatalog } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { findDeployments } from '../../../../src/queries/charts/chart-annotations.js';

const CHART: Chart = {
  id: 'c',
  title: 'Requests',
  chartType: 'line',
  metric: 'request_rate',
  serviceName: '',
  groupBy: '',
  aggregation: '',
  unit: '',
  createdAt: 0,
  updatedAt: 0,
};
const FRAME = { fromMs: 600_000, toMs: 1_200_000, stepMs: 60_000, nowMs: 1_170_000 };

/** `versions`: name and first time seen in seconds. */
function catalog(service: string, versions: Readonly<Record<string, number>>): ServiceCatalog {
  const seen = Object.entries(versions).map(([version, seconds]) => ({
    version,
    firstUs: seconds * 1_000_000 + 999,
    lastUs: 9e12,
  }));
  return { service, firstUs: 0, lastUs: 9e12, operations: [], versions: seen };
}

describe('deployments on a chart', () => {
  const markers = (catalogs: readonly ServiceCatalog[], serviceName = ''): string[] =>
    findDeployments({ ...CHART, serviceName }, FRAME, catalogs).map(({ atMs, label }) => `${atMs / 1000} ${label}`);

  it('are the first observations of versions inside the frame, in order of time', () => {
    const shop = catalog('shop', { '1.0': 10, '1.1': 599, '1.2': 600, '1.3': 900 });
    assert.deepEqual(markers([shop, catalog('cart', { a: 1, b: 700 })]), [
      '600 shop 1.2',
      '700 cart b',
      '900 shop 1.3',
    ]);
  });

  it('are none for the first version that a service reported', () => {
    assert.deepEqual(markers([catalog('shop', { '1.0': 700 }), catalog('cart', { '2': 800, '1': 700 })]), [
      '800 cart 2',
    ]);
  });

  it('know nothing of what comes after now', () => {
    assert.deepEqual(markers([catalog('shop', { '1.0': 10, '1.1': 1_170, '1.2': 1_171, '1.3': 1_200 })]), [
      '1170 shop 1.1',
    ]);
  });

  it('are those of its service alone', () => {
    const [shop, cart] = [catalog('shop', { a: 1, b: 700 }), catalog('cart', { a: 1, b: 800 })];
    assert.deepEqual(markers([shop, cart], 'cart'), ['800 cart b']);
    assert.deepEqual(markers([shop, cart], 'nobody'), []);
  });

  it('are none where versions or services are too many to be distinguished', () => {
    assert.deepEqual(
      markers([catalog('shop', { a: 1, __other__: 700, '': 800 }), catalog('__other__', { a: 1, b: 700 })]),
      [],
    );
  });

  it('are twenty, the newest', () => {
    const many = catalog('shop', Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`1.${i}`, 600 + i])));
    const found = markers([many]);
    assert.deepEqual([found.length, found[0], found.at(-1)], [20, '610 shop 1.10', '629 shop 1.29']);
  });
});
