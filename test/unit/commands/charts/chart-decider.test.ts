import assert from 'node:assert/strict';
import { chartsDecider } from '../../../../src/commands/charts/chart-decider.js';
import type { ChartCommand, ChartsEvent } from '../../../../src/commands/charts/chart-command-types.js';
import { CHART_BOUNDS, type NewChart, type NewDashboard } from '../../../../src/diagnostics/chart-model.js';
import { isRejection } from '../../../../src/commands/decider.js';
import { createDefaultCharts, createDefaultDashboards } from '../../../../src/streams/events/grid-defaults.js';
import { specify } from '../given.js';

const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const by = { actor: 'alice', at: 1_700_000_000_000, gridId };
const { given } = specify(chartsDecider);

const gridCreated: ChartsEvent = { type: 'GridCreated.v1', data: { ...by, name: 'shop' } };
const chart: NewChart = {
  title: 'Heap',
  chartType: 'area',
  metric: 'v8js.memory.heap.used',
  serviceName: 'cart',
  groupBy: 'instance',
  aggregation: 'max',
  unit: 'bytes',
};
const chartCreated = chartStored('ChartCreated.v2', 'c1');
const dashboard: NewDashboard = {
  title: 'Cart',
  description: 'What on-call looks at first.',
  charts: [{ chartId: 'c1', position: { row: 0, col: 0, width: 6, height: 4 } }],
};
const dashboardCreated = dashboardStored('DashboardCreated.v2', 'd1');
const chartDeleted: ChartsEvent = { type: 'ChartDeleted.v1', data: { ...by, chartId: 'c1' } };
const dashboardDeleted: ChartsEvent = { type: 'DashboardDeleted.v1', data: { ...by, dashboardId: 'd1' } };
const [firstChart, ...otherCharts] = createDefaultCharts(gridId);
const [overview] = createDefaultDashboards(gridId);

/** Draws the latency of each tier. */
const queryChart = {
  metric: 'query',
  serviceName: '',
  groupBy: '',
  aggregation: '',
  query: {
    signal: 'spans',
    where: 'kind = server',
    groupBy: ['customer.tier'],
    select: [{ fn: 'p99', field: 'duration', as: '' }],
    limit: 5,
  },
} as const;

function chartStored(
  type: 'ChartCreated.v2' | 'ChartChanged.v2',
  id: string,
  changes: Partial<NewChart> = {},
): ChartsEvent {
  return { type, data: { ...by, chart: { id, ...chart, ...changes } } };
}

function dashboardStored(
  type: 'DashboardCreated.v2' | 'DashboardChanged.v2',
  id: string,
  changes: Partial<NewDashboard> = {},
): ChartsEvent {
  return { type, data: { ...by, dashboard: { id, ...dashboard, ...changes } } };
}

function putChart(type: 'CreateChart' | 'ChangeChart', chartId: string, changes: Partial<NewChart> = {}): ChartCommand {
  return { ...by, type, chartId, chart: { ...chart, ...changes } };
}

function putDashboard(
  type: 'CreateDashboard' | 'ChangeDashboard',
  dashboardId: string,
  changes: Partial<NewDashboard> = {},
): ChartCommand {
  return { ...by, type, dashboardId, dashboard: { ...dashboard, ...changes } };
}

const deleteChart = (chartId: string): ChartCommand => ({ ...by, type: 'DeleteChart', chartId });
const deleteDashboard = (dashboardId: string): ChartCommand => ({ ...by, type: 'DeleteDashboard', dashboardId });

