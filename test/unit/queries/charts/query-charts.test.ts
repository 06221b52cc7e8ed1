import assert from 'node:assert/strict';
import { DURATION_BUCKETS } from '../../../../src/diagnostics/duration-buckets.js';
import { HindsightError } from '../../../../src/errors.js';
import { withQueryCharts } from '../../../../src/queries/charts/query-charts.js';
import type { PackedChartInput } from '../../../../src/queries/charts/chart-query-types.js';
import { unpackChart } from '../../../../src/queries/charts/packed-chart.js';
import { parseWhere } from '../../../../src/queries/query/language/where-parser.js';
import type {
  Predicate,
  Query,
  QueryAnswer,
  SeriesAnswer,
  TableAnswer,
} from '../../../../src/queries/query/query-model.js';
import { chartCreated, ChartsWorld, dashboardCreated, gridCreated, MINUTE, NOON } from './support/charts-world.js';

const QUERY = {
  signal: 'spans',
  where: 'kind = server',
  groupBy: ['customer.tier'],
  select: [{ fn: 'count', field: '', as: '' }],
  limit: 0,
};
const WHEN = { fromMs: NOON, toMs: NOON + 3 * MINUTE };
/** A condition as the only term of a list. */
function compile(where: string): { readonly terms: readonly Predicate[] } {
  const parsed = parseWhere('spans', where);
  assert.ok('predicate' in parsed && parsed.predicate !== undefined);
  return { terms: [parsed.predicate] };
}
const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();

