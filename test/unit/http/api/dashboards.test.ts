import assert from 'node:assert/strict';
import { assertProblem, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { BUILT_IN_DASHBOARD, CHART, DASHBOARD } from '../../../support/sample-charts.js';

const DASHBOARDS = `/apm/dashboards/${GRID_A}/dashboards`;

const RECORD = {
  id: DASHBOARD.id,
  title: 'Orders',
  description: 'What the shop lives by',
  createdAt: '2026-01-01T00:00:00.123Z',
  updatedAt: '2026-01-01T00:01:00.123Z',
  charts: [
    { chartId: CHART.id, title: 'Slow orders', chartType: 'area', position: { row: 0, col: 6, width: 6, height: 4 } },
  ],
};

describe('dashboards', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  it('have exactly the members of the spec', async () => {
    const reply = await api.get(`${DASHBOARDS}/${DASHBOARD.id.toUpperCase()}`);
    assert.deepEqual([reply.status, Object.entries(reply.json())], [200, Object.entries(RECORD)]);
    assert.deepEqual(api.charts.asked, [{ name: 'dashboard', with: [GRID_A, DASHBOARD.id] }]);
  });

  it('are listed with the same members, and whether they can be changed', async () => {
    const { dashboards } = (await api.get(DASHBOARDS, { as: 'guest' })).json() as { dashboards: object[] };
    assert.deepEqual(dashboards, [
      { ...RECORD, builtIn: false },
      { ...RECORD, id: BUILT_IN_DASHBOARD.id, title: 'checkout', description: '', builtIn: true },
    ]);
  });

  it('are 404 where nothing is known under the id', async () => {
    for (const id of [CHART.id, 'no-uuid', '%2e'])
      assertProblem(await api.get(`${DASHBOARDS}/${id}`), { status: 404, slug: 'not-found' });
  });
});
