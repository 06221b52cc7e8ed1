import { waitUntilVisible } from '../../commands/read-your-writes.js';
import type { NotificationRouteDocument } from '../../read-models/documents/notification-documents.js';
import type { StoredNotificationRoute } from '../../streams/events/notification-events.js';
import { NotificationRouteModel } from '../requests/notification-requests.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import { defineRoute, type Route } from '../route.js';
import { NotificationRoute, NotificationRoutes } from '../schemas/notification-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import type { ApiPorts } from '../api-call.js';
import { DEFINITION_ROUTE, toPrecondition } from './definition-changes.js';
import { formatTimestamp } from './value-conversions.js';

const ROUTE_ROUTE = { ...DEFINITION_ROUTE, tag: 'Notifications' } as const;
const ROUTES_PATH = '/admin/grids/{gridSecondaryId}/routes';
const ROUTE_PATH = `${ROUTES_PATH}/{routeId}` as const;
const ROUTE_NOT_FOUND = 'The Grid has no notification route with this id.';

export const notificationRouteRoutes: readonly Route[] = [
  defineRoute({
    ...ROUTE_ROUTE,
    method: 'GET',
    path: ROUTES_PATH,
    operationId: 'listNotificationRoutes',
    summary: 'List the notification routes of a Grid',
    run: ({ notifications }, { params }) => notifications.notificationRoutes(params.gridSecondaryId),
    responseSchema: NotificationRoutes,
    present: (routes) => ({ routes: routes.map(presentRoute) }),
  }),
  defineRoute({
    ...ROUTE_ROUTE,
    method: 'POST',
    path: ROUTES_PATH,
    tagged: true,
    operationId: 'createNotificationRoute',
    summary: 'Create a notification route',
    description: 'It sends alerts that fire from now on.',
    status: 201,
    body: NotificationRouteModel,
    refusals: ['conflict', 'not-found'],
    async run({ notificationCommands: commands }, { principal, params: { gridSecondaryId: gridId }, body }) {
      const { route, createdAt } = await waitUntilVisible(
        commands,
        commands.createRoute(principal.id, gridId, { ...body }),
      );
      return { ...route, createdAt, createdBy: principal.id };
    },
    responseSchema: NotificationRoute,
    present: presentRoute,
  }),
  defineRoute({
    ...ROUTE_ROUTE,
    method: 'GET',
    path: ROUTE_PATH,
    tagged: true,
    operationId: 'getNotificationRoute',
    summary: 'Read a notification route',
    missing: ROUTE_NOT_FOUND,
    run: (ports, { params: { gridSecondaryId, routeId } }) => findRoute(ports, gridSecondaryId, routeId),
    responseSchema: NotificationRoute,
    present: presentRoute,
  }),
  defineRoute({
    ...ROUTE_ROUTE,
    method: 'PUT',
    path: ROUTE_PATH,
    tagged: true,
    operationId: 'replaceNotificationRoute',
    summary: 'Replace a notification route',
    body: NotificationRouteModel,
    missing: ROUTE_NOT_FOUND,
    refusals: ['conflict', 'not-found'],
    async run(ports, { principal, params: { gridSecondaryId: gridId, routeId: id }, body, condition }) {
      const before = await findRoute(ports, gridId, id);
      if (before === undefined) return undefined;
      const { notificationCommands: commands } = ports;
      const onlyIf = toPrecondition(condition, createPresenter(before));
      const change = commands.changeRoute(principal.id, gridId, { ...body, id }, onlyIf);
      return { ...before, ...(await waitUntilVisible(commands, change)).route };
    },
    responseSchema: NotificationRoute,
    present: presentRoute,
  }),
  defineRoute({
    ...ROUTE_ROUTE,
    method: 'DELETE',
    path: ROUTE_PATH,
    tagged: true,
    operationId: 'deleteNotificationRoute',
    summary: 'Delete a notification route',
    status: 204,
    missing: ROUTE_NOT_FOUND,
    refusals: ['conflict', 'not-found'],
    async run(ports, { principal, params: { gridSecondaryId: gridId, routeId }, condition }) {
      const before = await findRoute(ports, gridId, routeId);
      if (before === undefined) return undefined;
      const { notificationCommands: commands } = ports;
      const onlyIf = toPrecondition(condition, createPresenter(before));
      return waitUntilVisible(commands, commands.remove(principal.id, gridId, 'route', routeId, onlyIf));
    },
    present: () => new EMPTY_REQUEST(),
  }),
];

async function findRoute({ notifications }: ApiPorts, gridId: string, routeId: string) {
  return (await notifications.notificationRoutes(gridId)).find(({ id }) => id === routeId);
}

/** Presents another state of the same route. */
function createPresenter(before: NotificationRouteDocument) {
  return (route: StoredNotificationRoute): object => presentRoute({ ...before, ...route });
}

/** Commands validate labels and operators before they reach the log. */
function presentRoute(route: Omit<NotificationRouteDocument, 'gridId'>): ResponseBody<typeof NotificationRoute> {
  const { id, name, matchers, channelIds, groupBy, escalateTo, sendResolved, enabled, createdAt, createdBy } = route;
  const { groupWaitSeconds, groupIntervalSeconds, repeatIntervalSeconds, escalateAfterMinutes } = route;
  return {
    id,
    name,
    matchers,
    channelIds,
    groupBy,
    groupWaitSeconds,
    groupIntervalSeconds,
    repeatIntervalSeconds,
    sendResolved,
    escalateAfterMinutes,
    escalateTo,
    enabled,
    createdAt: formatTimestamp(createdAt),
    createdBy,
  } as ResponseBody<typeof NotificationRoute>;
}
