import {
  type Chart,
  CHART_BOUNDS,
  type ChartQueryDefinition,
  type Dashboard,
  type NewChart,
  type NewDashboard,
} from '../../diagnostics/chart-model.js';
import type { StoredChart, StoredChartQuery, StoredDashboard } from '../../streams/events/chart-events.js';
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

/** Charts and dashboards of a Grid by id, including the default ones. */
export interface DefinitionsById {
  readonly charts: ReadonlyMap<string, Chart>;
  readonly dashboards: ReadonlyMap<string, Dashboard>;
}

/** Undefined before the Grid exists. */
export type ChartsState = DefinitionsById | undefined;

/** Mutable definitions during one fold: a thousand charts are not copied for every event. */
interface DefinitionsDraft extends DefinitionsById {
  readonly charts: Map<string, Chart>;
  readonly dashboards: Map<string, Dashboard>;
}

export const eventTypes: ReadonlySet<string> = new Set<ChartsEvent['type']>([
  'GridCreated.v1',
  'ChartCreated.v2',
  'ChartChanged.v2',
  'ChartDeleted.v1',
  'DashboardCreated.v2',
  'DashboardChanged.v2',
  'DashboardDeleted.v1',
]);

/** The dashboard with its charts; each placed chart exists. */
export function toDashboardWithCharts(dashboard: Dashboard, { charts }: DefinitionsById): DashboardWithCharts {
  return { dashboard, charts: dashboard.charts.map(({ chartId }) => charts.get(chartId)!) };
}

/** Folds the events into a new state; the given state is unchanged. */
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
    case 'ChartCreated.v2':
    case 'ChartChanged.v2':
      setChart(event.data.chart, event.data.at, charts);
      break;
    case 'ChartDeleted.v1':
      charts.delete(event.data.chartId);
      break;
    case 'DashboardCreated.v2':
    case 'DashboardChanged.v2':
      setDashboard(event.data.dashboard, event.data.at, dashboards);
      break;
    case 'DashboardDeleted.v1':
      dashboards.delete(event.data.dashboardId);
      break;
    default:
      throwUnknownEvent(event);
  }
}

/** Events only contain validated values of Chart. */
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
  throw new Error(`Unknown event ${JSON.stringify(event)}`);
}

/** Copies the stored members of a chart; drops any others that were sent. */
export function toStoredChart(
  id: string,
  { title, chartType, metric, serviceName, groupBy, aggregation, unit, query }: NewChart,
): StoredChart {
  const chart = { id, title, chartType, metric, serviceName, groupBy, aggregation, unit };
  return query === undefined ? chart : { ...chart, query: toStoredQuery(query) };
}

function toStoredQuery({ signal, where, groupBy, select, limit }: ChartQueryDefinition): StoredChartQuery {
  return {
    ...{ signal, where, limit },
    groupBy: [...groupBy],
    select: select.map(({ fn, field, as }) => ({ fn, field, as })),
  };
}

export function toStoredDashboard(
  id: string,
  { title, description, charts, variables = [] }: NewDashboard,
): StoredDashboard {
  const placements = charts.map(({ chartId, position: { row, col, width, height } }) => ({
    chartId,
    position: { row, col, width, height },
  }));
  return {
    ...{ id, title, description, charts: placements },
    ...(variables.length > 0 && { variables: [...variables] }),
  };
}

/**
 * Compares by JSON, as the log does (one zero). Both come from the functions above, so the order of members is equal.
 */
function isSameDefinition(a: StoredChart | StoredDashboard, b: StoredChart | StoredDashboard): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

type ChartsDecision = Decision<ChartsEvent>;
const NO_CHANGE: readonly ChartsEvent[] = [];

/** Number of dashboards named in a rejection; the rest is counted. */
const MAX_NAMED_DASHBOARDS = 5;

/**
 * Charts and dashboards of a Grid, in the stream of its other settings. One decider for both, so that no command can
 * delete a chart while another places it.
 */
export const chartsDecider: Decider<ChartCommand, ChartsState, ChartsEvent> = {
  eventTypes,
  initialState: undefined,
  decide,
  evolveAll,
  evolve: (state, event) => evolveAll(state, [event]),
};

function decide(command: ChartCommand, definitions: ChartsState): ChartsDecision {
  if (definitions === undefined) return reject('not-found', 'There is no such Grid.');
  switch (command.type) {
    case 'CreateChart':
      return createChart(command, definitions);
    case 'ChangeChart':
      return changeChart(command, definitions);
    case 'DeleteChart':
      return deleteChart(command, definitions);
    case 'CreateDashboard':
      return createDashboard(command, definitions);
    case 'ChangeDashboard':
      return changeDashboard(command, definitions);
    case 'DeleteDashboard':
      return deleteDashboard(command, definitions);
    default:
      return throwUnknownCommand(command);
  }
}

