import type { Chart } from '../../diagnostics/chart-model.js';
import { StreamedList } from '../responses/send-response.js';
import { ChartModel, DashboardModel, toNewChart, toNewDashboard } from '../requests/chart-definition-requests.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import { defineRoute, type Route } from '../route.js';
import { ChartDefinition, ChartDefinitionList, Dashboard, DashboardDefinitionList } from '../schemas/chart-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { DEFINITION_ROUTE, toPrecondition, waitUntilChangeVisible } from './definition-changes.js';
import { presentChart, presentDashboard } from './chart-presenters.js';
import { normalizeUuid } from './value-conversions.js';
import type { DashboardWithCharts } from '../../commands/charts/chart-command-types.js';

const CHART_DEFINITIONS_PATH = '/admin/grids/{gridSecondaryId}/charts';
const CHART_DEFINITION_PATH = `${CHART_DEFINITIONS_PATH}/{chartId}` as const;
const CHART_DEFINITION_ROUTE = { ...DEFINITION_ROUTE, tag: 'Chart definitions' } as const;

export const chartDefinitionRoutes: readonly Route[] = [
  defineRoute({
    ...CHART_DEFINITION_ROUTE,
    method: 'GET',
    path: CHART_DEFINITIONS_PATH,
    operationId: 'listChartDefinitions',
    summary: 'List the charts of a Grid that can be edited',
    run: async ({ charts }, { params }) =>
      (await charts.charts(params.gridSecondaryId)).filter(({ builtIn }) => !builtIn),
    responseSchema: ChartDefinitionList,
    present: (charts) => ({ charts: new StreamedList(charts, presentChartDefinition) }),
  }),
  defineRoute({
    ...CHART_DEFINITION_ROUTE,
    method: 'POST',
    path: CHART_DEFINITIONS_PATH,
    tagged: true,
    operationId: 'createChart',
    summary: 'Create a chart',
    status: 201,
    body: ChartModel,
    refusals: ['conflict', 'not-found'],
    run: ({ chartCommands }, { principal, params, body }) =>
      waitUntilChangeVisible(
        chartCommands,
        chartCommands.createChart(principal.id, params.gridSecondaryId, toNewChart(body)),
      ),
    responseSchema: ChartDefinition,
    present: ({ chart }) => presentChartDefinition(chart),
  }),
  defineRoute({
    ...CHART_DEFINITION_ROUTE,
    method: 'GET',
    path: CHART_DEFINITION_PATH,
    tagged: true,
    operationId: 'getChartDefinition',
    summary: 'Read the definition of a chart',
    missing: 'The Grid has no chart with this id.',
    run: ({ charts }, { params }) => charts.chart(params.gridSecondaryId, normalizeUuid(params.chartId)),
    responseSchema: ChartDefinition,
    present: presentChartDefinition,
  }),
  defineRoute({
    ...CHART_DEFINITION_ROUTE,
    method: 'PUT',
    path: CHART_DEFINITION_PATH,
    tagged: true,
    operationId: 'replaceChart',
    summary: 'Replace the definition of a chart',
    body: ChartModel,
    refusals: ['conflict', 'not-found'],
    run({ charts, chartCommands }, { principal, params, body, condition }) {
      const [gridId, chartId] = [params.gridSecondaryId, normalizeUuid(params.chartId)];
      const changing = chartCommands.changeChart(
        principal.id,
        gridId,
        chartId,
        toNewChart(body),
        toPrecondition(condition, presentChartDefinition),
      );
      return waitUntilChangeVisible(chartCommands, changing, () => charts.chart(gridId, chartId));
    },
    responseSchema: ChartDefinition,
    present: ({ chart }) => presentChartDefinition(chart),
  }),
  defineRoute({
    ...CHART_DEFINITION_ROUTE,
    method: 'DELETE',
    path: CHART_DEFINITION_PATH,
    tagged: true,
    operationId: 'deleteChart',
    summary: 'Delete a chart that is not on a dashboard',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run({ charts, chartCommands }, { principal, params, condition }) {
      const [gridId, chartId] = [params.gridSecondaryId, normalizeUuid(params.chartId)];
      return waitUntilChangeVisible(
        chartCommands,
        chartCommands.removeChart(principal.id, gridId, chartId, toPrecondition(condition, presentChartDefinition)),
        () => charts.chart(gridId, chartId),
      );
    },
    present: () => new EMPTY_REQUEST(),
  }),
];

