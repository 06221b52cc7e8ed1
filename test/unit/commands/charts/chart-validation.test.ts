import assert from 'node:assert/strict';
import { validateChart, validateDashboard } from '../../../../src/commands/charts/chart-validation.js';
import {
  AGGREGATIONS,
  CHART_BOUNDS,
  CHART_TYPES,
  DERIVED_METRICS,
  ERROR_BUDGET_METRIC,
  type ChartPosition,
  type NewChart,
  type NewDashboard,
} from '../../../../src/diagnostics/chart-model.js';
import type { FieldError } from '../../../../src/errors.js';

const derived: NewChart = {
  title: 'Errors',
  chartType: 'line',
  metric: 'error_rate',
  serviceName: '',
  groupBy: '',
  aggregation: '',
  unit: '',
};
const otlp: NewChart = { ...derived, metric: 'queue.length', aggregation: 'max' };

function fieldsOf(faults: readonly FieldError[]): string[] {
  return faults.map(({ field }) => field);
}

describe('rules of charts', () => {
  it('take every type, metric and aggregation there is', () => {
    for (const chartType of CHART_TYPES.filter((type) => type !== 'heatmap'))
      assert.deepEqual(validateChart({ ...derived, chartType }), []);
    for (const metric of DERIVED_METRICS) assert.deepEqual(validateChart({ ...derived, metric }), [], metric);
    for (const aggregation of [...AGGREGATIONS, ''] as const)
      assert.deepEqual(validateChart({ ...otlp, aggregation }), [], aggregation);
  });

  it('let a heatmap count the spans of a query by the bucket of their duration, and nothing else', () => {
    const query = {
      signal: 'spans',
      where: 'service = cart',
      groupBy: ['durationBucket'],
      select: [{ fn: 'count', field: '', as: '' }],
      limit: 0,
    };
    const heatmap: NewChart = { ...derived, chartType: 'heatmap', metric: 'query' };
    assert.deepEqual(validateChart({ ...heatmap, query }), []);
    const others = [
      undefined,
      null,
      'x',
      { ...query, signal: 'logs' },
      { ...query, groupBy: [] },
      { ...query, groupBy: null },
      { ...query, groupBy: ['durationBucket', 'service'] },
      { ...query, select: [] },
      { ...query, select: [null] },
      { ...query, select: [{ fn: 'p99', field: 'duration', as: '' }] },
      { ...query, select: [{ fn: 'count', field: 'user', as: '' }] },
    ] as unknown as (typeof query)[];
    for (const other of others)
      assert.deepEqual(fieldsOf(validateChart({ ...heatmap, query: other })), ['chartType'], JSON.stringify(other));
    assert.deepEqual(fieldsOf(validateChart({ ...derived, chartType: 'heatmap' })), ['chartType']);
  });

  it('let a single value have no groups', () => {
    const value = { ...derived, chartType: 'value' } as const;
    assert.deepEqual(validateChart({ ...value, metric: 'latency' }), []);
    assert.deepEqual(fieldsOf(validateChart({ ...value, groupBy: 'service' })), ['chartType']);
    const query = { signal: 'spans', where: '', groupBy: ['service'], select: [], limit: 0 };
    assert.deepEqual(fieldsOf(validateChart({ ...value, metric: 'query', query })), ['chartType']);
    assert.deepEqual(validateChart({ ...value, metric: 'query', query: { ...query, groupBy: [] } }), []);
  });

  it('let top lists show one function, values a few, and tables of several functions their own units', () => {
    const count = { fn: 'count', field: '', as: '' };
    const query = (functions: number) => {
      const select = Array.from({ length: functions }, () => count);
      return { signal: 'spans', where: '', groupBy: ['service'], select, limit: 0 };
    };
    const fieldsFor = (chart: Partial<NewChart>) => fieldsOf(validateChart({ ...derived, metric: 'query', ...chart }));
    assert.deepEqual(fieldsFor({ chartType: 'top_list', query: query(1) }), []);
    assert.deepEqual(fieldsFor({ chartType: 'top_list', query: query(2) }), ['chartType']);
    assert.deepEqual(fieldsFor({ chartType: 'value', query: { ...query(6), groupBy: [] } }), []);
    assert.deepEqual(fieldsFor({ chartType: 'value', query: { ...query(7), groupBy: [] } }), ['chartType']);
    assert.deepEqual(fieldsFor({ chartType: 'table', query: query(2) }), []);
    assert.deepEqual(fieldsFor({ chartType: 'table', query: query(2), unit: 'ms' }), ['unit']);
    assert.deepEqual(fieldsFor({ chartType: 'table', query: query(1), unit: 'ms' }), []);
  });

  it('let charts of objectives be figures of the whole Grid', () => {
    const budget: NewChart = { ...derived, chartType: 'table', metric: ERROR_BUDGET_METRIC };
    assert.deepEqual(validateChart(budget), []);
    const wrong = {
      chartType: 'line',
      serviceName: 'cart',
      groupBy: 'service',
      aggregation: 'avg',
      unit: 'ms',
    } as const;
    assert.deepEqual(fieldsOf(validateChart({ ...budget, ...wrong })), Object.keys(wrong));
  });

  it('report all errors at once', () => {
    const nothing = {} as NewChart;
    assert.deepEqual(fieldsOf(validateChart(nothing)), [
      'title',
      'chartType',
      'metric',
      'serviceName',
      'groupBy',
      'aggregation',
      'unit',
    ]);
    const numbers = {
      title: 1,
      chartType: 1,
      metric: 1,
      serviceName: 1,
      groupBy: 1,
      aggregation: 1,
      unit: 1,
    } as unknown as NewChart;
    assert.equal(validateChart(numbers).length, 7);
  });

  it('count characters, not code units, up to the bounds', () => {
    const long = '😀'.repeat(CHART_BOUNDS.nameLength);
    assert.deepEqual(
      validateChart({ ...otlp, title: '😀'.repeat(200), metric: long, serviceName: long, groupBy: long, unit: long }),
      [],
    );
    const over = `${long}x`;
    assert.deepEqual(
      fieldsOf(
        validateChart({ ...otlp, title: 'x'.repeat(201), metric: over, serviceName: over, groupBy: over, unit: over }),
      ),
      ['title', 'metric', 'serviceName', 'groupBy', 'unit'],
    );
    for (const blank of ['', ' '])
      assert.deepEqual(fieldsOf(validateChart({ ...otlp, title: blank, metric: blank })), ['title', 'metric']);
  });

  it('group derived metrics by what they know, and OTLP metrics by any attribute', () => {
    const groups = ['', 'service', 'operation', 'severity', 'instance', 'http.route'];
    const allowed = (metric: string) =>
      groups.filter((groupBy) => validateChart({ ...derived, metric, groupBy }).length === 0);
    const spans = ['', 'service', 'operation'];
    const logs = ['', 'service', 'severity'];
    assert.deepEqual(
      Object.fromEntries(
        [...DERIVED_METRICS, 'queue.length', 'constructor'].map((metric) => [metric, allowed(metric)]),
      ),
      {
        request_rate: spans,
        error_rate: spans,
        latency: [''],
        latency_avg: spans,
        latency_p50: spans,
        latency_p95: spans,
        latency_p99: spans,
        apdex: spans,
        log_rate: logs,
        error_log_rate: logs,
        'queue.length': groups,
        constructor: groups,
      },
    );
  });

  it('call latencies no other time than the milliseconds that they are, and counts what their author likes', () => {
    for (const metric of DERIVED_METRICS.filter((name) => name.startsWith('latency'))) {
      for (const unit of ['', 'ms', 'milliseconds']) assert.deepEqual(validateChart({ ...derived, metric, unit }), []);
      for (const unit of ['s', 'µs', 'h'])
        assert.deepEqual(validateChart({ ...derived, metric, unit }), [
          { field: 'unit', message: `must be empty or ms for ${metric}, whose values are in ms` },
        ]);
    }
    for (const metric of ['request_rate', 'queue.length'])
      assert.deepEqual(validateChart({ ...derived, metric, unit: 'orders' }), []);
  });

  it('leave derived metrics without an aggregation', () => {
    for (const aggregation of AGGREGATIONS)
      assert.deepEqual(fieldsOf(validateChart({ ...derived, aggregation })), ['aggregation']);
  });

  it('say what would be right, going on from the name of the field', () => {
    const wrong = { ...derived, groupBy: 'severity', aggregation: 'avg', chartType: 'pie' } as unknown as NewChart;
    assert.deepEqual(validateChart(wrong), [
      { field: 'chartType', message: 'must be one of line, bar, area, value, top_list, table, heatmap' },
      { field: 'groupBy', message: 'must be empty, service or operation for error_rate' },
      { field: 'aggregation', message: 'must be empty for error_rate, which is not an OTLP metric' },
    ]);
    assert.deepEqual(validateChart({ ...derived, metric: 'latency', groupBy: 'service' }), [
      { field: 'groupBy', message: 'must be empty for latency' },
    ]);
    assert.match(
      validateChart({ ...otlp, aggregation: 'median' } as unknown as NewChart)[0].message,
      /^must be empty or one of avg, sum/,
    );
  });
});

