import assert from 'node:assert/strict';
import { type ChartData, roundForApi } from '../../../../src/diagnostics/chart-series/chart-series.js';
import type { ChartFilter } from '../../../../src/queries/charts/chart-filter.js';
import type { ListedChart } from '../../../../src/queries/charts/chart-query-types.js';
import { unpackChart } from '../../../../src/queries/charts/packed-chart.js';
import {
  GRID,
  logsReceived,
  metricsReceived,
  spansReceived,
  type TestPoint,
  type TestSpan,
} from '../../projections/engine/support/requests.js';
import { chartCreated, ChartsWorld, dashboardCreated, gridCreated, MINUTE, NOON } from './support/charts-world.js';

const OTHER_GRID = '0f0c4b2a-2222-4222-8333-444455556666';
const CHART = '0f0c4b2a-3333-4222-8333-444455556666';
const CART = '0f0c4b2a-5555-4222-8333-444455556666';
const DASHBOARD = '0f0c4b2a-4444-4222-8333-444455556666';

let spansMade = 0;

/** Requests at equal distances from minute `from` (after noon) to `to`. */
function requests(count: number, from: number, to: number, like: Partial<TestSpan> = {}): TestSpan[] {
  return Array.from({ length: count }, (_, i) => ({
    trace: ++spansMade,
    span: spansMade,
    start: NOON + Math.floor((from + ((to - from) * i) / count) * MINUTE),
    ...like,
  }));
}

