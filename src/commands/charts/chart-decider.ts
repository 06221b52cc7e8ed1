import {
  type Chart,
  CHART_BOUNDS,
  type Dashboard,
  type NewChart,
  type NewDashboard,
} from '../../diagnostics/chart-model.js';
import type { StoredChart, StoredDashboard } from '../../streams/events/chart-events.js';
import { createDefaultCharts, createDefaultDashboards } from '../../streams/events/grid-defaults.js';
import type {
  ChartCommand,
  ChartsEvent,
  DashboardWithCharts,
  DeleteChart,
  DeleteDashboard,
  PutChart,
  PutDashboard,
} from './chart-command-types.js';
import type { FieldError } from '../../errors.js';
import { type Decider, type Decision, reject, rejectChangedMeanwhile, type Rejection } from '../decider.js';
import { validateChart, validateDashboard } from './chart-validation.js';

/** The charts and dashboards of a Grid by id, those that it started with included. */
export interface DefinitionsById {
  readonly charts: ReadonlyMap<string, Chart>;
  readonly dashboards: ReadonlyMap<string, Dashboard>;
}

/** Undefined until the Grid is created. */
export type ChartsState = DefinitionsById | undefined;

/** Definitions that only who made them knows: a thousand charts are not copied for every event. */
interface DefinitionsDraft extends DefinitionsById {
  readonly charts: Map<string, Chart>;
  readonly dashboards: Map<string, Dashboard>;
}

export const eventTypes: ReadonlySet<string> = new Set<ChartsEvent['type']>([
  'GridCreated.v1',
  'ChartCreated.v1',
  'ChartChanged.v1',
  'ChartDeleted.v1',
  'DashboardCreated.v1',
  'DashboardChanged.v1',
  'DashboardDeleted.v1',
]);

/** The dashboard with what it shows: each chart that is placed exists. */
export function toDashboardWithCharts(dashboard: Dashboard, { charts }: DefinitionsById): DashboardWithCharts {
  return { dashboard, charts: dashboard.charts.map(({ chartId }) => charts.get(chartId)!) };
}

/** The state after all of the events, in their order; the one before stays as it was. */
export function evolveAll(state: ChartsState, events: readonly ChartsEvent[]): ChartsState {
  const draft: DefinitionsDraft = { charts: new Map(state?.charts), dashboards: new Map(state?.dashboards) };
  for (const event of events) applyEvent(event, draft);
  return draft;
}

function applyEvent(event: ChartsEvent, { charts, dashboards }: DefinitionsDraft): void {
  switch (event.type) {
    case 'GridCreated.v1':
      for (const chart of createDefaultCharts(event.data.gridId)) setChart(chart, event.data.at, charts);
      for (const dashboard of createDefaultDashboards(event.data.gridId))
        setDashboard(dashboard, event.data.at, dashboards);
      break;
    case 'ChartCreated.v1':
    case 'ChartChanged.v1':
      setChart(event.data.chart, event.data.at, charts);
      break;
    case 'ChartDeleted.v1':
      charts.delete(event.data.chartId);
      break;
    case 'DashboardCreated.v1':
    case 'DashboardChanged.v1':
      setDashboard(event.data.dashboard, event.data.at, dashboards);
      break;
    case 'DashboardDeleted.v1':
      dashboards.delete(event.data.dashboardId);
      break;
    default:
      throwUnknownEvent(event);
  }
}

/** Nothing but the words of Chart gets into the log. */
function setChart(chart: StoredChart, at: number, charts: Map<string, Chart>): void {
  charts.set(chart.id, { ...(chart as Chart), createdAt: charts.get(chart.id)?.createdAt ?? at, updatedAt: at });
}

function setDashboard(dashboard: StoredDashboard, at: number, dashboards: Map<string, Dashboard>): void {
  dashboards.set(dashboard.id, {
    ...dashboard,
    createdAt: dashboards.get(dashboard.id)?.createdAt ?? at,
    updatedAt: at,
  });
}

function throwUnknownEvent(event: never): never {
  throw new Error(`no rule for event ${JSON.stringify(event)}`);
}

/** What the log is to have of a chart: what else was sent with it, or is known of it, stays out. */
export function toStoredChart(
  id: string,
  { title, chartType, metric, serviceName, groupBy, aggregation, unit }: NewChart,
): StoredChart {
  return { id, title, chartType, metric, serviceName, groupBy, aggregation, unit };
}

export function toStoredDashboard(id: string, { title, description, charts }: NewDashboard): StoredDashboard {
  const placed = charts.map(({ chartId, position: { row, col, width, height } }) => ({
    chartId,
    position: { row, col, width, height },
  }));
  return { id, title, description, charts: placed };
}

/** As the log tells them apart: JSON has one zero. Both are as the functions above make them, so that the order of members is the same. */
function isSameDefinition(a: StoredChart | StoredDashboard, b: StoredChart | StoredDashboard): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

type ChartsDecision = Decision<ChartsEvent>;
const NO_CHANGE: readonly ChartsEvent[] = [];

/** Dashboards that a refusal names; of others it tells how many there are. */
const MAX_NAMED_DASHBOARDS = 5;

/**
 * The charts and dashboards of a Grid, in the stream of its other settings. One decider for both, since dashboards show
 * charts: what one command places, no other deletes at the same time.
 */
export const chartsDecider: Decider<ChartCommand, ChartsState, ChartsEvent> = {
  eventTypes,
  initialState: undefined,
  decide,
  evolveAll,
  evolve: (state, event) => evolveAll(state, [event]),
};

