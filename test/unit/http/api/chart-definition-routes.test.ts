import assert from 'node:assert/strict';
import { assertProblem, faults, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { BUILT_IN_CHART, CHART, NEW_CHART } from '../../../support/sample-charts.js';
import { CREATED_ID } from '../../../support/created-id.js';

const CHARTS = `/admin/grids/${GRID_A}/charts`;
const ONE = `${CHARTS}/${CHART.id}`;

const RECORD = {
  id: CHART.id,
  title: 'Slow orders',
  chartType: 'area',
  serviceName: 'checkout',
  metric: 'orders.duration',
  unit: 's',
  createdAt: '2026-01-01T00:00:00.123Z',
  updatedAt: '2026-01-01T00:01:00.123Z',
  groupBy: 'region',
  aggregation: 'p95',
};

describe('definitions of charts', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  const done = (): unknown[] => api.chartCommands.done.map(({ name, with: values }) => [name, ...values]);

  it('are listed, those that can be changed, and read one by one, those of services too', async () => {
    const [list, one, builtIn] = await Promise.all([
      api.get(CHARTS),
      api.get(ONE.replace(CHART.id, CHART.id.toUpperCase())),
      api.get(`${CHARTS}/${BUILT_IN_CHART.id}`),
    ]);
    assert.deepEqual([list.status, list.json(), one.status, one.json()], [200, { charts: [RECORD] }, 200, RECORD]);
    assert.deepEqual([builtIn.json()['title'], builtIn.json()['unit']], ['checkout · Requests', '']);
  });

  it('are created: 201 with the record, once it shows', async () => {
    const reply = await api.post(CHARTS, NEW_CHART, { as: 'member' });
    assert.deepEqual([reply.status, reply.json()], [201, { ...RECORD, id: CREATED_ID }]);
    assert.deepEqual(done(), [
      ['createChart', 'member', GRID_A, NEW_CHART],
      ['waitForPosition', '7'],
    ]);
  });

  it('leave to the metric what is absent', async () => {
    const { title, chartType, metric } = NEW_CHART;
    await api.post(CHARTS, { title, chartType, metric, unit: null });
    assert.deepEqual(api.chartCommands.done[0]?.with.at(-1), {
      title,
      chartType,
      metric,
      serviceName: '',
      groupBy: '',
      aggregation: '',
      unit: '',
    });
  });

  it('are replaced as a whole, also by what was read: 200 with the record', async () => {
    const reply = await api.call('PUT', ONE.replace(CHART.id, CHART.id.toUpperCase()), {
      body: { ...RECORD, title: 'Orders' },
    });
    assert.deepEqual([reply.status, reply.json()], [200, { ...RECORD, title: 'Orders' }]);
    assert.deepEqual(done(), [
      ['changeChart', 'owner', GRID_A, CHART.id, { ...NEW_CHART, title: 'Orders' }],
      ['waitForPosition', '7'],
    ]);
  });

  it('are deleted: 204 without a body', async () => {
    const reply = await api.call('DELETE', ONE);
    assert.deepEqual([reply.status, reply.text, reply.headers.get('content-type')], [204, '', null]);
    assert.deepEqual(done(), [
      ['removeChart', 'owner', GRID_A, CHART.id],
      ['waitForPosition', '7'],
    ]);
  });

  it('stay while a dashboard shows them: 409 that names it', async () => {
    api.chartCommands.isPlaced = true;
    const reply = await api.call('DELETE', ONE);
    assertProblem(reply, { status: 409, slug: 'conflict' });
    assert.equal(reply.json()['detail'], 'The chart is on Orders: remove it from there first.');
  });

  it('are 404 where the id is unknown', async () => {
    for (const id of ['0e0e0e0e-aaaa-4222-8333-0123456789ab', 'no-uuid']) {
      for (const [method, body] of [['GET'], ['PUT', NEW_CHART], ['DELETE']] as const) {
        assertProblem(
          await api.call(method, `${CHARTS}/${id}`, { ...(body && { body }) }),
          { status: 404, slug: 'not-found' },
          `${CHARTS}/${id}`,
        );
      }
    }
  });

  it('cannot be changed where they are made for a service: 409 that says so', async () => {
    const path = `${CHARTS}/${BUILT_IN_CHART.id.toUpperCase()}`;
    for (const [method, body] of [['PUT', NEW_CHART], ['DELETE']] as const) {
      const reply = await api.call(method, path, { ...(body && { body }) });
      assertProblem(reply, { status: 409, slug: 'conflict' }, path);
      assert.match(String(reply.json()['detail']), /generated for a discovered service .*cannot be changed/);
    }
    assert.ok(!api.chartCommands.done.some(({ name }) => name === 'waitForPosition'));
  });

  it('answer also where the read model does not get there', async () => {
    api.chartCommands.arrives = () => Promise.reject(new Error('the projector is unavailable'));
    assert.equal((await api.post(CHARTS, NEW_CHART)).status, 201);
  });

  it('name all faults at once', async () => {
    const faulty = {
      title: ' ',
      chartType: 'pie',
      metric: '',
      serviceName: 5,
      groupBy: [],
      aggregation: 'median',
      unit: {},
    };
    for (const reply of [await api.post(CHARTS, faulty), await api.call('PUT', ONE, { body: faulty })]) {
      assertProblem(reply, { status: 400, slug: 'invalid-request', fields: Object.keys(faulty) });
      assert.equal(
        faults(reply.json()).find(({ field }) => field === 'chartType')?.['message'],
        'chartType must be one of line, bar, area, value, top_list, table, heatmap',
      );
    }
    assertProblem(await api.post(CHARTS, { charttype: 'bar' }), {
      status: 400,
      slug: 'invalid-request',
      fields: ['title', 'chartType', 'charttype', 'metric'],
    });
    assertProblem(await api.post(CHARTS, { ...NEW_CHART, metric: 'latency' }), {
      status: 400,
      slug: 'invalid-request',
      fields: ['groupBy', 'aggregation', 'unit'],
    });
    assert.deepEqual(done(), []);
  });

  it('are closed to API keys, and to Guests and Users', async () => {
    assertProblem(await api.get(CHARTS, { as: 'key' }), { status: 403, slug: 'forbidden' });
    assertProblem(await api.get(CHARTS, { as: 'guest' }), { status: 403, slug: 'role-required' });
    assertProblem(await api.call('DELETE', ONE, { as: 'user' }), { status: 403, slug: 'role-required' });
    assert.equal((await api.get(CHARTS, { as: 'application' })).status, 200);
  });
});
