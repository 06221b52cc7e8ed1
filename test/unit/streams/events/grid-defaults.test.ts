import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateChart, validateDashboard } from '../../../../src/commands/charts/chart-validation.js';
import { DASHBOARD_COLUMNS, type NewChart } from '../../../../src/diagnostics/chart-model.js';
import { createDefaultCharts, createDefaultDashboards } from '../../../../src/streams/events/grid-defaults.js';

const gridId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

/** As the first release had them: never changed, for later events speak of them. */
const FROZEN = join(process.cwd(), 'test/fixtures/default-charts.json');

describe('default charts and dashboards', () => {
  it('never change', () => {
    assert.deepEqual(
      { charts: createDefaultCharts(gridId), dashboards: createDefaultDashboards(gridId) },
      JSON.parse(readFileSync(FROZEN, 'utf8')),
    );
  });

  it('have different ids in every Grid', () => {
    const ids = [gridId, 'another'].flatMap((each) =>
      [...createDefaultCharts(each), ...createDefaultDashboards(each)].map(({ id }) => id),
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
  });

  it('are valid charts and dashboards', () => {
    const charts = createDefaultCharts(gridId);
    for (const chart of charts) assert.deepEqual(validateChart(chart as unknown as NewChart), [], chart.title);
    for (const dashboard of createDefaultDashboards(gridId))
      assert.deepEqual(
        validateDashboard(dashboard, (chartId) => charts.some(({ id }) => id === chartId)),
        [],
      );
  });

  it('fill the dashboard without gaps', () => {
    const [{ charts }] = createDefaultDashboards(gridId);
    const end = Math.max(...charts.map(({ position: { row, height } }) => row + height));
    const covered = charts.reduce((sum, { position: { width, height } }) => sum + width * height, 0);
    assert.equal(covered, end * DASHBOARD_COLUMNS);
    assert.deepEqual(
      charts.map(({ chartId }) => chartId),
      createDefaultCharts(gridId).map(({ id }) => id),
    );
  });
});