describe('charts: lifecycle', () => {
  it('stores the query of a chart, and only with its metric', () => {
    given(gridCreated)
      .when({ type: 'CreateChart', ...by, chartId: 'c9', chart: { ...chart, ...queryChart } })
      .then(chartStored('ChartCreated.v2', 'c9', queryChart));
    given(gridCreated, chartStored('ChartCreated.v2', 'c9', queryChart))
      .when({ type: 'ChangeChart', ...by, chartId: 'c9', chart: { ...chart, ...queryChart } })
      .then();
    for (const wrong of [{ metric: 'latency' }, { serviceName: 'cart' }, { groupBy: 'service' }])
      given(gridCreated)
        .when({ type: 'CreateChart', ...by, chartId: 'c9', chart: { ...chart, ...queryChart, ...wrong } })
        .thenRejected('invalid-request', 'query');
  });

  it('begins with a Grid', () => {
    for (const command of [putChart('CreateChart', 'c1'), putChart('ChangeChart', 'c1'), deleteChart('c1')])
      given().when(command).thenRejected('not-found');
  });
  it('is to be created, replaced and deleted', () => {
    given(gridCreated).when(putChart('CreateChart', 'c1')).then(chartCreated);
    given(gridCreated, chartCreated)
      .when(putChart('ChangeChart', 'c1', { title: 'Memory' }))
      .then(chartStored('ChartChanged.v2', 'c1', { title: 'Memory' }));
    given(gridCreated, chartCreated).when(deleteChart('c1')).then(chartDeleted);
  });
  it('does not take what changes nothing for a change', () => {
    given(gridCreated, chartCreated).when(putChart('ChangeChart', 'c1')).then();
    given(gridCreated, chartCreated, chartStored('ChartChanged.v2', 'c1', { unit: 'By' }))
      .when(putChart('ChangeChart', 'c1', { unit: 'By' }))
      .then();
  });
  it('sees a change of any member', () => {
    const changes: Partial<NewChart>[] = [
      { title: 'x' },
      { chartType: 'bar' },
      { metric: 'x' },
      { serviceName: '' },
      { groupBy: '' },
      { aggregation: '' },
      { unit: '' },
    ];
    for (const each of changes)
      given(gridCreated, chartCreated)
        .when(putChart('ChangeChart', 'c1', each))
        .then(chartStored('ChartChanged.v2', 'c1', each));
  });
  it('ends with its deletion', () => {
    for (const command of [putChart('ChangeChart', 'c1'), deleteChart('c1')])
      given(gridCreated, chartCreated, chartDeleted).when(command).thenRejected('not-found');
  });
  it('needs an id of its own', () =>
    given(gridCreated, chartCreated).when(putChart('CreateChart', 'c1')).thenRejected('conflict'));
  it('is refused with all faults, whether it is new or not; what is unknown stays so', () => {
    const faulty = { title: '', chartType: 'pie', aggregation: 'median' } as unknown as Partial<NewChart>;
    given(gridCreated)
      .when(putChart('CreateChart', 'c1', faulty))
      .thenRejected('invalid-request', 'title', 'chartType', 'aggregation');
    given(gridCreated, chartCreated)
      .when(putChart('ChangeChart', 'c1', faulty))
      .thenRejected('invalid-request', 'title', 'chartType', 'aggregation');
    given(gridCreated)
      .when(putChart('ChangeChart', 'c1', faulty))
      .thenRejected('not-found');
  });
  it('keeps out of the log what is not part of a chart', () => {
    given(gridCreated)
      .when(putChart('CreateChart', 'c1', { id: 'mine', createdAt: 1, secret: 'x' } as Partial<NewChart>))
      .then(chartCreated);
  });
});

