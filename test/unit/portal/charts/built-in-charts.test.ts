import assert from 'node:assert/strict';
import { findBuiltInChart } from '../../../../portal/src/charts/built-in-charts.js';
import { createDefaultCharts } from '../../../../src/streams/events/grid-defaults.js';
import { buildServiceDashboard } from '../../../../src/queries/charts/service-dashboard.js';

const GRID = '5a9c7d51-2a3a-4c1e-9a51-2f6f8a1e4b10';

describe('built-in charts', () => {
  it('are found by metric, for a Grid and its services', () => {
    const ofService = buildServiceDashboard(GRID, {
      serviceName: 'shop',
      firstMs: 0,
      runtimeMetrics: new Map(),
    }).charts;
    const all = [...createDefaultCharts(GRID), ...ofService];
    for (const metric of ['request_rate', 'error_rate', 'apdex', 'latency']) {
      for (const serviceName of ['', 'shop']) {
        const id = findBuiltInChart(all, serviceName, metric)?.id;
        assert.equal(all.find((chart) => chart.id === id)?.groupBy, '', `${metric} of ${serviceName}`);
      }
    }
  });

  it('are undefined if missing', () => {
    assert.equal(findBuiltInChart([], '', 'apdex'), undefined);
    assert.equal(findBuiltInChart(createDefaultCharts(GRID), 'shop', 'apdex'), undefined);
    assert.equal(findBuiltInChart(createDefaultCharts(GRID), '', 'nothing'), undefined);
  });
});
