import { CHART_BOUNDS } from '../../diagnostics/chart.js';
import type { FieldError } from '../../errors.js';
import { changedMeanwhile, reject, type Decider, type Decision, type Rejection } from '../decider.js';
import type { ChartCommand, ChartsEvent, DeleteChart, DeleteDashboard, PutChart, PutDashboard } from './commands.js';
import { chartFaults, dashboardFaults } from './rules.js';
import { eventTypes, evolveAll, withCharts, type ChartsState, type Definitions } from './state.js';
import { isSame, storedChart, storedDashboard } from './stored.js';

type ChartsDecision = Decision<ChartsEvent>;

const NO_CHANGE: readonly ChartsEvent[] = [];

/** Dashboards that a refusal names; of others it tells how many there are. */
const NAMED = 5;

/**
 * The charts and dashboards of a Grid, in the stream of its other settings. One decider for both, since dashboards show
 * charts: what one command places, no other deletes at the same time.
 */
export const chartsDecider: Decider<ChartCommand, ChartsState, ChartsEvent> = {
  eventTypes, initialState: undefined, decide, evolveAll, evolve: (state, event) => evolveAll(state, [event]),
};

function decide(command: ChartCommand, known: ChartsState): ChartsDecision {
  if (known === undefined) return reject('not-found', 'There is no such Grid.');
  switch (command.type) {
    case 'CreateChart': return createChart(command, known);
    case 'ChangeChart': return changeChart(command, known);
    case 'DeleteChart': return deleteChart(command, known);
    case 'CreateDashboard': return createDashboard(command, known);
    case 'ChangeDashboard': return changeDashboard(command, known);
    case 'DeleteDashboard': return deleteDashboard(command, known);
    default: return unknownCommand(command);
  }
}

function createChart({ actor, at, gridId, chartId, chart }: PutChart, { charts }: Definitions): ChartsDecision {
  const faults = chartFaults(chart);
  if (faults.length > 0) return invalidChart(faults);
  if (charts.has(chartId)) return reject('conflict', 'There is a chart with this id already.');
  if (charts.size >= CHART_BOUNDS.chartsOfAGrid) return reject('conflict', `A Grid has at most ${CHART_BOUNDS.chartsOfAGrid} charts: delete one first.`);
  return [{ type: 'ChartCreated.v1', data: { actor, at, gridId, chart: storedChart(chartId, chart) } }];
}

function changeChart({ actor, at, gridId, chartId, chart, onlyIf }: PutChart, { charts }: Definitions): ChartsDecision {
  const before = charts.get(chartId);
  if (before === undefined) return unknownChart();
  if (onlyIf?.(before) === false) return changedMeanwhile('chart');
  const faults = chartFaults(chart);
  if (faults.length > 0) return invalidChart(faults);
  const changed = storedChart(chartId, chart);
  return isSame(changed, storedChart(chartId, before)) ? NO_CHANGE : [{ type: 'ChartChanged.v1', data: { actor, at, gridId, chart: changed } }];
}

function deleteChart({ actor, at, gridId, chartId, onlyIf }: DeleteChart, { charts, dashboards }: Definitions): ChartsDecision {
  const before = charts.get(chartId);
  if (before === undefined) return unknownChart();
  if (onlyIf?.(before) === false) return changedMeanwhile('chart');
  const showing = [...dashboards.values()].filter((dashboard) => dashboard.charts.some((placed) => placed.chartId === chartId));
  if (showing.length > 0) return reject('conflict', `The chart is on ${named(showing.map(({ title }) => title))}: take it off there first.`);
  return [{ type: 'ChartDeleted.v1', data: { actor, at, gridId, chartId } }];
}

function createDashboard({ actor, at, gridId, dashboardId, dashboard }: PutDashboard, known: Definitions): ChartsDecision {
  const faults = dashboardFaults(dashboard, (chartId) => known.charts.has(chartId));
  if (faults.length > 0) return invalidDashboard(faults);
  const { dashboards } = known;
  if (dashboards.has(dashboardId)) return reject('conflict', 'There is a dashboard with this id already.');
  if (dashboards.size >= CHART_BOUNDS.dashboardsOfAGrid) return reject('conflict', `A Grid has at most ${CHART_BOUNDS.dashboardsOfAGrid} dashboards: delete one first.`);
  return [{ type: 'DashboardCreated.v1', data: { actor, at, gridId, dashboard: storedDashboard(dashboardId, dashboard) } }];
}

function changeDashboard({ actor, at, gridId, dashboardId, dashboard, onlyIf }: PutDashboard, known: Definitions): ChartsDecision {
  const before = known.dashboards.get(dashboardId);
  if (before === undefined) return unknownDashboard();
  if (onlyIf?.(withCharts(before, known)) === false) return changedMeanwhile('dashboard');
  const faults = dashboardFaults(dashboard, (chartId) => known.charts.has(chartId));
  if (faults.length > 0) return invalidDashboard(faults);
  const changed = storedDashboard(dashboardId, dashboard);
  return isSame(changed, storedDashboard(dashboardId, before)) ? NO_CHANGE : [{ type: 'DashboardChanged.v1', data: { actor, at, gridId, dashboard: changed } }];
}

function deleteDashboard({ actor, at, gridId, dashboardId, onlyIf }: DeleteDashboard, known: Definitions): ChartsDecision {
  const before = known.dashboards.get(dashboardId);
  if (before === undefined) return unknownDashboard();
  if (onlyIf?.(withCharts(before, known)) === false) return changedMeanwhile('dashboard');
  return [{ type: 'DashboardDeleted.v1', data: { actor, at, gridId, dashboardId } }];
}

function named(titles: readonly string[]): string {
  const told = titles.slice(0, NAMED).map((title) => `"${title}"`).join(', ');
  const rest = titles.length - NAMED;
  return `${titles.length === 1 ? 'the dashboard' : 'the dashboards'} ${told}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function invalidChart(faults: readonly FieldError[]): Rejection {
  return reject('invalid-request', 'The chart has faults.', faults);
}

function invalidDashboard(faults: readonly FieldError[]): Rejection {
  return reject('invalid-request', 'The dashboard has faults.', faults);
}

function unknownChart(): Rejection {
  return reject('not-found', 'There is no such chart.');
}

function unknownDashboard(): Rejection {
  return reject('not-found', 'There is no such dashboard.');
}

function unknownCommand(command: never): never {
  throw new Error(`no rule for command ${JSON.stringify(command)}`);
}
