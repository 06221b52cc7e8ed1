import { PresentedList } from '../presented-list.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { presentDashboard } from './presented-charts.js';
import { uuidAsKept } from './questions.js';

const shared = { tag: 'Dashboards', method: 'GET', grid: 'path', roles: EVERY_ROLE } as const;
const DASHBOARDS = '/apm/dashboards/{gridSecondaryId}/dashboards';

export const dashboardRoutes: readonly Route[] = [
  route({
    ...shared,
    path: DASHBOARDS,
    operationId: 'listDashboards',
    summary: 'List the dashboards of a Grid and those of its services',
    run: ({ charts }, { params }) => charts.dashboards(params.gridSecondaryId),
    present: (dashboards) => ({ dashboards: new PresentedList(dashboards, (each) => ({ ...presentDashboard(each), builtIn: each.builtIn })) }),
  }),
  route({
    ...shared,
    path: `${DASHBOARDS}/{dashboardSecondaryId}`,
    operationId: 'getDashboard',
    summary: 'Read which charts a dashboard shows, and where',
    missing: 'No dashboard of this id is known in the Grid.',
    run: ({ charts }, { params }) => charts.dashboard(params.gridSecondaryId, uuidAsKept(params.dashboardSecondaryId)),
    present: presentDashboard,
  }),
];
