import assert from 'node:assert/strict';
import {
  CHART_BOUNDS,
  DASHBOARD_COLUMNS,
  type Chart,
  type Dashboard,
} from '../../../../src/diagnostics/chart-model.js';
import { buildServiceDashboard } from '../../../../src/queries/charts/service-dashboard.js';
import { RUNTIME_CHARTS } from '../../../../src/queries/charts/runtime-chart-definitions.js';
import { GRID, logsReceived, metricsReceived, spansReceived } from '../../projections/engine/support/requests.js';
import { ChartsWorld, gridCreated, MINUTE, NOON } from './support/charts-world.js';

const NOTHING = new Map<string, ReadonlySet<string>>();

describe('dashboards of discovered services', () => {
  let world: ChartsWorld;
  beforeEach(() => void (world = new ChartsWorld()));
  afterEach(() => world.log.remove());

  const services = async (gridId = GRID): Promise<string[]> =>
    (await world.queries.dashboards(gridId)).filter(({ builtIn }) => builtIn).map(({ title }) => title);
  const dashboardOf = async (service: string) =>
    (await world.queries.dashboards(GRID)).find(({ title, builtIn }) => builtIn && title === service)!;
  /** Services are searched at most once per second. */
  const later = (): void => void (world.nowMs += 1_000);

  it('are those of services with spans, with metrics or with logs, by name', async () => {
    await world.given(gridCreated(GRID), spansReceived([{ trace: 1, span: 1, start: NOON, service: 'shop' }]));
    assert.deepEqual(await services(), ['shop']);

    await world.given(
      metricsReceived([{ time: NOON, value: 1, service: 'meter' }]),
      logsReceived([{ time: NOON, body: 'paid', service: 'clerk' }]),
    );
    later();
    assert.deepEqual(await services(), ['clerk', 'meter', 'shop']);
    assert.deepEqual(await services('0f0c4b2a-2222-4222-8333-444455556666'), []);
  });

  it('are as old as the first that was seen of the service, or as its Grid', async () => {
    await world.given(
      gridCreated(GRID, NOON - MINUTE),
      spansReceived([
        { trace: 1, span: 1, start: NOON + 60_000 },
        { trace: 2, span: 2, start: NOON + 90_000 },
      ]),
      metricsReceived([
        { time: NOON + 30_000, value: 1 },
        { time: NOON + 5_000, value: 1, service: 'meter' },
      ]),
      logsReceived([
        { time: NOON, body: 'paid', service: 'clerk' },
        { time: NOON, body: 'paid' },
      ]),
    );
    const ages = await Promise.all(
      ['clerk', 'meter', 'shop'].map(async (service) => (await dashboardOf(service)).createdAt - NOON),
    );
    assert.deepEqual(ages, [-MINUTE, 5_000, 30_000]);
  });

  it('are those of all services, however many, but not of names that stand for none', async () => {
    const points = Array.from({ length: 25 }, (_, i) => ({
      time: NOON,
      value: 1,
      service: `meter-${String.fromCharCode(97 + i)}`,
      metric: i === 24 ? 'go.memory.used' : 'orders',
    }));
    await world.given(metricsReceived([...points, { time: NOON, value: 1, service: '__other__' }]));

    assert.deepEqual(
      await services(),
      points.map(({ service }) => service),
    );
    assert.deepEqual((await dashboardOf('meter-y')).charts.at(-1)?.title, 'meter-y · Go memory');
  });

  it('have the charts that every service is asked first', async () => {
    await world.given(spansReceived([{ trace: 1, span: 1, start: NOON }]));
    const charts = await world.queries.charts(GRID);

    assert.deepEqual(
      charts.map(({ title, metric, serviceName, groupBy, builtIn }) => [title, metric, serviceName, groupBy, builtIn]),
      [
        ['shop · Requests', 'request_rate', 'shop', '', true],
        ['shop · Error rate', 'error_rate', 'shop', '', true],
        ['shop · Apdex', 'apdex', 'shop', '', true],
        ['shop · Latency', 'latency', 'shop', '', true],
        ['shop · Logs by severity', 'log_rate', 'shop', 'severity', true],
        ['shop · Requests by operation', 'request_rate', 'shop', 'operation', true],
        ['shop · Slowest operations (p95)', 'latency_p95', 'shop', 'operation', true],
      ],
    );
    assert.deepEqual(
      (await dashboardOf('shop')).charts.map(({ chartId }) => chartId),
      charts.map(({ id }) => id),
    );
  });

  it('show what the runtime of a service reports, by the best name and attribute that it has', async () => {
    const point = { time: NOON, value: 0.5 };
    await world.given(
      metricsReceived([
        { ...point, metric: 'process.cpu.utilization', attributes: { 'cpu.mode': 'user' } },
        { ...point, metric: 'jvm.cpu.recent_utilization' },
        {
          ...point,
          metric: 'system.cpu.utilization',
          attributes: { 'system.cpu.state': 'idle', 'system.cpu.logical_number': '1' },
        },
        { ...point, metric: 'jvm.memory.used', unit: 'By', attributes: { 'jvm.memory.type': 'heap' } },
        { ...point, metric: 'orders' },
      ]),
    );
    const runtime = (await world.queries.charts(GRID)).slice(7);

    assert.deepEqual(
      runtime.map(({ title, metric, groupBy, aggregation }) => [title, metric, groupBy, aggregation]),
      [
        ['shop · Process CPU', 'process.cpu.utilization', 'instance', 'sum'],
        ['shop · System CPU', 'system.cpu.utilization', 'system.cpu.state', 'avg'],
        ['shop · JVM memory', 'jvm.memory.used', 'jvm.memory.type', 'sum'],
      ],
    );
  });

  it('and their charts keep their ids, and are found by them', async () => {
    await world.given(spansReceived([{ trace: 1, span: 1, start: NOON }]));
    const [before, charts] = [await dashboardOf('shop'), await world.queries.charts(GRID)];
    await world.given(
      spansReceived([{ trace: 2, span: 2, start: NOON, service: 'cart' }]),
      metricsReceived([{ time: NOON, value: 1, metric: 'process.memory.usage' }]),
    );
    later();

    assert.equal((await dashboardOf('shop')).id, before.id);
    assert.deepEqual(await world.queries.dashboard(GRID, before.id), await dashboardOf('shop'));
    for (const { id, title } of charts) assert.equal((await world.queries.chart(GRID, id))?.title, title);
    assert.equal(before.id, '49d4e686-36ae-8ffc-9576-156563f2ed12', 'ids of a release are those of the next');
  });

  it('of another Grid are unknown, whatever the service is called there', async () => {
    const other = '0f0c4b2a-2222-4222-8333-444455556666';
    await world.given(
      spansReceived([{ trace: 1, span: 1, start: NOON }]),
      spansReceived([{ trace: 1, span: 1, start: NOON }], other),
    );
    const [board] = await world.queries.dashboards(GRID);

    assert.equal(await world.queries.dashboard(other, board.id), undefined);
    assert.equal(await world.queries.chart(other, board.charts[0].chartId), undefined);
    assert.equal(await world.queries.chartData(other, board.charts[0].chartId, {}), undefined);
    assert.equal(await world.queries.chartRenderInput(other, board.charts[0].chartId, {}), undefined);
  });

  it('are looked for once a second, and only when something has come', async () => {
    await world.given(spansReceived([{ trace: 1, span: 1, start: NOON }]));
    const { store } = world.log;
    const find = store.find.bind(store);
    let catalogsRead = 0;
    store.find = (collection, query) => {
      if (collection.name.startsWith('log-filter-names')) catalogsRead++;
      return find(collection, query);
    };
    const readBy = async (): Promise<number> => {
      const before = catalogsRead;
      await services();
      return catalogsRead - before;
    };

    assert.deepEqual([await readBy(), await readBy()], [1, 0]);
    later();
    assert.equal(await readBy(), 0);
    await world.given(spansReceived([{ trace: 2, span: 2, start: NOON, service: 'cart' }]));
    assert.equal(await readBy(), 0);
    later();
    assert.equal(await readBy(), 1);
  });

  it('are looked for again after a failure', async () => {
    await world.given(spansReceived([{ trace: 1, span: 1, start: NOON }]));
    const { store } = world.log;
    const find = store.find.bind(store);
    store.find = (collection, query) =>
      collection.name.startsWith('log-filter-names') ? Promise.reject(new Error('away')) : find(collection, query);
    await assert.rejects(services(), /away/);
    store.find = find;

    assert.deepEqual(await services(), ['shop']);
  });

  describe('as definitions', () => {
    const all = new Map(RUNTIME_CHARTS.map(({ metrics, groups }) => [metrics[0], new Set(groups)]));
    const { dashboard, charts } = buildServiceDashboard(GRID, {
      serviceName: 'a/charts/requests',
      firstMs: 5,
      runtimeMetrics: all,
    });

    it('lie on the grid of a dashboard without overlaps', () => {
      const cells = dashboard.charts.flatMap(({ position: { row, col, width, height } }) => {
        assert.ok(col + width <= DASHBOARD_COLUMNS && row + height <= CHART_BOUNDS.rows);
        return Array.from({ length: width * height }, (_, i) => `${row + Math.floor(i / width)}/${col + (i % width)}`);
      });
      assert.equal(new Set(cells).size, cells.length);
    });

    it('have ids of their own, also where names look like parts of ids', () => {
      const others = buildServiceDashboard(GRID, { serviceName: 'a', firstMs: 5, runtimeMetrics: NOTHING });
      const ids = (board: { dashboard: Dashboard; charts: readonly Chart[] }): string[] => [
        board.dashboard.id,
        ...board.charts.map(({ id }) => id),
      ];
      assert.equal(
        new Set([...ids({ dashboard, charts }), ...ids(others)]).size,
        2 + charts.length + others.charts.length,
      );
    });

    it('show each resource that is known', () => {
      assert.deepEqual(
        charts.slice(7).map(({ metric }) => metric),
        RUNTIME_CHARTS.map(({ metrics }) => metrics[0]),
      );
      const bare = buildServiceDashboard(GRID, {
        serviceName: 'a',
        firstMs: 5,
        runtimeMetrics: new Map([['system.cpu.utilization', new Set<string>()]]),
      });
      assert.equal(bare.charts[7].groupBy, '');
    });
  });
});
