import assert from 'node:assert/strict';
import type { ChartRenderInput, DashboardRenderInput } from '../../../../src/queries/charts/chart-query-types.js';
import { unpackChart } from '../../../../src/queries/charts/packed-chart.js';
import { GRID, spansReceived } from '../../projections/engine/support/requests.js';
import { chartCreated, ChartsWorld, dashboardCreated, gridCreated, MINUTE, NOON } from './support/charts-world.js';

const OTHER_GRID = '0f0c4b2a-2222-4222-8333-444455556666';
const DASHBOARD = '0f0c4b2a-4444-4222-8333-444455556666';
const at = (row: number) => ({ row, col: 0, width: 12, height: 4 });

describe('pictures of dashboards', () => {
  let world: ChartsWorld;
  beforeEach(() => void (world = new ChartsWorld()));
  afterEach(() => world.log.remove());

  const pictureOf = async (dashboardId: string, when = {}): Promise<DashboardRenderInput> =>
    (await world.queries.dashboardRenderInput(GRID, dashboardId, when))!;
  const alone = async (chartId: string): Promise<ChartRenderInput> => {
    const sealed = (await world.queries.chartRenderInput(GRID, chartId, {}))!;
    return unpackChart(sealed, sealed.frame);
  };
  const opened = ({ charts, frame }: DashboardRenderInput): ChartRenderInput[] =>
    charts.map((each) => unpackChart(each, frame));
  const twoCharts = () =>
    world.given(
      chartCreated(GRID, { id: 'rate' }),
      chartCreated(GRID, { id: 'slow', metric: 'latency_p95', title: 'Slow' }),
      dashboardCreated(GRID, {
        id: DASHBOARD,
        charts: [
          { chartId: 'slow', position: at(4) },
          { chartId: 'rate', position: at(0) },
        ],
      }),
      spansReceived([
        { trace: 1, span: 1, start: NOON },
        { trace: 2, span: 2, start: NOON + 5 * MINUTE },
      ]),
    );

  it('show each chart as it is shown alone, at its place, in the order of the dashboard', async () => {
    await twoCharts();
    const picture = await pictureOf(DASHBOARD);

    assert.deepEqual([picture.title, picture.charts.map(({ position }) => position)], ['Shop', [at(4), at(0)]]);
    assert.deepEqual(opened(picture), [await alone('slow'), await alone('rate')]);
  });

  it('are about one time, whatever the clock does meanwhile', async () => {
    await twoCharts();
    await world.given(
      spansReceived(
        Array.from({ length: 60 }, (_, i) => ({ trace: 3 + i, span: 3 + i, start: world.nowMs - i * MINUTE })),
      ),
    );
    const { store } = world.log;
    const find = store.find.bind(store);
    store.find = (...query) => {
      world.nowMs += MINUTE;
      return find(...query);
    };
    const [slow, rate] = opened(await pictureOf(DASHBOARD)).map(({ data: { series } }) =>
      series[0].points.filter(({ value }) => value > 0).map(({ atMs }) => atMs),
    );

    assert.ok(slow.length > 30);
    assert.deepEqual(rate, slow);
  });

  it('show the range or the moment that is asked about', async () => {
    await twoCharts();
    const ranged = await pictureOf(DASHBOARD, { fromMs: NOON, toMs: NOON + 3 * MINUTE });

    assert.deepEqual([ranged.frame.fromMs, ranged.frame.toMs], [NOON, NOON + 3 * MINUTE]);
    assert.deepEqual(
      opened(ranged)[0].data.series[0].points.map(({ atMs }) => atMs),
      [NOON],
    );
    assert.equal((await pictureOf(DASHBOARD, { asOfMs: NOON + 4 * MINUTE })).frame.nowMs, NOON + 4 * MINUTE);
  });

  it('are closed as their charts are', async () => {
    await twoCharts();
    const settled = world.nowMs - 15 * MINUTE;
    for (const [when, closed] of [
      [{}, false],
      [{ toMs: settled }, true],
      [{ toMs: settled + 1 }, false],
    ] as const) {
      const picture = await pictureOf(DASHBOARD, when);
      assert.deepEqual(
        [picture, ...opened(picture)].map((each) => each.closed),
        [closed, closed, closed],
      );
    }
  });

  it('are there for the default dashboard, for that of a service, and for one without charts', async () => {
    await world.given(
      gridCreated(GRID),
      spansReceived([{ trace: 1, span: 1, start: NOON }]),
      dashboardCreated(GRID, { id: DASHBOARD, title: 'Empty' }),
    );
    for (const { id, title, charts } of await world.queries.dashboards(GRID)) {
      const picture = await pictureOf(id);
      assert.deepEqual(
        [picture.title, opened(picture).map(({ chart }) => chart.id)],
        [title, charts.map(({ chartId }) => chartId)],
      );
    }
    assert.equal((await pictureOf(DASHBOARD)).frame.toMs, world.nowMs);
  });

  it('are those of the Grid that is asked, and of no other', async () => {
    await twoCharts();
    assert.equal(await world.queries.dashboardRenderInput(OTHER_GRID, DASHBOARD, {}), undefined);
    assert.equal(await world.queries.dashboardRenderInput(GRID, 'unknown', {}), undefined);
  });
});
