import { DRAWING_VERSION, type BoardLook } from '../../charts/look.js';
import type { DashboardPicture } from '../../queries/charts/questions.js';
import { entityTagOf } from '../entity-tag.js';
import { PictureAnswer } from '../picture-answer.js';
import { PresentedList } from '../presented-list.js';
import { boardLookOf, DashboardPictureModel } from '../requests/chart-picture.js';
import { chartRangeFaults, chartWhenOf } from '../requests/chart-range.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { Dashboard, DashboardList } from '../schemas/charts.js';
import { presentDashboard, shownFrame } from './presented-charts.js';
import { uuidAsKept } from './questions.js';

const shared = { tag: 'Dashboards', method: 'GET', grid: 'path', roles: EVERY_ROLE } as const;
const DASHBOARDS = '/apm/dashboards/{gridSecondaryId}/dashboards';
const ofDashboard = { ...shared, missing: 'No dashboard of this id is known in the Grid.' } as const;

export const dashboardRoutes: readonly Route[] = [
  route({
    ...shared,
    path: DASHBOARDS,
    operationId: 'listDashboards',
    summary: 'List the dashboards of a Grid and those of its services',
    run: ({ charts }, { params }) => charts.dashboards(params.gridSecondaryId),
    answer: DashboardList,
    present: (dashboards) => ({ dashboards: new PresentedList(dashboards, (each) => ({ ...presentDashboard(each), builtIn: each.builtIn })) }),
  }),
  route({
    ...ofDashboard,
    path: `${DASHBOARDS}/{dashboardSecondaryId}`,
    operationId: 'getDashboard',
    summary: 'Read which charts a dashboard shows, and where',
    run: ({ charts }, { params }) => charts.dashboard(params.gridSecondaryId, uuidAsKept(params.dashboardSecondaryId)),
    answer: Dashboard,
    present: presentDashboard,
  }),
  route({
    ...ofDashboard,
    path: `${DASHBOARDS}/{dashboardId}/render`,
    operationId: 'renderDashboard',
    summary: 'Draw a dashboard with all of its charts',
    query: DashboardPictureModel,
    faults: chartRangeFaults,
    mediaType: 'image/png',
    async run({ charts, renderer }, { params, query }) {
      const picture = await charts.dashboardPicture(params.gridSecondaryId, uuidAsKept(params.dashboardId), chartWhenOf(query));
      const look = boardLookOf(query);
      return picture && { picture, look, draw: () => renderer.renderDashboard(picture, look) };
    },
    present: ({ picture, look, draw }) =>
      new PictureAnswer({ entityTag: entityTagOf(shown(picture, look)), isClosed: picture.closed, fileName: 'dashboard.png', draw }),
  }),
];

/** Everything that the bytes of a picture depend on: not when it was asked for. */
function shown({ title, frame, charts }: DashboardPicture, look: BoardLook): object {
  return { drawing: DRAWING_VERSION, title, frame: shownFrame(frame), charts: charts.map(({ position, digest }) => ({ position, digest })), look };
}
