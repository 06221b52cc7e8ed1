import { waitUntilVisible } from '../../commands/read-your-writes.js';
import type { SilenceDocument } from '../../read-models/documents/notification-documents.js';
import type { StoredSilence } from '../../streams/events/notification-events.js';
import type { ApiPorts } from '../api-call.js';
import { SilenceModel } from '../requests/notification-requests.js';
import { EMPTY_REQUEST } from '../requests/request-parser.js';
import { defineRoute, type Role, type Route } from '../route.js';
import { Acknowledgement, Silence, Silences } from '../schemas/notification-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { DEFINITION_ROUTE, toPrecondition } from './definition-changes.js';
import { formatTimestamp } from './value-conversions.js';

const SILENCE_ROUTE = { ...DEFINITION_ROUTE, tag: 'Notifications' } as const;
const SILENCES_PATH = '/admin/grids/{gridSecondaryId}/silences';
const SILENCE_PATH = `${SILENCES_PATH}/{silenceId}` as const;
const SILENCE_NOT_FOUND = 'The Grid has no silence with this id.';
/** Whoever is on call, which need not be an administrator. */
const ON_CALL: readonly Role[] = ['User', 'Member', 'Owner'];

export const silenceRoutes: readonly Route[] = [
  defineRoute({
    ...SILENCE_ROUTE,
    method: 'GET',
    path: SILENCES_PATH,
    operationId: 'listSilences',
    summary: 'List silences and maintenance windows',
    run: ({ notifications }, { params }) => notifications.silences(params.gridSecondaryId),
    responseSchema: Silences,
    present: (silences) => ({ silences: silences.map(presentSilence) }),
  }),
  defineRoute({
    ...SILENCE_ROUTE,
    method: 'POST',
    path: SILENCES_PATH,
    tagged: true,
    operationId: 'createSilence',
    summary: 'Create a silence or a maintenance window',
    status: 201,
    body: SilenceModel,
    refusals: ['conflict', 'not-found'],
    async run({ notificationCommands: commands }, { principal, params: { gridSecondaryId: gridId }, body, nowMs }) {
      const created = commands.createSilence(principal.id, gridId, toNewSilence(body, nowMs));
      const { silence, createdAt } = await waitUntilVisible(commands, created);
      return { ...silence, createdAt, createdBy: principal.id };
    },
    responseSchema: Silence,
    present: presentSilence,
  }),
  defineRoute({
    ...SILENCE_ROUTE,
    method: 'GET',
    path: SILENCE_PATH,
    tagged: true,
    operationId: 'getSilence',
    summary: 'Read a silence',
    missing: SILENCE_NOT_FOUND,
    run: (ports, { params: { gridSecondaryId, silenceId } }) => findSilence(ports, gridSecondaryId, silenceId),
    responseSchema: Silence,
    present: presentSilence,
  }),
  defineRoute({
    ...SILENCE_ROUTE,
    method: 'PUT',
    path: SILENCE_PATH,
    tagged: true,
    operationId: 'replaceSilence',
    summary: 'Replace a silence; end it by an earlier `endsAt`',
    body: SilenceModel,
    missing: SILENCE_NOT_FOUND,
    refusals: ['conflict', 'not-found'],
    async run(ports, { principal, params: { gridSecondaryId: gridId, silenceId: id }, body, condition }) {
      const before = await findSilence(ports, gridId, id);
      if (before === undefined) return undefined;
      const { notificationCommands: commands } = ports;
      const onlyIf = toPrecondition(condition, createPresenter(before));
      const silence = { ...toNewSilence(body, before.startsAt), id };
      const change = commands.changeSilence(principal.id, gridId, silence, onlyIf);
      return { ...before, ...(await waitUntilVisible(commands, change)).silence };
    },
    responseSchema: Silence,
    present: presentSilence,
  }),
  defineRoute({
    ...SILENCE_ROUTE,
    method: 'DELETE',
    path: SILENCE_PATH,
    tagged: true,
    operationId: 'deleteSilence',
    summary: 'Delete a silence, which ends it at once',
    status: 204,
    missing: SILENCE_NOT_FOUND,
    refusals: ['conflict', 'not-found'],
    async run(ports, { principal, params: { gridSecondaryId: gridId, silenceId }, condition }) {
      const before = await findSilence(ports, gridId, silenceId);
      if (before === undefined) return undefined;
      const { notificationCommands: commands } = ports;
      const onlyIf = toPrecondition(condition, createPresenter(before));
      return waitUntilVisible(commands, commands.remove(principal.id, gridId, 'silence', silenceId, onlyIf));
    },
    present: () => new EMPTY_REQUEST(),
  }),
];

export const acknowledgementRoutes: readonly Route[] = [
  defineRoute({
    tag: 'Notifications',
    grid: 'path',
    roles: ON_CALL,
    method: 'POST',
    path: '/apm/alerts/{gridSecondaryId}/{alertId}/acknowledge',
    operationId: 'acknowledgeAlert',
    summary: 'Acknowledge an alert: stops its reminders and its escalation',
    description: 'The first acknowledgement counts; its end is still sent.',
    refusals: ['conflict', 'not-found'],
    async run({ notificationCommands: commands }, { principal, params: { gridSecondaryId: gridId, alertId }, nowMs }) {
      await waitUntilVisible(commands, commands.acknowledge(principal.id, gridId, alertId));
      return { alertId, acknowledgedBy: principal.id, acknowledgedAt: nowMs };
    },
    responseSchema: Acknowledgement,
    present: ({ acknowledgedAt, ...rest }) => ({ ...rest, acknowledgedAt: formatTimestamp(acknowledgedAt) }),
  }),
];

function toNewSilence({ matchers, reason, startsAt, endsAt }: SilenceModel, defaultStart: number) {
  return {
    matchers: matchers.map(({ label, operator, value }) => ({ label, operator, value })),
    reason,
    startsAt: startsAt === undefined ? defaultStart : Date.parse(startsAt),
    endsAt: Date.parse(endsAt),
  };
}

async function findSilence({ notifications }: ApiPorts, gridId: string, silenceId: string) {
  return (await notifications.silences(gridId)).find(({ id }) => id === silenceId);
}

/** Presents another state of the same silence. */
function createPresenter(before: SilenceDocument) {
  return (silence: StoredSilence): object => presentSilence({ ...before, ...silence });
}

/** Commands validate labels and operators before they reach the log. */
function presentSilence(silence: Omit<SilenceDocument, 'gridId'>): ResponseBody<typeof Silence> {
  const { id, matchers, reason, startsAt, endsAt, createdAt, createdBy } = silence;
  return {
    id,
    matchers,
    reason,
    startsAt: formatTimestamp(startsAt),
    endsAt: formatTimestamp(endsAt),
    createdAt: formatTimestamp(createdAt),
    createdBy,
  } as ResponseBody<typeof Silence>;
}
