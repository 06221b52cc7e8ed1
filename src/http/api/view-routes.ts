import { waitUntilVisible } from '../../commands/read-your-writes.js';
import type { NewView } from '../../commands/views/view-decider.js';
import { completeDefinition } from '../../queries/query/query-compiler.js';
import type { AggregateFunction, QuerySignal } from '../../queries/query/query-model.js';
import type { SavedView } from '../../queries/views/view-queries.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import { ViewModel } from '../requests/query-requests.js';
import { StreamedList } from '../responses/send-response.js';
import { EVERY_ROLE, defineRoute, type Route } from '../route.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { SavedViewBody, SavedViewList } from '../schemas/view-schemas.js';
import { DEFINITION_ROUTE, toPrecondition } from './definition-changes.js';
import { formatTimestamp, normalizeUuid } from './value-conversions.js';

const VIEWS_PATH = '/admin/grids/{gridSecondaryId}/views';
const VIEW_PATH = `${VIEWS_PATH}/{viewId}` as const;
const VIEW_ROUTE = { ...DEFINITION_ROUTE, tag: 'Saved views' } as const;
/** Whoever may ask a query may open one that others saved. */
const VIEW_READING_ROUTE = { ...VIEW_ROUTE, roles: EVERY_ROLE } as const;

export const viewRoutes: readonly Route[] = [
  defineRoute({
    ...VIEW_READING_ROUTE,
    method: 'GET',
    path: VIEWS_PATH,
    operationId: 'listViews',
    summary: 'List the saved views of a Grid',
    run: ({ views }, { params }) => views.savedViews(params.gridSecondaryId),
    responseSchema: SavedViewList,
    present: (views) => ({ views: new StreamedList(views, presentView) }),
  }),
  defineRoute({
    ...VIEW_ROUTE,
    method: 'POST',
    path: VIEWS_PATH,
    tagged: true,
    operationId: 'createView',
    summary: 'Save a query as a view',
    status: 201,
    body: ViewModel,
    refusals: ['conflict', 'not-found'],
    run: ({ viewCommands }, { principal, params, body }) =>
      waitUntilVisible(viewCommands, viewCommands.createView(principal.id, params.gridSecondaryId, toNewView(body))),
    responseSchema: SavedViewBody,
    present: ({ view }) => presentView(view),
  }),
  defineRoute({
    ...VIEW_READING_ROUTE,
    method: 'GET',
    path: VIEW_PATH,
    tagged: true,
    operationId: 'getView',
    summary: 'Read a saved view',
    missing: 'The Grid has no view with this id.',
    run: ({ views }, { params }) => views.savedView(params.gridSecondaryId, normalizeUuid(params.viewId)),
    responseSchema: SavedViewBody,
    present: presentView,
  }),
  defineRoute({
    ...VIEW_ROUTE,
    method: 'PUT',
    path: VIEW_PATH,
    tagged: true,
    operationId: 'replaceView',
    summary: 'Replace a saved view',
    body: ViewModel,
    refusals: ['conflict', 'not-found'],
    run({ viewCommands }, { principal, params, body, condition }) {
      const [gridId, viewId] = [params.gridSecondaryId, normalizeUuid(params.viewId)];
      const onlyIf = toPrecondition(condition, presentView);
      return waitUntilVisible(
        viewCommands,
        viewCommands.changeView(principal.id, gridId, viewId, toNewView(body), onlyIf),
      );
    },
    responseSchema: SavedViewBody,
    present: ({ view }) => presentView(view),
  }),
  defineRoute({
    ...VIEW_ROUTE,
    method: 'DELETE',
    path: VIEW_PATH,
    tagged: true,
    operationId: 'deleteView',
    summary: 'Delete a saved view',
    status: 204,
    refusals: ['conflict', 'not-found'],
    run({ viewCommands }, { principal, params, condition }) {
      const [gridId, viewId] = [params.gridSecondaryId, normalizeUuid(params.viewId)];
      const onlyIf = toPrecondition(condition, presentView);
      return waitUntilVisible(viewCommands, viewCommands.removeView(principal.id, gridId, viewId, onlyIf));
    },
    present: () => new EMPTY_REQUEST(),
  }),
];

function toNewView(model: ViewModel): NewView {
  const { name, description } = model;
  return { name, description, ...completeDefinition(model) };
}

/** Commands took only what is valid. */
function presentView(view: SavedView): ResponseBody<typeof SavedViewBody> {
  const { id, name, description, signal, where, groupBy, select, stepSeconds, orderBy, limit } = view;
  return {
    ...{ id, name, description, signal: signal as QuerySignal, where, groupBy },
    select: select.map(({ fn, field, as }) => ({
      fn: fn as AggregateFunction,
      ...(field !== '' && { field }),
      ...(as !== '' && { as }),
    })),
    ...(stepSeconds > 0 && { stepSeconds }),
    orderBy,
    ...(limit > 0 && { limit }),
    createdAt: formatTimestamp(view.createdAt),
    updatedAt: formatTimestamp(view.updatedAt),
  };
}