describe('charts of queries', () => {
  /** A Grid with a chart of a query, one of a metric, and a dashboard with both; each query is answered with `answer`. */
  async function createWorld(
    query: typeof QUERY,
    answer: Partial<SeriesAnswer> | Partial<TableAnswer>,
    chartType = 'line',
    failure?: Error,
  ) {
    const world = new ChartsWorld();
    const position = { row: 0, col: 0, width: 6, height: 4 };
    await world.given(
      gridCreated('g'),
      chartCreated('g', { id: 'q', title: 'By tier', chartType, metric: 'query', query }),
      chartCreated('g', { id: 'm', title: 'Requests' }),
      dashboardCreated('g', {
        id: 'd',
        charts: [
          { chartId: 'q', position },
          { chartId: 'm', position: { ...position, col: 6 } },
        ],
      }),
    );
    const asked: Query[] = [];
    const runQuery = async (each: Query): Promise<QueryAnswer> => {
      asked.push(each);
      if (failure !== undefined) throw failure;
      if ('rows' in answer) return { columns: [], rows: [], totalRows: 0, exact: true, ...answer };
      return { columns: [], series: [], totalSeries: 0, exact: true, ...(answer as Partial<SeriesAnswer>) };
    };
    return { asked, charts: withQueryCharts(world.queries, { telemetry: { runQuery }, newId: () => 'id' }) };
  }
  const ANSWER: Partial<SeriesAnswer> = {
    columns: [
      { name: 'customer.tier', type: 'string', unit: '' },
      { name: 'count', type: 'number', unit: '' },
    ],
    series: [
      {
        group: ['gold'],
        points: [
          [at(0), 3],
          [at(1), null],
          [at(2), 0],
        ],
      },
      { group: [null], points: [[at(0), 1]] },
    ],
  };

  it('ask the query over the window and the steps of the chart', async () => {
    const { asked, charts } = await createWorld(QUERY, ANSWER);
    const found = await charts.chartData('g', 'q', WHEN);
    assert.equal(asked.length, 1);
    assert.deepEqual(
      [asked[0].gridId, asked[0].range, asked[0].stepSeconds, asked[0].limit],
      ['g', { fromUs: NOON * 1_000, toUs: (NOON + 3 * MINUTE) * 1_000 }, 60, 10],
    );
    assert.deepEqual(found?.data.series, [
      {
        label: 'gold',
        points: [
          { atMs: NOON, value: 3 },
          { atMs: NOON + 2 * MINUTE, value: 0 },
        ],
        exemplars: [],
      },
      { label: '–', points: [{ atMs: NOON, value: 1 }], exemplars: [] },
    ]);
    assert.equal(found.data.additive, true);
    assert.equal(found.data.unansweredFromMs, undefined);
  });

  it('of whole ranges ask for a table of the groups with the largest first figure', async () => {
    const select = [
      { fn: 'p99', field: 'duration', as: '' },
      { fn: 'count', field: '', as: '' },
    ];
    const columns = [
      { name: 'customer.tier', type: 'string', unit: '' },
      { name: 'p99(duration)', type: 'number', unit: 'ms' },
      { name: 'count', type: 'number', unit: '' },
    ] as const;
    const rows = [
      ['gold', 12.5, 3],
      [null, null, 1],
    ];
    const cellOf = (row: string, at: 1 | 2) => ({ row, column: columns[at].name, unit: columns[at].unit });
    const { asked, charts } = await createWorld({ ...QUERY, select }, { columns, rows, totalRows: 2 }, 'table');
    const found = await charts.chartData('g', 'q', WHEN);
    assert.deepEqual(
      [asked[0].stepSeconds, asked[0].limit, asked[0].orderBy],
      [undefined, 10, [{ by: 'p99(duration)', descending: true }]],
    );
    assert.deepEqual(
      found?.data.series.map(({ label, cell, points }) => [label, cell, points]),
      [
        ['gold · p99(duration) in ms', cellOf('gold', 1), [{ atMs: NOON, value: 12.5 }]],
        ['gold · count', cellOf('gold', 2), [{ atMs: NOON, value: 3 }]],
        ['– · p99(duration) in ms', cellOf('–', 1), []],
        ['– · count', cellOf('–', 2), [{ atMs: NOON, value: 1 }]],
      ],
    );
    assert.equal(found.data.unit, '');
    assert.deepEqual(found.data.frame, {
      ...{ fromMs: WHEN.fromMs, toMs: WHEN.toMs, stepMs: 3 * MINUTE, nowMs: NOON + 30 * MINUTE, isWhole: true },
    });
  });

  it('draw all buckets of a heatmap', async () => {
    const { asked, charts } = await createWorld({ ...QUERY, groupBy: ['durationBucket'] }, { series: [] }, 'heatmap');
    await charts.chartData('g', 'q', WHEN);
    assert.deepEqual([asked[0].stepSeconds, asked[0].limit], [60, DURATION_BUCKETS.length]);
  });

  it('draw a heatmap over any range', async () => {
    const { charts, asked } = await createWorld({ ...QUERY, groupBy: ['durationBucket'] }, { series: [] }, 'heatmap');
    const hours = [1, 4.2, 5, 6, 12, 24, 24.5, 48, 24 * 7, 24 * 14, 24 * 31];
    for (const each of hours) {
      const found = await charts.chartData('g', 'q', { fromMs: NOON - each * 60 * MINUTE, toMs: NOON });
      assert.equal(found?.data.hint, undefined, `${each} h`);
    }
    assert.equal(asked.length, hours.length);
  });

  it('draw what was known at a past moment', async () => {
    const { asked, charts } = await createWorld(QUERY, ANSWER);
    await charts.chartData('g', 'q', { asOfMs: NOON + 10 * MINUTE });
    assert.deepEqual(asked[0].range, {
      fromUs: (NOON - 50 * MINUTE) * 1_000,
      toUs: (NOON + 10 * MINUTE) * 1_000,
      knownByUs: (NOON + 10 * MINUTE) * 1_000,
    });
  });

  it('are drawn as images, alone and on dashboards beside others', async () => {
    const { charts } = await createWorld(QUERY, ANSWER);
    const picture = (await charts.chartRenderInput('g', 'q', WHEN)) as PackedChartInput;
    assert.deepEqual(
      unpackChart(picture, picture.frame).data.series.map(({ label, points }) => [label, points.length]),
      [
        ['gold', 2],
        ['–', 1],
      ],
    );
    assert.equal(picture.isUnanswered, undefined);
    const dashboard = await charts.dashboardRenderInput('g', 'd', WHEN);
    assert.equal(dashboard?.charts[0].digest, picture.digest);
    assert.deepEqual(dashboard.charts[0].position, { row: 0, col: 0, width: 6, height: 4 });
    assert.deepEqual(unpackChart(dashboard.charts[1], dashboard.frame).chart.metric, 'request_rate');
  });

  it('name series by their function if there are several, and have their common unit', async () => {
    const select = [
      { fn: 'p50', field: 'duration', as: '' },
      { fn: 'p99', field: 'duration', as: 'slow' },
    ];
    const { charts } = await createWorld(
      { ...QUERY, groupBy: [], select },
      {
        columns: ['p50(duration)', 'slow'].map((name) => ({ name, type: 'number', unit: 'ms' })),
        series: [{ group: [], points: [[at(0), 1.5, 9]] }],
      },
    );
    const found = await charts.chartData('g', 'q', WHEN);
    assert.deepEqual(
      found?.data.series.map(({ label, points: [{ value }] }) => [label, value]),
      [
        ['p50(duration)', 1.5],
        ['slow', 9],
      ],
    );
    assert.deepEqual([found.data.unit, found.data.additive], ['ms', false]);
  });

  it('say why a query cannot be asked', async () => {
    const { asked, charts } = await createWorld({ ...QUERY, where: 'kind = ' }, ANSWER);
    const found = await charts.chartData('g', 'q', WHEN);
    assert.match(found?.data.hint ?? '', /^The query of this chart cannot be asked: where is wrong at position/);
    assert.deepEqual([asked.length, found?.data.series], [0, []]);
  });

  it('are narrowed by a filter beside their own condition', async () => {
    const { asked, charts } = await createWorld(QUERY, ANSWER);
    await charts.chartData('g', 'q', { ...WHEN, filter: { where: 'region = eu or region = us' } });
    await charts.dashboardRenderInput('g', 'd', { ...WHEN, filter: { where: 'service = cart', serviceName: 'cart' } });
    const [own] = compile('kind = server').terms;
    assert.deepEqual(asked[0].where, { kind: 'all', terms: [own, ...compile('region = eu or region = us').terms] });
    assert.deepEqual(asked[1].where, { kind: 'all', terms: [own, ...compile('service = cart').terms] });
    const wrong = await charts.chartData('g', 'q', { ...WHEN, filter: { where: 'timeout' } });
    assert.match(wrong?.data.hint ?? '', /^This chart cannot be narrowed: /);
    assert.equal(asked.length, 2);
  });

  it('say that a field of the filter is one of other records', async () => {
    const { charts } = await createWorld({ ...QUERY, signal: 'logs', where: '' }, { ...ANSWER, series: [] });
    const hintOf = async (where: string) =>
      (await charts.chartData('g', 'q', { ...WHEN, filter: { where } }))?.data.hint;
    assert.equal(await hintOf('operation = pay'), 'operation is no field of logs: it was taken for an attribute.');
    assert.equal(await hintOf('not (log.operation = pay or severity = ERROR)'), undefined);
  });

  it('leave other charts as they are', async () => {
    const { asked, charts } = await createWorld(QUERY, ANSWER);
    assert.equal((await charts.chartData('g', 'm', WHEN))?.chart.id, 'm');
    assert.equal(await charts.chartData('g', 'none', WHEN), undefined);
    assert.equal(await charts.chartRenderInput('g', 'none', WHEN), undefined);
    assert.equal(asked.length, 0);
  });

  it('say that a query needs too much, and leave the other charts of a dashboard alone', async () => {
    const { charts } = await createWorld(QUERY, ANSWER, 'line', new HindsightError('invalid-request', 'Narrow it.'));
    const found = await charts.chartData('g', 'q', WHEN);
    assert.deepEqual([found?.data.hint, found?.data.series], ['The query of this chart failed. Narrow it.', []]);
    assert.equal((await charts.dashboardRenderInput('g', 'd', WHEN))?.charts.length, 2);
    const overloaded = await createWorld(QUERY, ANSWER, 'line', new HindsightError('overloaded', 'Later.'));
    await assert.rejects(overloaded.charts.chartData('g', 'q', WHEN), { code: 'overloaded' });
  });
});