describe('chart queries', () => {
  let world: ChartsWorld;
  beforeEach(() => void (world = new ChartsWorld()));
  afterEach(() => world.log.remove());

  const series = ({ series, frame }: ChartData): Record<string, (readonly [minute: number, value: number])[]> =>
    Object.fromEntries(
      series.map(({ label, points }) => [
        label,
        points
          .filter(({ value }) => value !== 0)
          .map(({ atMs, value }) => [(atMs - NOON) / MINUTE, value * (frame.stepMs / 1000)] as const),
      ]),
    );
  const dataOf = async (when = {}, chartId = CHART): Promise<ChartData> =>
    (await world.queries.chartData(GRID, chartId, when))!.data;

  describe('as definitions', () => {
    const isOwn = ({ builtIn }: { readonly builtIn: boolean }): boolean => !builtIn;

    it('report the charts and dashboards that people made and that every Grid starts with, by title, before those of services', async () => {
      await world.given(
        gridCreated(GRID),
        chartCreated(GRID, { id: CHART, title: 'A first' }),
        spansReceived(requests(1, 0, 1)),
      );
      const charts = await world.queries.charts(GRID);

      assert.deepEqual(charts[0], {
        id: CHART,
        title: 'A first',
        chartType: 'line',
        metric: 'request_rate',
        serviceName: '',
        groupBy: '',
        aggregation: '',
        unit: '',
        createdAt: NOON,
        updatedAt: NOON,
        builtIn: false,
      });
      const own = charts.filter(isOwn).map(({ title }) => title);
      assert.deepEqual(own, [...own].sort());
      assert.ok(own.length > 5 && charts.slice(0, own.length).every(isOwn) && charts.length > own.length);
      assert.deepEqual(
        (await world.queries.dashboards(GRID)).map(({ title, builtIn }) => [title, builtIn]),
        [
          ['Service overview', false],
          ['shop', true],
        ],
      );
    });

    it('give dashboards the titles of their charts', async () => {
      const position = { row: 0, col: 0, width: 6, height: 4 };
      await world.given(
        chartCreated(GRID, { id: CHART, chartType: 'bar' }),
        dashboardCreated(GRID, { id: DASHBOARD, charts: [{ chartId: CHART, position }] }),
      );
      const expected = {
        id: DASHBOARD,
        title: 'Shop',
        description: '',
        charts: [{ chartId: CHART, title: 'Requests', chartType: 'bar', position }],
        createdAt: NOON,
        updatedAt: NOON,
        builtIn: false,
      };

      assert.deepEqual(await world.queries.dashboard(GRID, DASHBOARD), expected);
      assert.deepEqual(await world.queries.dashboards(GRID), [expected]);
    });

    it('are those of the Grid that is asked, and of no other', async () => {
      await world.given(chartCreated(GRID, { id: CHART }), dashboardCreated(GRID, { id: DASHBOARD }));
      const { queries } = world;

      assert.deepEqual([await queries.charts(OTHER_GRID), await queries.dashboards(OTHER_GRID)], [[], []]);
      assert.deepEqual(
        [await queries.chart(OTHER_GRID, CHART), await queries.dashboard(OTHER_GRID, DASHBOARD)],
        [undefined, undefined],
      );
      assert.deepEqual(
        [await queries.chartData(OTHER_GRID, CHART, {}), await queries.chartRenderInput(OTHER_GRID, CHART, {})],
        [undefined, undefined],
      );
      assert.equal((await queries.chart(GRID, CHART))?.id, CHART);
      assert.equal((await queries.metrics(OTHER_GRID)).metrics.length, 0);
    });
  });

  describe('as data', () => {
    it('count the last hour, unless a range is named', async () => {
      await world.given(
        chartCreated(GRID, { id: CHART }),
        spansReceived([...requests(120, 2, 4), ...requests(60, -120, -119)]),
      );

      assert.deepEqual(series(await dataOf()), {
        Requests: [
          [2, 60],
          [3, 60],
        ],
      });
      const before = await dataOf({ toMs: NOON - 60 * MINUTE });
      assert.deepEqual([before.frame.fromMs, before.frame.toMs], [NOON - 120 * MINUTE, NOON - 60 * MINUTE]);
      assert.deepEqual(series(before), { Requests: [[-120, 60]] });
      assert.deepEqual((await dataOf({ fromMs: NOON - 90 * MINUTE, toMs: NOON })).series, []);
    });

    it('are one value of each group for charts of whole ranges, ranked', async () => {
      await world.given(
        chartCreated(GRID, { id: CHART, chartType: 'top_list', groupBy: 'service' }),
        chartCreated(GRID, { id: CART, chartType: 'value', metric: 'latency' }),
        spansReceived([...requests(120, 2, 4), ...requests(60, 2, 4, { service: 'cart' })]),
      );
      const top = await dataOf({ fromMs: NOON, toMs: NOON + 10 * MINUTE });
      assert.deepEqual(
        top.series.map(({ label, points }) => [label, points]),
        [
          ['shop', [{ atMs: NOON, value: 0.2 }]],
          ['cart', [{ atMs: NOON, value: 0.1 }]],
        ],
      );
      const lines = await dataOf({ fromMs: NOON, toMs: NOON + 10 * MINUTE }, CART);
      assert.deepEqual(
        lines.series.map(({ label, points }) => [label, points.length]),
        [
          ['p50', 1],
          ['p95', 1],
          ['p99', 1],
        ],
      );
      const picture = await world.queries.chartRenderInput(GRID, CHART, {});
      assert.equal(unpackChart(picture!, picture!.frame).data.frame.isWhole, true);
    });

    it('are narrowed to a service, and say why they cannot show another condition', async () => {
      await world.given(
        chartCreated(GRID, { id: CHART }),
        chartCreated(GRID, { id: CART, serviceName: 'cart' }),
        spansReceived([...requests(120, 2, 4), ...requests(60, 2, 4, { service: 'cart' })]),
      );
      const narrow = async (filter: ChartFilter, chartId = CHART) =>
        (await world.queries.chartData(GRID, chartId, { filter }))?.data;
      const cart = { where: 'service = cart', serviceName: 'cart' };
      assert.deepEqual(series((await narrow(cart))!), series((await narrow(cart, CART))!));
      assert.deepEqual(series((await narrow(cart))!), {
        Requests: [
          [2, 30],
          [3, 30],
        ],
      });
      const other = await narrow({ where: 'service = shop', serviceName: 'shop' }, CART);
      assert.deepEqual([other?.series, other?.hint], [[], 'This chart shows cart only.']);
      const tier = await narrow({ where: 'customer.tier = gold' });
      assert.deepEqual(tier?.series, []);
      assert.match(tier.hint ?? '', /by service only, not to customer\.tier = gold/);
    });

    it('count alike by the hour and by the minute', async () => {
      const points = (count: number, from: number, to: number, service: string): TestPoint[] =>
        Array.from({ length: count }, (_, i) => ({
          time: NOON + Math.floor((from + ((to - from) * i) / count) * MINUTE),
          value: i,
          metric: 'orders',
          service,
        }));
      await world.given(
        chartCreated(GRID, { id: CHART, metric: 'orders', aggregation: 'count', groupBy: 'service' }),
        metricsReceived([...points(60, -1_000, -970, 'shop'), ...points(40, -240, -100, 'cart')]),
      );
      await world.given(metricsReceived(points(100, 0, 25, 'shop'))); // completes the hourly rollups
      const sums = async (days: number): Promise<Record<string, number>> => {
        const { series } = await dataOf({ fromMs: world.nowMs - days * 1_440 * MINUTE });
        return Object.fromEntries(
          series.map(({ label, points: counted }) => [label, counted.reduce((sum, { value }) => sum + value, 0)]),
        );
      };

      for (const days of [1, 2, 31]) assert.deepEqual(await sums(days), { shop: 160, cart: 40 });
      assert.deepEqual(
        await dataOf({ fromMs: NOON - 1_440 * MINUTE * 2, toMs: NOON - 990 * MINUTE }).then(({ series }) =>
          series.map(({ points: counted }) => counted.map(({ value }) => value)),
        ),
        [[20]],
      );
    });

    it('have steps of minutes for the last 24 hours, at any second', async () => {
      await world.given(chartCreated(GRID, { id: CHART }));
      for (const seconds of [0, 1, 59]) {
        world.nowMs = NOON + seconds * 1_000;
        assert.equal((await dataOf({ fromMs: world.nowMs - 1_440 * MINUTE })).frame.stepMs, 5 * MINUTE);
      }
      assert.equal((await dataOf({ fromMs: world.nowMs - 1_441 * MINUTE })).frame.stepMs, 60 * MINUTE);
    });

    it('come from operations, logs and data points as well', async () => {
      await world.given(
        chartCreated(GRID, { id: CHART, serviceName: 'shop', groupBy: 'operation' }),
        chartCreated(GRID, { id: 'logs', metric: 'log_rate', groupBy: 'severity' }),
        chartCreated(GRID, { id: 'orders', metric: 'orders', groupBy: 'service' }),
        spansReceived([
          ...requests(60, 1, 2, { operation: 'buy' }),
          ...requests(30, 2, 3, { operation: 'sell' }),
          ...requests(9, 2, 3, { service: 'cart', operation: 'sell' }),
        ]),
        logsReceived(
          Array.from({ length: 60 }, (_, i) => ({
            time: NOON + i * 1_000,
            body: `paid ${i}`,
            severity: i < 15 ? 17 : 9,
          })),
        ),
        metricsReceived([
          { time: NOON, value: 2, metric: 'orders' },
          { time: NOON + 1, value: 7, metric: 'orders', service: 'cart' },
          { time: NOON, value: 9, metric: 'other' },
        ]),
      );

      assert.deepEqual(series(await dataOf()), { buy: [[1, 60]], sell: [[2, 30]] });
      assert.deepEqual(series(await dataOf({}, 'logs')), { Error: [[0, 15]], Information: [[0, 45]] });
      const { series: orders } = await dataOf({}, 'orders');
      assert.deepEqual(
        orders.map(({ label, points }) => [label, points]),
        [
          ['cart', [{ atMs: NOON, value: 7 }]],
          ['shop', [{ atMs: NOON, value: 2 }]],
        ],
      );
    });

    it('show no rate where telemetry has expired', async () => {
      await world.given(chartCreated(GRID, { id: CHART }), chartCreated(GRID, { id: 'logs', metric: 'log_rate' }));
      await world.given(
        spansReceived([...requests(60, -300, -299), ...requests(60, 5, 6)]),
        logsReceived([{ time: NOON, body: 'paid', severity: 9 }]),
      );
      const firstOf = async (chartId: string): Promise<number> =>
        ((await dataOf({ fromMs: NOON - 360 * MINUTE }, chartId)).series[0].points[0].atMs - NOON) / MINUTE;
      assert.deepEqual([await firstOf(CHART), await firstOf('logs')], [-360, -360]);

      await world.log.expire(NOON - 100 * MINUTE);
      await world.log.settle();
      assert.deepEqual([await firstOf(CHART), await firstOf('logs')], [-100, -100]);
      assert.deepEqual(series(await dataOf({ fromMs: NOON - 360 * MINUTE })), { Requests: [[5, 60]] });
    });

    it('know nothing of what comes after the moment that is asked about', async () => {
      await world.given(chartCreated(GRID, { id: CHART }), spansReceived(requests(300, 5, 10)));

      const past = await dataOf({ asOfMs: NOON + 7 * MINUTE + 30_000 });
      assert.equal(past.frame.nowMs, NOON + 7 * MINUTE);
      assert.deepEqual(series(past), {
        Requests: [
          [5, 60],
          [6, 60],
        ],
      });
      assert.deepEqual((await dataOf({ asOfMs: NOON + 5 * MINUTE })).series, []);
    });

    it('report that a metric has nothing, or nothing in this way', async () => {
      await world.given(
        chartCreated(GRID, { id: CHART, metric: 'orders', aggregation: 'p95' }),
        chartCreated(GRID, { id: 'unknown', metric: 'nobody sends this' }),
        metricsReceived([{ time: NOON, value: 2, metric: 'orders' }]),
      );

      const { series: none, hint } = await dataOf();
      assert.deepEqual([none, typeof hint], [[], 'string']);
      assert.deepEqual((await dataOf({}, 'unknown')).series, []);
    });

    it('are refused if too many are waiting, and cancelled if nobody waits for them any more', async () => {
      await world.given(chartCreated(GRID, { id: CHART }));
      const [running, waiting] = [48, 1_024]; // one Grid runs three quarters of its owner's 64 queries
      const asked = Array.from({ length: running + waiting }, () => world.queries.chartData(GRID, CHART, {}));
      await assert.rejects(world.queries.chartData(GRID, CHART, {}), { code: 'overloaded' });
      await Promise.all(asked);
      assert.ok(await world.queries.chartData(GRID, CHART, {}));
    });
  });

  describe('as a picture', () => {
    const pictureOf = async (when = {}, chartId = CHART) => {
      const sealed = (await world.queries.chartRenderInput(GRID, chartId, when))!;
      return unpackChart(sealed, sealed.frame);
    };
    const latencyOf = async (): Promise<ListedChart> =>
      (await world.queries.charts(GRID)).find(
        ({ metric, serviceName }) => metric === 'latency' && serviceName === 'shop',
      )!;

    it('show the data, thresholds of the rules that watch, and deployments', async () => {
      await world.given(
        gridCreated(GRID),
        spansReceived([...requests(60, 0, 5, { version: '1.0' }), ...requests(60, 5, 9, { version: '1.1' })]),
      );
      const { id, builtIn: _, ...chart } = await latencyOf();
      const picture = await pictureOf({}, id);

      assert.deepEqual(picture.chart, { id, ...chart });
      assert.deepEqual(roundForApi(picture.data), await dataOf({}, id));
      assert.deepEqual(
        picture.data.series.map(({ label }) => label),
        ['p50', 'p95', 'p99'],
      );
      assert.deepEqual(
        picture.thresholds.map(({ label }) => label),
        ['p95 alert > 2000ms', 'p95 critical >= 4000ms'],
      );
      assert.deepEqual(picture.deployments, [{ atMs: NOON + 5 * MINUTE + 5, label: 'shop 1.1' }]);
      assert.deepEqual((await pictureOf({ asOfMs: NOON + 5 * MINUTE }, id)).deployments, []);
    });

    it('name the service or the condition that they are narrowed to', async () => {
      await world.given(chartCreated(GRID, { id: CHART }), spansReceived(requests(60, 2, 4)));
      const pictureOf = async (filter: ChartFilter) => {
        const packed = (await world.queries.chartRenderInput(GRID, CHART, { filter }))!;
        const { chart, filter: where } = unpackChart(packed, packed.frame);
        return [chart.serviceName, where];
      };
      assert.deepEqual(await pictureOf({ where: 'service = shop', serviceName: 'shop' }), ['shop', undefined]);
      assert.deepEqual(await pictureOf({ where: 'region = eu' }), ['', 'region = eu']);
    });

    it('show all digits of what numbers report rounded', async () => {
      await world.given(gridCreated(GRID), chartCreated(GRID, { id: CHART }), spansReceived(requests(1, 0, 1)));
      const largest = ({ series: [{ points }] }: ChartData): number => Math.max(...points.map(({ value }) => value));

      assert.deepEqual([largest((await pictureOf()).data), largest(await dataOf())], [1 / 60, 0.02]);
    });

    it('are closed once the end that was named lies a quarter of an hour back', async () => {
      await world.given(chartCreated(GRID, { id: CHART }));
      const closed = async (when: object): Promise<boolean> => (await pictureOf(when)).closed;

      assert.deepEqual(
        [await closed({}), await closed({ fromMs: NOON - MINUTE }), await closed({ asOfMs: NOON })],
        [false, false, false],
      );
      assert.deepEqual(
        [await closed({ toMs: world.nowMs - 15 * MINUTE }), await closed({ toMs: world.nowMs - 15 * MINUTE + 1 })],
        [true, false],
      );
    });
  });

  it('report which metrics are there', async () => {
    await world.given(metricsReceived([{ time: NOON, value: 2, metric: 'orders', unit: '{order}' }]));
    assert.deepEqual(
      (await world.queries.metrics(GRID)).metrics.map(({ name, unit, services }) => [name, unit, services]),
      [['orders', '{order}', ['shop']]],
    );
  });
});
