import assert from 'node:assert/strict';
import { assertProblem, faults, startApi, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { BUILT_IN_DASHBOARD, CHART, DASHBOARD } from '../../../support/sample-charts.js';
import { CREATED_ID } from '../../../support/created-id.js';

const DASHBOARDS = `/admin/grids/${GRID_A}/dashboards`;
const ONE = `${DASHBOARDS}/${DASHBOARD.id}`;

const POSITION = { row: 0, col: 6, width: 6, height: 4 };
const NEW = {
  title: 'Orders',
  description: 'What the shop lives by',
  charts: [{ chartId: CHART.id, position: POSITION }],
};
const RECORD = {
  id: DASHBOARD.id,
  ...NEW,
  createdAt: '2026-01-01T00:00:00.123Z',
  updatedAt: '2026-01-01T00:01:00.123Z',
  charts: [{ chartId: CHART.id, title: 'Slow orders', chartType: 'area', position: POSITION }],
};

describe('definitions of dashboards', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi()));
  afterEach(() => api.stop());

  const done = (): unknown[] => api.chartCommands.done.map(({ name, with: values }) => [name, ...values]);

  it('are listed, those that can be changed, and read one by one, those of services too', async () => {
    const [list, one, builtIn] = await Promise.all([
      api.get(DASHBOARDS),
      api.get(ONE),
      api.get(`${DASHBOARDS}/${BUILT_IN_DASHBOARD.id}`),
    ]);
    assert.deepEqual([list.status, list.json(), one.status, one.json()], [200, { dashboards: [RECORD] }, 200, RECORD]);
    assert.equal(builtIn.json()['title'], 'checkout');
  });

  it('are created: 201 with the record, titles included, once it shows', async () => {
    const reply = await api.post(DASHBOARDS, NEW, { as: 'member' });
    assert.deepEqual([reply.status, reply.json()], [201, { ...RECORD, id: CREATED_ID }]);
    assert.deepEqual(done(), [
      ['createDashboard', 'member', GRID_A, NEW],
      ['waitForPosition', '7'],
    ]);
  });

  it('may be empty, without a description', async () => {
    const reply = await api.post(DASHBOARDS, { title: 'Empty' });
    assert.deepEqual(reply.json(), { ...RECORD, id: CREATED_ID, title: 'Empty', description: '', charts: [] });
  });

  it('are replaced as a whole, also by what was read: 200 with the record', async () => {
    const reply = await api.call('PUT', ONE, { body: RECORD });
    assert.deepEqual([reply.status, reply.json()], [200, RECORD]);
    const { title, description, charts } = RECORD;
    assert.deepEqual(done(), [
      ['changeDashboard', 'owner', GRID_A, DASHBOARD.id, { title, description, charts }],
      ['waitForPosition', '7'],
    ]);
  });

  it('take ids in upper case', async () => {
    const charts = [{ chartId: CHART.id.toUpperCase(), position: POSITION }];
    assert.equal(
      (await api.call('PUT', `${DASHBOARDS}/${DASHBOARD.id.toUpperCase()}`, { body: { ...NEW, charts } })).status,
      200,
    );
    assert.deepEqual(done()[0], ['changeDashboard', 'owner', GRID_A, DASHBOARD.id, NEW]);
  });

  it('are deleted: 204 without a body', async () => {
    const reply = await api.call('DELETE', ONE);
    assert.deepEqual([reply.status, reply.text], [204, '']);
    assert.deepEqual(done(), [
      ['removeDashboard', 'owner', GRID_A, DASHBOARD.id],
      ['waitForPosition', '7'],
    ]);
  });

  it('are 404 where the id is unknown', async () => {
    for (const [method, body] of [['GET'], ['PUT', NEW], ['DELETE']] as const) {
      assertProblem(
        await api.call(method, `${DASHBOARDS}/unknown`, { ...(body && { body }) }),
        { status: 404, slug: 'not-found' },
        `${DASHBOARDS}/unknown`,
      );
    }
  });

  it('cannot be changed where they are made for a service: 409 that says so', async () => {
    for (const [method, body] of [['PUT', NEW], ['DELETE']] as const) {
      const reply = await api.call(method, `${DASHBOARDS}/${BUILT_IN_DASHBOARD.id}`, { ...(body && { body }) });
      assertProblem(reply, { status: 409, slug: 'conflict' });
      assert.match(String(reply.json()['detail']), /generated for a discovered service .*cannot be changed/);
    }
  });

  const faulty: [object, string[]][] = [
    [{}, ['title']],
    [{ title: '', description: 5, charts: 'all', Charts: [] }, ['title', 'description', 'charts', 'Charts']],
    [
      { ...NEW, charts: [{}, null, 7] },
      [0, 1, 2].flatMap((at) => [
        `charts[${at}].chartId`,
        ...['row', 'col', 'width', 'height'].map((name) => `charts[${at}].position.${name}`),
      ]),
    ],
    [{ ...NEW, charts: [...NEW.charts, ...NEW.charts] }, ['charts[1].position']],
    [{ ...NEW, charts: [{ chartId: CHART.id, position: { ...POSITION, width: 7 } }] }, ['charts[0].position.width']],
    [{ ...NEW, charts: [{ chartId: BUILT_IN_DASHBOARD.id, position: POSITION }] }, ['charts[0].chartId']],
  ];
  for (const [body, fields] of faulty) {
    it(`name their faults, each in a sentence: ${fields.join(', ').slice(0, 80)}`, async () => {
      for (const reply of [await api.post(DASHBOARDS, body), await api.call('PUT', ONE, { body })]) {
        assertProblem(reply, { status: 400, slug: 'invalid-request', fields });
        for (const { field, message } of faults(reply.json()))
          assert.ok(String(message).startsWith(`${String(field)} `), String(message));
      }
    });
  }

  it('are closed to API keys, and to Guests and Users', async () => {
    assertProblem(await api.get(DASHBOARDS, { as: 'key' }), { status: 403, slug: 'forbidden' });
    assertProblem(await api.call('DELETE', ONE, { as: 'user' }), { status: 403, slug: 'role-required' });
  });
});
