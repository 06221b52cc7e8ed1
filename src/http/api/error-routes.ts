import { waitUntilVisible } from '../../commands/read-your-writes.js';
import { HindsightError } from '../../errors.js';
import type { ErrorSelection } from '../../queries/errors/error-group-query-types.js';
import { validateWindow } from '../requests/diagnostics-requests.js';
import { ErrorListModel, ErrorResolutionModel, ErrorSelectionModel, toErrorPage } from '../requests/error-requests.js';
import { defineRoute, EVERY_ROLE, type Role, type Route } from '../route.js';
import {
  ErrorGroupDetail as ErrorGroupDetailSchema,
  ErrorGroupReceipt,
  ErrorGroups,
} from '../schemas/error-schemas.js';
import { runCancellable } from './cancellable-query.js';
import { presentErrorGroupDetail, presentErrorGroups } from './error-presenters.js';
import { resolveRange } from './query-routes.js';

const ERRORS_PATH = '/apm/errors/{gridSecondaryId}';
const US_PER_MS = 1_000;
/** Whoever is on call, which need not be an administrator. */
const ON_CALL: readonly Role[] = ['User', 'Member', 'Owner'];
const ACTION = {
  tag: 'Errors',
  grid: 'path',
  roles: ON_CALL,
  method: 'POST',
  responseSchema: ErrorGroupReceipt,
  present: ({ groupId }: { readonly groupId: string }) => ({ groupId }),
} as const;
const READING = {
  tag: 'Errors',
  grid: 'path',
  roles: EVERY_ROLE,
  method: 'GET',
  refusals: ['invalid-request', 'overloaded'],
} as const;

export const errorRoutes: readonly Route[] = [
  defineRoute({
    ...READING,
    path: ERRORS_PATH,
    operationId: 'listErrorGroups',
    summary: 'List error groups',
    description:
      'Exceptions of span events and log records in the range, in groups of the same type, message pattern and top frames. One that a span event and log records of its span report counts once. See docs/errors.md.',
    query: ErrorListModel,
    validate: validateWindow,
    async run({ telemetry }, { params, query, nowMs, signal }) {
      const page = toErrorPage(query);
      const selection = toSelection(params.gridSecondaryId, query, nowMs);
      const found = await runCancellable(telemetry, signal, (queryId) =>
        telemetry.findErrorGroups({ ...selection, ...page }, queryId),
      );
      return { ...found, ...page };
    },
    responseSchema: ErrorGroups,
    present: presentErrorGroups,
  }),
  defineRoute({
    ...READING,
    path: `${ERRORS_PATH}/{groupId}`,
    operationId: 'getErrorGroup',
    summary: 'Read an error group with its counts over time',
    missing: 'The Grid has no exception of this group in the range.',
    query: ErrorSelectionModel,
    validate: validateWindow,
    run: ({ telemetry }, { params: { gridSecondaryId, groupId }, query, nowMs, signal }) => {
      const selection = toSelection(gridSecondaryId, query, nowMs);
      return runCancellable(telemetry, signal, (queryId) =>
        telemetry.readErrorGroup({ ...selection, groupId: groupId.toLowerCase() }, queryId),
      );
    },
    responseSchema: ErrorGroupDetailSchema,
    present: presentErrorGroupDetail,
  }),
  defineRoute({
    ...ACTION,
    path: `${ERRORS_PATH}/{groupId}/resolve`,
    operationId: 'resolveErrorGroup',
    summary: 'Resolve an error group',
    description:
      'Its next exception reopens it; with `serviceVersion`, only one of that version, or of a version that has not reported it so far.',
    body: ErrorResolutionModel,
    refusals: ['conflict', 'not-found', 'overloaded'],
    async run({ telemetry, errorGroupCommands: commands }, { principal, params, body, nowMs, signal }) {
      const { gridId, groupId } = toGroup(params);
      const fixedIn = body.serviceVersion ?? '';
      const sought = { gridId, groupId, nowUs: nowMs * US_PER_MS, stopAtFirst: fixedIn === '' };
      const known = await runCancellable(telemetry, signal, (queryId) => telemetry.lookUpErrorGroup(sought, queryId));
      if (known === undefined) throw new HindsightError('not-found', 'The Grid has no exception of this group.');
      const resolution = { fixedIn, knownVersions: known.versions, isResolved: known.isResolved };
      await waitUntilVisible(commands, commands.resolveErrorGroup(principal.id, gridId, groupId, resolution));
      return { groupId };
    },
  }),
  defineRoute({
    ...ACTION,
    path: `${ERRORS_PATH}/{groupId}/reopen`,
    operationId: 'reopenErrorGroup',
    summary: 'Reopen an error group',
    refusals: ['not-found'],
    async run({ errorGroupCommands: commands }, { principal, params }) {
      const { gridId, groupId } = toGroup(params);
      await waitUntilVisible(commands, commands.reopenErrorGroup(principal.id, gridId, groupId));
      return { groupId };
    },
  }),
];

/** Ids are lower-case hex. */
function toGroup({ gridSecondaryId, groupId }: { readonly gridSecondaryId: string; readonly groupId: string }) {
  return { gridId: gridSecondaryId, groupId: groupId.toLowerCase() };
}

function toSelection(gridId: string, query: ErrorSelectionModel, nowMs: number): ErrorSelection {
  const { serviceName } = query;
  return { gridId, range: resolveRange(query, nowMs), ...(serviceName !== undefined && { serviceName }) };
}