/** The chart as in `presentChart`, with the fields of its definition; the unit is the one in the definition. */
function presentChartDefinition(chart: Chart): ResponseBody<typeof ChartDefinition> {
  const { unit, groupBy, aggregation } = chart;
  return { ...presentChart(chart), unit, groupBy, aggregation };
}

const DASHBOARD_DEFINITIONS_PATH = '/admin/grids/{gridSecondaryId}/dashboards';
const DASHBOARD_DEFINITION_PATH = `${DASHBOARD_DEFINITIONS_PATH}/{dashboardId}` as const;
const DASHBOARD_DEFINITION_ROUTE = { ...DEFINITION_ROUTE, tag: 'Dashboard definitions' } as const;

export const dashboardDefinitionRoutes: readonly Route[] = [
  defineRoute({
    ...DASHBOARD_DEFINITION_ROUTE,
    method: 'GET',
    path: DASHBOARD_DEFINITIONS_PATH,
    operationId: 'listDashboardDefinitions',
    summary: 'List the dashboards of a Grid that can be edited',
    run: async ({ charts }, { params }) =>
      (await charts.dashboards(params.gridSecondaryId)).filter(({ builtIn }) => !builtIn),
    responseSchema: DashboardDefinitionList,
    present: (dashboards) => ({ dashboards: new StreamedList(dashboards, presentDashboard) }),
  }),
  defineRoute({
    ...DASHBOARD_DEFINITION_ROUTE,
    method: 'POST',
    path: DASHBOARD_DEFINITIONS_PATH,
    tagged: true,
    operationId: 'createDashboard',
    summary: 'Create a dashboard',
    status: 201,
    body: DashboardModel,
    refusals: ['conflict', 'not-found'],
    run: ({ chartCommands }, { principal, params, body }) =>
      waitUntilChangeVisible(
        chartCommands,
        chartCommands.createDashboard(principal.id, params.gridSecondaryId, toNewDashboard(body)),
      ),
    responseSchema: Dashboard,
    present: presentDashboardWithCharts,
  }),
  defineRoute({
    ...DASHBOARD_DEFINITION_ROUTE,
    method: 'GET',
    path: DASHBOARD_DEFINITION_PATH,
    tagged: true,
    operationId: 'getDashboardDefinition',
    summary: 'Read the definition of a dashboard',
    missing: 'The Grid has no dashboard with this id.',
    run: ({ charts }, { params }) => charts.dashboard(params.gridSecondaryId, normalizeUuid(params.dashboardId)),
    responseSchema: Dashboard,
    present: presentDashboard,
  }),
  defineRoute({
    ...DASHBOARD_DEFINITION_ROUTE,
    method: 'PUT',
    path: DASHBOARD_DEFINITION_PATH,
    tagged: true,
    operationId: 'replaceDashboard',
    summary: 'Replace the definition of a dashboard',
    body: DashboardModel,
    refusals: ['conflict', 'not-found'],
    run({ charts, chartCommands }, { principal, params, body, condition }) {
      const [gridId, dashboardId] = [params.gridSecondaryId, normalizeUuid(params.dashboardId)];
      const changing = chartCommands.changeDashboard(
        principal.id,
        gridId,
        dashboardId,
        toNewDashboard(body),
        toPrecondition(condition, presentDashboardWithCharts),
      );
      return waitUntilChangeVisible(chartCommands, changing, () => charts.dashboard(gridId, dashboardId));
    },
    responseSchema: Dashboard,
    present: presentDashboardWithCharts,
  }),
  defineRoute({
    ...DASHBOARD_DEFINITION_ROUTE,
    method: 'DELETE',
    path: DASHBOARD_DEFINITION_PATH,
    tagged: true,
    operationId: 'deleteDashboard',
    summary: 'Delete a dashboard, but not its charts',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run({ charts, chartCommands }, { principal, params, condition }) {
      const [gridId, dashboardId] = [params.gridSecondaryId, normalizeUuid(params.dashboardId)];
      return waitUntilChangeVisible(
        chartCommands,
        chartCommands.removeDashboard(
          principal.id,
          gridId,
          dashboardId,
          toPrecondition(condition, presentDashboardWithCharts),
        ),
        () => charts.dashboard(gridId, dashboardId),
      );
    },
    present: () => new EMPTY_REQUEST(),
  }),
];

/** Built from the result of the command, not from the read models, which may lag behind. */
function presentDashboardWithCharts({ dashboard, charts }: DashboardWithCharts): ResponseBody<typeof Dashboard> {
  const placed = dashboard.charts.map((each, at) => ({
    ...each,
    title: charts[at].title,
    chartType: charts[at].chartType,
  }));
  return presentDashboard({ ...dashboard, charts: placed });
}