describe('charts on dashboards', () => {
  it('are not deleted, and the refusal names the dashboards', () => {
    given(gridCreated, chartCreated, dashboardCreated).when(deleteChart('c1')).thenRejected('conflict');
    assert.match(refusal(gridCreated, chartCreated, dashboardCreated), /on the dashboard "Cart": remove it/);
    const second = dashboardStored('DashboardCreated.v2', 'd2', { title: 'All' });
    assert.match(
      refusal(gridCreated, chartCreated, dashboardCreated, second),
      /on the dashboards "Cart", "All": remove/,
    );
    const many = Array.from({ length: 7 }, (_, i) =>
      dashboardStored('DashboardCreated.v2', `d${i}`, { title: `${i}` }),
    );
    assert.match(
      refusal(gridCreated, chartCreated, ...many),
      /on the dashboards "0", "1", "2", "3", "4" and 2 more: remove/,
    );
  });
  it('are, once no dashboard shows them', () => {
    given(gridCreated, chartCreated, dashboardCreated, dashboardDeleted).when(deleteChart('c1')).then(chartDeleted);
    given(gridCreated, chartCreated, dashboardCreated, dashboardStored('DashboardChanged.v2', 'd1', { charts: [] }))
      .when(deleteChart('c1'))
      .then(chartDeleted);
  });

  function refusal(...events: readonly ChartsEvent[]): string {
    const decision = chartsDecider.decide(deleteChart('c1'), chartsDecider.evolveAll!(undefined, events));
    assert.ok(isRejection(decision));
    return decision.message;
  }
});

describe('charts and dashboards: state', () => {
  it('stays as it was when it continues', () => {
    const before = chartsDecider.evolveAll!(undefined, [gridCreated, chartCreated, dashboardCreated]);
    const kept = structuredClone(before);
    for (const event of [
      chartStored('ChartCreated.v2', 'c2'),
      chartStored('ChartChanged.v2', 'c1', { title: 'x' }),
      dashboardStored('DashboardCreated.v2', 'd2'),
      dashboardDeleted,
      chartDeleted,
    ]) {
      assert.notDeepEqual(chartsDecider.evolve(before, event), kept);
    }
    assert.deepEqual(before, kept);
  });
});

