import assert from 'node:assert/strict';
import { DASHBOARD_COLUMNS } from '../../../../src/diagnostics/chart-model.js';
import { RUNTIME_CHARTS } from '../../../../src/queries/charts/runtime-chart-definitions.js';
import { buildServiceDashboard } from '../../../../src/queries/charts/service-dashboard.js';

describe('dashboard of a service', () => {
  for (let known = 0; known <= RUNTIME_CHARTS.length; known++) {
    it(`has no hole with ${known} charts of the runtime`, () => {
      const runtimeMetrics = new Map(
        RUNTIME_CHARTS.slice(0, known).map(({ metrics }) => [metrics[0], new Set<string>()]),
      );
      const places = buildServiceDashboard('grid', {
        serviceName: 'shop',
        firstMs: 0,
        runtimeMetrics,
      }).dashboard.charts.map(({ position }) => position);
      const end = Math.max(...places.map(({ row, height }) => row + height));
      const cells = places.flatMap(({ row, col, width, height }) =>
        Array.from(
          { length: width * height },
          (_, i) => (row + Math.floor(i / width)) * DASHBOARD_COLUMNS + col + (i % width),
        ),
      );

      assert.equal(places.length, 7 + known);
      assert.deepEqual(
        cells.sort((a, b) => a - b),
        Array.from({ length: end * DASHBOARD_COLUMNS }, (_, i) => i),
      );
    });
  }
});
