import assert from 'node:assert/strict';
import { DERIVED_METRICS, DERIVED_UNITS } from '../../../../src/diagnostics/chart-model.js';
import {
  DERIVED_CATALOG_METRICS,
  buildCatalog,
  listGroupings,
  filterMetrics,
} from '../../../../portal/src/pages/metrics/metric-catalog.js';

const sent = {
  name: 'queue.depth',
  unit: '{item}',
  type: 'gauge',
  services: ['cart'],
  attributeKeys: ['queue', 'service'],
};

describe('metric catalog', () => {
  it('contains all derived metrics with their units', () => {
    assert.deepEqual(
      DERIVED_CATALOG_METRICS.map(({ name }) => name),
      [...DERIVED_METRICS],
    );
    assert.deepEqual(Object.fromEntries(DERIVED_CATALOG_METRICS.map(({ name, unit }) => [name, unit])), DERIVED_UNITS);
  });

  it('filters by words and by service', () => {
    const all = buildCatalog([sent]);
    assert.deepEqual(
      filterMetrics(all, 'GAUGE depth', '').map(({ name }) => name),
      ['queue.depth'],
    );
    assert.deepEqual(filterMetrics(all, 'depth', 'mail'), []);
    assert.deepEqual(
      filterMetrics(all, 'apdex', 'mail').map(({ name }) => name),
      ['apdex'],
    );
  });

  it('lists the groupings of each metric', () => {
    const of = (name: string) => listGroupings(buildCatalog([sent]).find((each) => each.name === name)!);
    assert.deepEqual(of('latency'), []);
    assert.deepEqual(of('error_log_rate'), ['service', 'severity']);
    assert.deepEqual(of('error_rate'), ['service', 'operation']);
    assert.deepEqual(of('queue.depth'), ['service', 'instance', 'queue']);
  });
});