function decide(command: ChartCommand, known: ChartsState): ChartsDecision {
  if (known === undefined) return reject('not-found', 'There is no such Grid.');
  switch (command.type) {
    case 'CreateChart':
      return createChart(command, known);
    case 'ChangeChart':
      return changeChart(command, known);
    case 'DeleteChart':
      return deleteChart(command, known);
    case 'CreateDashboard':
      return createDashboard(command, known);
    case 'ChangeDashboard':
      return changeDashboard(command, known);
    case 'DeleteDashboard':
      return deleteDashboard(command, known);
    default:
      return throwUnknownCommand(command);
  }
}

function createChart({ actor, at, gridId, chartId, chart }: PutChart, { charts }: DefinitionsById): ChartsDecision {
  const faults = validateChart(chart);
  if (faults.length > 0) return rejectInvalidChart(faults);
  if (charts.has(chartId)) return reject('conflict', 'There is a chart with this id already.');
  if (charts.size >= CHART_BOUNDS.chartsOfAGrid)
    return reject('conflict', `A Grid has at most ${CHART_BOUNDS.chartsOfAGrid} charts: delete one first.`);
  return [{ type: 'ChartCreated.v1', data: { actor, at, gridId, chart: toStoredChart(chartId, chart) } }];
}

function changeChart(
  { actor, at, gridId, chartId, chart, onlyIf }: PutChart,
  { charts }: DefinitionsById,
): ChartsDecision {
  const before = charts.get(chartId);
  if (before === undefined) return rejectUnknownChart();
  if (onlyIf?.(before) === false) return rejectChangedMeanwhile('chart');
  const faults = validateChart(chart);
  if (faults.length > 0) return rejectInvalidChart(faults);
  const changed = toStoredChart(chartId, chart);
  return isSameDefinition(changed, toStoredChart(chartId, before))
    ? NO_CHANGE
    : [{ type: 'ChartChanged.v1', data: { actor, at, gridId, chart: changed } }];
}

function deleteChart(
  { actor, at, gridId, chartId, onlyIf }: DeleteChart,
  { charts, dashboards }: DefinitionsById,
): ChartsDecision {
  const before = charts.get(chartId);
  if (before === undefined) return rejectUnknownChart();
  if (onlyIf?.(before) === false) return rejectChangedMeanwhile('chart');
  const showing = [...dashboards.values()].filter((dashboard) =>
    dashboard.charts.some((placed) => placed.chartId === chartId),
  );
  if (showing.length > 0)
    return reject(
      'conflict',
      `The chart is on ${formatDashboardTitles(showing.map(({ title }) => title))}: take it off there first.`,
    );
  return [{ type: 'ChartDeleted.v1', data: { actor, at, gridId, chartId } }];
}

function createDashboard(
  { actor, at, gridId, dashboardId, dashboard }: PutDashboard,
  known: DefinitionsById,
): ChartsDecision {
  const faults = validateDashboard(dashboard, (chartId) => known.charts.has(chartId));
  if (faults.length > 0) return rejectInvalidDashboard(faults);
  const { dashboards } = known;
  if (dashboards.has(dashboardId)) return reject('conflict', 'There is a dashboard with this id already.');
  if (dashboards.size >= CHART_BOUNDS.dashboardsOfAGrid)
    return reject('conflict', `A Grid has at most ${CHART_BOUNDS.dashboardsOfAGrid} dashboards: delete one first.`);
  return [
    { type: 'DashboardCreated.v1', data: { actor, at, gridId, dashboard: toStoredDashboard(dashboardId, dashboard) } },
  ];
}

function changeDashboard(
  { actor, at, gridId, dashboardId, dashboard, onlyIf }: PutDashboard,
  known: DefinitionsById,
): ChartsDecision {
  const before = known.dashboards.get(dashboardId);
  if (before === undefined) return rejectUnknownDashboard();
  if (onlyIf?.(toDashboardWithCharts(before, known)) === false) return rejectChangedMeanwhile('dashboard');
  const faults = validateDashboard(dashboard, (chartId) => known.charts.has(chartId));
  if (faults.length > 0) return rejectInvalidDashboard(faults);
  const changed = toStoredDashboard(dashboardId, dashboard);
  return isSameDefinition(changed, toStoredDashboard(dashboardId, before))
    ? NO_CHANGE
    : [{ type: 'DashboardChanged.v1', data: { actor, at, gridId, dashboard: changed } }];
}

function deleteDashboard(
  { actor, at, gridId, dashboardId, onlyIf }: DeleteDashboard,
  known: DefinitionsById,
): ChartsDecision {
  const before = known.dashboards.get(dashboardId);
  if (before === undefined) return rejectUnknownDashboard();
  if (onlyIf?.(toDashboardWithCharts(before, known)) === false) return rejectChangedMeanwhile('dashboard');
  return [{ type: 'DashboardDeleted.v1', data: { actor, at, gridId, dashboardId } }];
}

function formatDashboardTitles(titles: readonly string[]): string {
  const told = titles
    .slice(0, MAX_NAMED_DASHBOARDS)
    .map((title) => `"${title}"`)
    .join(', ');
  const rest = titles.length - MAX_NAMED_DASHBOARDS;
  return `${titles.length === 1 ? 'the dashboard' : 'the dashboards'} ${told}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function rejectInvalidChart(faults: readonly FieldError[]): Rejection {
  return reject('invalid-request', 'The chart has faults.', faults);
}

function rejectInvalidDashboard(faults: readonly FieldError[]): Rejection {
  return reject('invalid-request', 'The dashboard has faults.', faults);
}

function rejectUnknownChart(): Rejection {
  return reject('not-found', 'There is no such chart.');
}

function rejectUnknownDashboard(): Rejection {
  return reject('not-found', 'There is no such dashboard.');
}

function throwUnknownCommand(command: never): never {
  throw new Error(`no rule for command ${JSON.stringify(command)}`);
}