describe('dashboards: lifecycle', () => {
  it('begins with a Grid', () => {
    for (const command of [
      putDashboard('CreateDashboard', 'd1'),
      putDashboard('ChangeDashboard', 'd1'),
      deleteDashboard('d1'),
    ])
      given().when(command).thenRejected('not-found');
  });
  it('is to be created, replaced and deleted', () => {
    given(gridCreated, chartCreated).when(putDashboard('CreateDashboard', 'd1')).then(dashboardCreated);
    given(gridCreated, chartCreated, dashboardCreated)
      .when(putDashboard('ChangeDashboard', 'd1', { title: 'Basket' }))
      .then(dashboardStored('DashboardChanged.v2', 'd1', { title: 'Basket' }));
    given(gridCreated, chartCreated, dashboardCreated).when(deleteDashboard('d1')).then(dashboardDeleted);
  });
  it('does not take what changes nothing for a change, also where a zero has a sign', () => {
    const zeros = [{ chartId: 'c1', position: { row: -0, col: -0, width: 6, height: 4 } }];
    for (const changes of [{}, { charts: zeros }])
      given(gridCreated, chartCreated, dashboardCreated)
        .when(putDashboard('ChangeDashboard', 'd1', changes))
        .then();
  });
  it('sees a change of any member, of places and of their order', () => {
    const [placed] = dashboard.charts;
    const twice = [placed, { chartId: 'c1', position: { row: 4, col: 0, width: 12, height: 1 } }];
    const changes: Partial<NewDashboard>[] = [
      { title: 'x' },
      { description: '' },
      { charts: [] },
      { charts: twice },
      { charts: [{ ...placed, position: { ...placed.position, height: 5 } }] },
    ];
    for (const each of changes)
      given(gridCreated, chartCreated, dashboardCreated)
        .when(putDashboard('ChangeDashboard', 'd1', each))
        .then(dashboardStored('DashboardChanged.v2', 'd1', each));
    const reversed = { charts: [...twice].reverse() };
    given(gridCreated, chartCreated, dashboardCreated, dashboardStored('DashboardChanged.v2', 'd1', { charts: twice }))
      .when(putDashboard('ChangeDashboard', 'd1', reversed))
      .then(dashboardStored('DashboardChanged.v2', 'd1', reversed));
  });
  it('ends with its deletion', () => {
    for (const command of [putDashboard('ChangeDashboard', 'd1'), deleteDashboard('d1')])
      given(gridCreated, chartCreated, dashboardCreated, dashboardDeleted).when(command).thenRejected('not-found');
  });
  it('needs an id of its own', () =>
    given(gridCreated, chartCreated, dashboardCreated)
      .when(putDashboard('CreateDashboard', 'd1'))
      .thenRejected('conflict'));
  it('needs charts that exist, and reports all other faults with those that do not', () => {
    const position = { row: 0, col: 0, width: 1, height: 1 };
    const charts = [
      { chartId: 'c1', position },
      { chartId: 'c2', position },
      { chartId: '', position: { ...position, row: 9 } },
    ];
    const faults = ['title', 'charts[1].chartId', 'charts[1].position', 'charts[2].chartId'];
    given(gridCreated, chartCreated)
      .when(putDashboard('CreateDashboard', 'd1', { title: '', charts }))
      .thenRejected('invalid-request', ...faults);
    given(gridCreated, chartCreated, dashboardCreated)
      .when(putDashboard('ChangeDashboard', 'd1', { title: '', charts }))
      .thenRejected('invalid-request', ...faults);
    given(gridCreated, chartCreated, chartDeleted)
      .when(putDashboard('CreateDashboard', 'd1'))
      .thenRejected('invalid-request', 'charts[0].chartId');
    given(gridCreated)
      .when(putDashboard('ChangeDashboard', 'd1', { title: '' }))
      .thenRejected('not-found');
  });
  it('stores its variables, if there are some', () => {
    const variables = ['service', 'customer.tier'];
    given(gridCreated, chartCreated)
      .when(putDashboard('CreateDashboard', 'd1', { variables: [] }))
      .then(dashboardCreated);
    given(gridCreated, chartCreated, dashboardCreated)
      .when(putDashboard('ChangeDashboard', 'd1', { variables }))
      .then(dashboardStored('DashboardChanged.v2', 'd1', { variables }));
    given(gridCreated, chartCreated)
      .when(putDashboard('CreateDashboard', 'd1', { variables: ['a', ' ', 'a'] }))
      .thenRejected('invalid-request', 'variables[1]', 'variables[2]');
    given(gridCreated, chartCreated)
      .when(putDashboard('CreateDashboard', 'd1', { variables: ['a', 'b', 'c', 'd', 'e', 'f'] }))
      .thenRejected('invalid-request', 'variables');
  });
  it('keeps out of the log what is not part of a dashboard', () => {
    const charts = dashboard.charts.map((placed) => ({
      ...placed,
      title: 'x',
      position: { ...placed.position, depth: 1 },
    }));
    given(gridCreated, chartCreated)
      .when(putDashboard('CreateDashboard', 'd1', { charts, builtIn: true } as Partial<NewDashboard>))
      .then(dashboardCreated);
  });
});

