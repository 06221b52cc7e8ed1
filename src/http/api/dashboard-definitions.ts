import type { DashboardWithCharts } from '../../commands/charts/commands.js';
import { PresentedList } from '../presented-list.js';
import { DashboardModel, dashboardOf } from '../requests/chart.js';
import { NOTHING } from '../requests/parse.js';
import { route, type Route } from '../route.js';
import { Dashboard, DashboardDefinitionList } from '../schemas/charts.js';
import type { Shown } from '../schemas/terms.js';
import { changed, DEFINITIONS, onlyIf } from './definitions.js';
import { presentDashboard } from './presented-charts.js';
import { uuidAsKept } from './questions.js';

const DASHBOARDS = '/admin/grids/{gridSecondaryId}/dashboards';
const DASHBOARD = `${DASHBOARDS}/{dashboardId}` as const;
const shared = { ...DEFINITIONS, tag: 'Dashboard definitions' } as const;

export const dashboardDefinitionRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: DASHBOARDS,
    operationId: 'listDashboardDefinitions',
    summary: 'List the dashboards of a Grid that can be changed',
    run: async ({ charts }, { params }) => (await charts.dashboards(params.gridSecondaryId)).filter(({ builtIn }) => !builtIn),
    answer: DashboardDefinitionList,
    present: (dashboards) => ({ dashboards: new PresentedList(dashboards, presentDashboard) }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: DASHBOARDS,
    tagged: true,
    operationId: 'createDashboard',
    summary: 'Create a dashboard',
    status: 201,
    body: DashboardModel,
    refusals: ['conflict', 'not-found'],
    run: ({ chartCommands }, { principal, params, body }) =>
      changed(chartCommands, chartCommands.createDashboard(principal.id, params.gridSecondaryId, dashboardOf(body))),
    answer: Dashboard,
    present: presentWithCharts,
  }),
  route({
    ...shared,
    method: 'GET',
    path: DASHBOARD,
    tagged: true,
    operationId: 'getDashboardDefinition',
    summary: 'Read the definition of a dashboard',
    missing: 'No dashboard of this id is known in the Grid.',
    run: ({ charts }, { params }) => charts.dashboard(params.gridSecondaryId, uuidAsKept(params.dashboardId)),
    answer: Dashboard,
    present: presentDashboard,
  }),
  route({
    ...shared,
    method: 'PUT',
    path: DASHBOARD,
    tagged: true,
    operationId: 'replaceDashboard',
    summary: 'Replace the definition of a dashboard',
    body: DashboardModel,
    refusals: ['conflict', 'not-found'],
    run({ charts, chartCommands }, { principal, params, body, condition }) {
      const [gridId, dashboardId] = [params.gridSecondaryId, uuidAsKept(params.dashboardId)];
      const changing = chartCommands.changeDashboard(principal.id, gridId, dashboardId, dashboardOf(body), onlyIf(condition, presentWithCharts));
      return changed(chartCommands, changing, () => charts.dashboard(gridId, dashboardId));
    },
    answer: Dashboard,
    present: presentWithCharts,
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: DASHBOARD,
    tagged: true,
    operationId: 'deleteDashboard',
    summary: 'Delete a dashboard; its charts stay',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run({ charts, chartCommands }, { principal, params, condition }) {
      const [gridId, dashboardId] = [params.gridSecondaryId, uuidAsKept(params.dashboardId)];
      return changed(chartCommands, chartCommands.removeDashboard(principal.id, gridId, dashboardId, onlyIf(condition, presentWithCharts)), () => charts.dashboard(gridId, dashboardId));
    },
    present: () => new NOTHING(),
  }),
];

/** The record is what the log has, whether or not read models show it in time. */
function presentWithCharts({ dashboard, charts }: DashboardWithCharts): Shown<typeof Dashboard> {
  const placed = dashboard.charts.map((each, at) => ({ ...each, title: charts[at].title, chartType: charts[at].chartType }));
  return presentDashboard({ ...dashboard, charts: placed });
}