function createChart({ actor, at, gridId, chartId, chart }: PutChart, { charts }: DefinitionsById): ChartsDecision {
  const errors = validateChart(chart);
  if (errors.length > 0) return rejectInvalidChart(errors);
  if (charts.has(chartId)) return reject('conflict', 'A chart with this id already exists.');
  if (charts.size >= CHART_BOUNDS.chartsOfAGrid)
    return reject('conflict', `A Grid can have at most ${CHART_BOUNDS.chartsOfAGrid} charts: delete one first.`);
  return [{ type: 'ChartCreated.v2', data: { actor, at, gridId, chart: toStoredChart(chartId, chart) } }];
}

function changeChart(
  { actor, at, gridId, chartId, chart, onlyIf }: PutChart,
  { charts }: DefinitionsById,
): ChartsDecision {
  const before = charts.get(chartId);
  if (before === undefined) return rejectUnknownChart();
  if (onlyIf?.(before) === false) return rejectChangedMeanwhile('chart');
  const errors = validateChart(chart);
  if (errors.length > 0) return rejectInvalidChart(errors);
  const changed = toStoredChart(chartId, chart);
  return isSameDefinition(changed, toStoredChart(chartId, before))
    ? NO_CHANGE
    : [{ type: 'ChartChanged.v2', data: { actor, at, gridId, chart: changed } }];
}

function deleteChart(
  { actor, at, gridId, chartId, onlyIf }: DeleteChart,
  { charts, dashboards }: DefinitionsById,
): ChartsDecision {
  const before = charts.get(chartId);
  if (before === undefined) return rejectUnknownChart();
  if (onlyIf?.(before) === false) return rejectChangedMeanwhile('chart');
  const using = [...dashboards.values()].filter((dashboard) =>
    dashboard.charts.some((placements) => placements.chartId === chartId),
  );
  if (using.length > 0)
    return reject(
      'conflict',
      `The chart is on ${formatDashboardTitles(using.map(({ title }) => title))}: remove it from there first.`,
    );
  return [{ type: 'ChartDeleted.v1', data: { actor, at, gridId, chartId } }];
}

function createDashboard(
  { actor, at, gridId, dashboardId, dashboard }: PutDashboard,
  definitions: DefinitionsById,
): ChartsDecision {
  const errors = validateDashboard(dashboard, (chartId) => definitions.charts.has(chartId));
  if (errors.length > 0) return rejectInvalidDashboard(errors);
  const { dashboards } = definitions;
  if (dashboards.has(dashboardId)) return reject('conflict', 'A dashboard with this id already exists.');
  if (dashboards.size >= CHART_BOUNDS.dashboardsOfAGrid)
    return reject(
      'conflict',
      `A Grid can have at most ${CHART_BOUNDS.dashboardsOfAGrid} dashboards: delete one first.`,
    );
  return [
    { type: 'DashboardCreated.v2', data: { actor, at, gridId, dashboard: toStoredDashboard(dashboardId, dashboard) } },
  ];
}

function changeDashboard(
  { actor, at, gridId, dashboardId, dashboard, onlyIf }: PutDashboard,
  definitions: DefinitionsById,
): ChartsDecision {
  const before = definitions.dashboards.get(dashboardId);
  if (before === undefined) return rejectUnknownDashboard();
  if (onlyIf?.(toDashboardWithCharts(before, definitions)) === false) return rejectChangedMeanwhile('dashboard');
  const errors = validateDashboard(dashboard, (chartId) => definitions.charts.has(chartId));
  if (errors.length > 0) return rejectInvalidDashboard(errors);
  const changed = toStoredDashboard(dashboardId, dashboard);
  return isSameDefinition(changed, toStoredDashboard(dashboardId, before))
    ? NO_CHANGE
    : [{ type: 'DashboardChanged.v2', data: { actor, at, gridId, dashboard: changed } }];
}

function deleteDashboard(
  { actor, at, gridId, dashboardId, onlyIf }: DeleteDashboard,
  definitions: DefinitionsById,
): ChartsDecision {
  const before = definitions.dashboards.get(dashboardId);
  if (before === undefined) return rejectUnknownDashboard();
  if (onlyIf?.(toDashboardWithCharts(before, definitions)) === false) return rejectChangedMeanwhile('dashboard');
  return [{ type: 'DashboardDeleted.v1', data: { actor, at, gridId, dashboardId } }];
}

function formatDashboardTitles(titles: readonly string[]): string {
  const named = titles
    .slice(0, MAX_NAMED_DASHBOARDS)
    .map((title) => `"${title}"`)
    .join(', ');
  const rest = titles.length - MAX_NAMED_DASHBOARDS;
  return `${titles.length === 1 ? 'the dashboard' : 'the dashboards'} ${named}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function rejectInvalidChart(errors: readonly FieldError[]): Rejection {
  return reject('invalid-request', 'The chart is invalid.', errors);
}

function rejectInvalidDashboard(errors: readonly FieldError[]): Rejection {
  return reject('invalid-request', 'The dashboard is invalid.', errors);
}

function rejectUnknownChart(): Rejection {
  return reject('not-found', 'There is no such chart.');
}

function rejectUnknownDashboard(): Rejection {
  return reject('not-found', 'There is no such dashboard.');
}

function throwUnknownCommand(command: never): never {
  throw new Error(`Unknown command ${JSON.stringify(command)}`);
}