describe('charts and dashboards that somebody has changed meanwhile', () => {
  const never = (): boolean => false;
  const made = [gridCreated, chartCreated, dashboardCreated];
  const renamed = chartStored('ChartChanged.v2', 'c1', { title: 'x' });

  it('are left as they are, whatever else is wrong with the command', () => {
    const faulty = { title: '', charts: [] };
    for (const command of [
      putChart('ChangeChart', 'c1', faulty),
      putDashboard('ChangeDashboard', 'd1', faulty),
      deleteChart('c1'),
      deleteDashboard('d1'),
    ]) {
      given(...made)
        .when({ ...command, onlyIf: never })
        .thenRejected('precondition-failed');
    }
  });
  it('are changed and deleted where they are what is expected', () => {
    const onlyIf = ({ title }: { readonly title: string }): boolean => title === chart.title;
    const change: ChartCommand = { ...by, type: 'ChangeChart', chartId: 'c1', chart: { ...chart, title: 'x' }, onlyIf };
    given(...made)
      .when(change)
      .then(renamed);
    given(...made, renamed)
      .when(change)
      .thenRejected('precondition-failed');
  });
  it('are, as dashboards, others where a chart on them is another', () => {
    const remove: ChartCommand = {
      ...by,
      type: 'DeleteDashboard',
      dashboardId: 'd1',
      onlyIf: ({ dashboard: { title }, charts }) => title === dashboard.title && charts[0].title === chart.title,
    };
    given(...made)
      .when(remove)
      .then(dashboardDeleted);
    given(...made, renamed)
      .when(remove)
      .thenRejected('precondition-failed');
  });
  it('are unknown where they are gone', () => {
    for (const command of [
      putChart('ChangeChart', 'c9'),
      putDashboard('ChangeDashboard', 'd9'),
      deleteChart('c9'),
      deleteDashboard('d9'),
    ]) {
      given(...made)
        .when({ ...command, onlyIf: never })
        .thenRejected('not-found');
    }
  });
});

describe('default charts and dashboards', () => {
  it('are charts and dashboards like others', () => {
    given(gridCreated)
      .when({ ...by, type: 'ChangeChart', chartId: firstChart.id, chart: { ...chart, title: 'Ours' } })
      .then(chartStored('ChartChanged.v2', firstChart.id, { title: 'Ours' }));
    given(gridCreated).when(deleteChart(firstChart.id)).thenRejected('conflict');
    given(gridCreated)
      .when(putDashboard('ChangeDashboard', overview.id, { charts: [] }))
      .then(dashboardStored('DashboardChanged.v2', overview.id, { charts: [] }));
    const gone: ChartsEvent = { type: 'DashboardDeleted.v1', data: { ...by, dashboardId: overview.id } };
    given(gridCreated).when(deleteDashboard(overview.id)).then(gone);
    given(gridCreated, gone)
      .when(deleteChart(firstChart.id))
      .then({ type: 'ChartDeleted.v1', data: { ...by, chartId: firstChart.id } });
    given(gridCreated, gone)
      .when(
        putDashboard('CreateDashboard', 'd1', {
          charts: [{ chartId: otherCharts[0].id, position: dashboard.charts[0].position }],
        }),
      )
      .then(
        dashboardStored('DashboardCreated.v2', 'd1', {
          charts: [{ chartId: otherCharts[0].id, position: dashboard.charts[0].position }],
        }),
      );
  });
});

describe('charts and dashboards: limits', () => {
  it('have a maximum number of charts per Grid, including the default ones', () => {
    const many = Array.from({ length: CHART_BOUNDS.chartsOfAGrid - createDefaultCharts(gridId).length }, (_, i) =>
      chartStored('ChartCreated.v2', `m${i}`),
    );
    given(gridCreated, ...many)
      .when(putChart('CreateChart', 'new'))
      .thenRejected('conflict');
    given(gridCreated, ...many)
      .when(putChart('ChangeChart', 'm0', { title: 'x' }))
      .then(chartStored('ChartChanged.v2', 'm0', { title: 'x' }));
    given(gridCreated, ...many.slice(1))
      .when(putChart('CreateChart', 'new'))
      .then(chartStored('ChartCreated.v2', 'new'));
  });
  it('have a maximum number of dashboards per Grid', () => {
    const many = Array.from({ length: CHART_BOUNDS.dashboardsOfAGrid - 1 }, (_, i) =>
      dashboardStored('DashboardCreated.v2', `m${i}`),
    );
    given(gridCreated, chartCreated, ...many)
      .when(putDashboard('CreateDashboard', 'new'))
      .thenRejected('conflict');
    given(gridCreated, chartCreated, ...many.slice(1))
      .when(putDashboard('CreateDashboard', 'new'))
      .then(dashboardStored('DashboardCreated.v2', 'new'));
  });
});