describe('rules of dashboards', () => {
  const position: ChartPosition = { row: 0, col: 0, width: 6, height: 4 };
  const placed = (...positions: Partial<ChartPosition>[]): NewDashboard => ({
    title: 'Shop',
    description: '',
    charts: positions.map((each) => ({ chartId: 'c1', position: { ...position, ...each } })),
  });
  const faultsAt = (...positions: Partial<ChartPosition>[]): string[] =>
    fieldsOf(validateDashboard(placed(...positions)));

  it('take an empty one, and the same chart twice', () => {
    assert.deepEqual(validateDashboard(placed()), []);
    assert.deepEqual(validateDashboard(placed({}, { col: 6 })), []);
  });

  it('report all errors at once', () => {
    assert.deepEqual(fieldsOf(validateDashboard({} as NewDashboard)), ['title', 'description', 'charts']);
    assert.deepEqual(
      fieldsOf(
        validateDashboard({
          ...placed({ row: -1, width: 0 }, { col: 0.5 }),
          title: ' ',
          description: 'x'.repeat(2_001),
        }),
      ),
      ['title', 'description', 'charts[0].position.row', 'charts[0].position.width', 'charts[1].position.col'],
    );
  });

  it('take for charts nothing but a list of charts with places', () => {
    const faultsOf = (charts: unknown) => fieldsOf(validateDashboard({ ...placed(), charts } as NewDashboard));
    const all = ['chartId', 'position.row', 'position.col', 'position.width', 'position.height'].map(
      (name) => `charts[0].${name}`,
    );
    for (const charts of [undefined, null, 'c1', { 0: 'c1' }]) assert.deepEqual(faultsOf(charts), ['charts']);
    for (const charts of [[null], ['c1'], [{}], [[]], [{ chartId: 7, position: 'top' }]])
      assert.deepEqual(faultsOf(charts), all);
    assert.deepEqual(
      faultsOf([{ chartId: 'c1', position: { row: '0', col: null, width: Number.NaN, height: Infinity } }]),
      all.slice(1),
    );
  });

  it('keep places within the columns and rows', () => {
    assert.deepEqual(faultsAt({ col: 11, width: 1 }, { row: 999, height: 1 }, { row: 4, width: 12, height: 995 }), []);
    assert.deepEqual(faultsAt({ col: 12, width: 1 }), ['charts[0].position.col']);
    assert.deepEqual(faultsAt({ width: 13 }), ['charts[0].position.width']);
    assert.deepEqual(faultsAt({ col: 7 }), ['charts[0].position.width']);
    assert.deepEqual(faultsAt({ row: 1_000 }), ['charts[0].position.row']);
    assert.deepEqual(faultsAt({ row: 998, height: 3 }), ['charts[0].position.height']);
    assert.deepEqual(faultsAt({ col: 7, row: 998 }), ['charts[0].position.width', 'charts[0].position.height']);
    assert.deepEqual(faultsAt({ height: 0 }), ['charts[0].position.height']);
  });

  it('name both of two that overlap, and let neighbours touch', () => {
    assert.deepEqual(validateDashboard(placed({}, { col: 6 }, { row: 4 }, { row: 3, col: 5, width: 2, height: 2 })), [
      { field: 'charts[3].position', message: 'overlaps with charts[0], charts[1], charts[2]' },
    ]);
    assert.deepEqual(faultsAt({}, {}), ['charts[1].position']);
    assert.deepEqual(faultsAt({ row: 1, col: 1, width: 1, height: 1 }, {}), ['charts[1].position']);
    assert.deepEqual(faultsAt({}, { row: 1, col: 1, width: 1, height: 1 }), ['charts[1].position']);
  });

  it('compare no place that is at fault itself', () => {
    assert.deepEqual(faultsAt({ col: 7 }, { col: 6 }), ['charts[0].position.width']);
    assert.deepEqual(faultsAt({}, { width: -1 }), ['charts[1].position.width']);
  });

  it('look at no chart where there are too many', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ row, width: 12, height: 1 }));
    assert.deepEqual(faultsAt(...rows(CHART_BOUNDS.chartsOfADashboard)), []);
    assert.deepEqual(faultsAt(...rows(CHART_BOUNDS.chartsOfADashboard), {}), ['charts']);
  });

  it('ask who knows the Grid whether a chart exists', () => {
    const both = {
      ...placed({}, { col: 6 }),
      charts: [
        { chartId: 'a', position },
        { chartId: 'b', position: { ...position, col: 6 } },
      ],
    };
    assert.deepEqual(
      validateDashboard(both, (id) => id === 'a'),
      [{ field: 'charts[1].chartId', message: 'must be the id of a chart that was created in this Grid' }],
    );
  });
});
