import assert from 'node:assert/strict';
import { assertProblem, startApi, type Reply, type TestApi } from '../../../support/api.js';
import { GRID_A } from '../../../support/fake-access.js';
import { BUILT_IN_CHART, CHART } from '../../../support/sample-charts.js';

const CHARTS = `/apm/charts/${GRID_A}/charts`;
const ONE = `${CHARTS}/${CHART.id}`;
const DATA = `${ONE}/range-data`;
const NOW = Date.UTC(2026, 0, 10);

const RECORD = {
  id: CHART.id,
  title: 'Slow orders',
  chartType: 'area',
  serviceName: 'checkout',
  metric: 'orders.duration',
  unit: 's',
  createdAt: '2026-01-01T00:00:00.123Z',
  updatedAt: '2026-01-01T00:01:00.123Z',
};

describe('charts', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi({ now: () => NOW })));
  afterEach(() => api.stop());

  it('have exactly the members of the spec', async () => {
    const reply = await api.get(ONE);
    assert.deepEqual([reply.status, Object.entries(reply.json())], [200, Object.entries(RECORD)]);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.deepEqual(api.charts.asked, [{ name: 'chart', with: [GRID_A, CHART.id] }]);
  });

  it('are listed with the same members, and whether they can be changed', async () => {
    const { charts } = (await api.get(CHARTS, { as: 'key' })).json() as { charts: object[] };
    assert.deepEqual(charts[0], { ...RECORD, builtIn: false });
    assert.deepEqual(
      charts.map((chart) => Reflect.get(chart, 'id') as string),
      [CHART.id, BUILT_IN_CHART.id],
    );
    assert.deepEqual(
      charts.map((chart) => Reflect.get(chart, 'builtIn') as boolean),
      [false, true],
    );
  });

  it('report the unit of what Hindsight derives, also where the author does not', async () => {
    assert.equal((await api.get(`${CHARTS}/${BUILT_IN_CHART.id}`)).json()['unit'], 'req/s');
  });

  it('are found in upper case as well', async () => {
    for (const path of ['', '/render', '/range-data'])
      assert.equal((await api.get(`${CHARTS}/${CHART.id.toUpperCase()}${path}`)).status, 200, path);
    assert.deepEqual(
      api.charts.asked.map(({ with: [, id] }) => id),
      [CHART.id, CHART.id, CHART.id],
    );
  });

  for (const id of ['0e0e0e0e-aaaa-4222-8333-0123456789ab', 'no-uuid', '..%2F..', '%00', `${CHART.id}%20`]) {
    it(`are 404 under the id ${id}`, async () => {
      for (const path of ['', '/render', '/range-data'])
        assertProblem(
          await api.get(`${CHARTS}/${id}${path}`),
          { status: 404, slug: 'not-found' },
          `${CHARTS}/${id}${path}`,
        );
      assert.deepEqual(api.renderer.drawn, []);
    });
  }

  it('can be read only', async () => {
    const reply = await api.call('DELETE', ONE);
    assertProblem(reply, { status: 405, slug: 'method-not-allowed' });
    assert.equal(reply.headers.get('allow'), 'GET, HEAD');
  });
});

describe('range data of a chart', () => {
  let api: TestApi;
  beforeEach(async () => void (api = await startApi({ now: () => NOW })));
  afterEach(() => api.stop());

  const DATA_POINTS = [
    { timestamp: '2025-12-31T23:00:00.000Z', value: 1.25 },
    { timestamp: '2025-12-31T23:59:00.000Z', value: 0 },
  ];
  const whenAsked = (): unknown => api.charts.asked.at(-1)?.with[2];

  it('have exactly the members of the spec, with the unit that values are in', async () => {
    const reply = await api.get(DATA);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.json(), {
      chartId: CHART.id,
      title: 'Slow orders',
      unit: 's',
      rangeStart: '2025-12-31T23:00:00.000Z',
      rangeEnd: '2026-01-01T00:00:00.000Z',
      series: [{ label: 'eu-west', dataPoints: DATA_POINTS }],
    });
    assert.deepEqual(Object.keys(reply.json()), ['chartId', 'title', 'unit', 'rangeStart', 'rangeEnd', 'series']);
    assert.deepEqual(whenAsked(), {});
  });

  it('report exemplars to those who ask for them', async () => {
    const { series } = (await api.get(`${DATA}?exemplars=true`)).json();
    const exemplar = {
      timestamp: '2026-01-01T00:00:00.123Z',
      value: 9.5,
      traceId: '5b8aa5a2d2c872e8321cf37308d69df2',
      spanId: '051581bf3cb55c13',
    };
    assert.deepEqual(series, [{ label: 'eu-west', dataPoints: DATA_POINTS, exemplars: [exemplar] }]);
    assert.doesNotMatch((await api.get(`${DATA}?exemplars=false`)).text, /exemplars/);
  });

  it('report how long steps are to those who ask for it', async () => {
    const { stepSeconds, ...others } = (await api.get(`${DATA}?stepSeconds=true`)).json();
    assert.equal(stepSeconds, api.charts.data.frame.stepMs / 1000);
    assert.deepEqual(others, (await api.get(`${DATA}?stepSeconds=false`)).json());
    assertProblem(
      await api.get(`${DATA}?stepSeconds=60`),
      { status: 400, slug: 'invalid-request', fields: ['stepSeconds'] },
      DATA,
    );
  });

  it('are an empty list where there is nothing', async () => {
    api.charts.data = { ...api.charts.data, series: [], hint: 'no such aggregation' };
    assert.deepEqual((await api.get(DATA)).json()['series'], []);
  });

  it('are asked for over a range, either end of it, or as of a moment', async () => {
    const [start, end] = ['2026-01-01T02:00:00.0005%2B02:00', '2026-01-02T00:00:00.0000001Z'];
    const [fromMs, toMs] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2) + 1];
    for (const [query, when] of [
      [`rangeStart=${start}&rangeEnd=${end}`, { fromMs, toMs }],
      [`rangeStart=${start}`, { fromMs }],
      [`rangeEnd=${end}`, { toMs }],
      [`asOf=${start}`, { asOfMs: fromMs }],
    ] as const) {
      assert.equal((await api.get(`${DATA}?${query}`)).status, 200, query);
      assert.deepEqual(whenAsked(), when);
    }
  });

  it('name all faults of a query at once', async () => {
    const reply: Reply = await api.get(`${DATA}?rangeStart=yesterday&rangeEnd=now&exemplars=yes&asof=x`);
    assertProblem(
      reply,
      { status: 400, slug: 'invalid-request', fields: ['rangeStart', 'rangeEnd', 'exemplars', 'asof'] },
      DATA,
    );
    assert.deepEqual(api.charts.asked, []);
  });
});
