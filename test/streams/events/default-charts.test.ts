import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFaults, dashboardFaults } from '../../../src/commands/charts/rules.js';
import { DASHBOARD_COLUMNS, type NewChart } from '../../../src/diagnostics/chart.js';
import { defaultCharts, defaultDashboards } from '../../../src/streams/events/default-charts.js';

const gridId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

/** As the first release had them: never changed, for later events speak of them. */
const FROZEN = join(process.cwd(), 'test/fixtures/default-charts.json');

describe('charts and dashboards that a Grid starts with', () => {
  it('never change', () => {
    assert.deepEqual({ charts: defaultCharts(gridId), dashboards: defaultDashboards(gridId) }, JSON.parse(readFileSync(FROZEN, 'utf8')));
  });

  it('have ids of their own in every Grid', () => {
    const ids = [gridId, 'another'].flatMap((each) => [...defaultCharts(each), ...defaultDashboards(each)].map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
  });

  it('obey the rules for charts and dashboards', () => {
    const charts = defaultCharts(gridId);
    for (const chart of charts) assert.deepEqual(chartFaults(chart as unknown as NewChart), [], chart.title);
    for (const dashboard of defaultDashboards(gridId)) assert.deepEqual(dashboardFaults(dashboard, (chartId) => charts.some(({ id }) => id === chartId)), []);
  });

  it('fill the dashboard without a hole', () => {
    const [{ charts }] = defaultDashboards(gridId);
    const end = Math.max(...charts.map(({ position: { row, height } }) => row + height));
    const covered = charts.reduce((sum, { position: { width, height } }) => sum + width * height, 0);
    assert.equal(covered, end * DASHBOARD_COLUMNS);
    assert.deepEqual(charts.map(({ chartId }) => chartId), defaultCharts(gridId).map(({ id }) => id));
  });
});
