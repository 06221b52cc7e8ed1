import type { CommandReceipt } from '../../commands/grids/grid-commands.js';
import { waitUntilVisible } from '../../commands/read-your-writes.js';
import type { ApiPorts } from '../api-call.js';
import {
  IncidentCommanderModel,
  IncidentMergeModel,
  IncidentMomentModel,
  IncidentNoteModel,
  IncidentResolutionModel,
  IncidentsModel,
  IncidentSplitModel,
  toIncidentSelection,
  toMoment,
  validateMoment,
} from '../requests/incident-requests.js';
import { validateWindow } from '../requests/diagnostics-requests.js';
import { defineRoute, EVERY_ROLE, type Role, type Route } from '../route.js';
import { IncidentDetail, IncidentReceipt, Incidents } from '../schemas/incident-schemas.js';
import { presentIncident, presentIncidentDetail } from './incident-presenters.js';

/** Whoever is on call, which need not be an administrator. */
const ON_CALL: readonly Role[] = ['User', 'Member', 'Owner'];
const INCIDENTS_PATH = '/apm/incidents/{gridSecondaryId}';
const INCIDENT_PATH = `${INCIDENTS_PATH}/{incidentId}` as const;
const READING = { tag: 'Incidents', grid: 'path', roles: EVERY_ROLE, method: 'GET' } as const;
const ACTION = {
  tag: 'Incidents',
  grid: 'path',
  roles: ON_CALL,
  method: 'POST',
  refusals: ['conflict', 'not-found'],
  responseSchema: IncidentReceipt,
  present: ({ incidentId }: { readonly incidentId: string }) => ({ incidentId }),
} as const;

export const incidentRoutes: readonly Route[] = [
  defineRoute({
    ...READING,
    path: INCIDENTS_PATH,
    operationId: 'listIncidents',
    summary: 'List incidents: alerts and diagnoses of one cause',
    description: 'With a range: those that were open within it, as they stood at its end.',
    query: IncidentsModel,
    validate: validateWindow,
    async run({ incidents }, { params, query }) {
      const selection = toIncidentSelection(query);
      return { ...(await incidents.incidents(params.gridSecondaryId, selection)), ...selection };
    },
    responseSchema: Incidents,
    present: ({ incidents, totalCount, page, pageSize }) => ({
      incidents: incidents.map(presentIncident),
      totalCount,
      page,
      pageSize,
    }),
  }),
  defineRoute({
    ...READING,
    path: INCIDENT_PATH,
    operationId: 'getIncident',
    summary: 'Read an incident with its timeline, changes nearby and similar ones before',
    missing: 'The Grid has no incident with this id, or had none at this time.',
    query: IncidentMomentModel,
    validate: validateMoment,
    run: ({ incidents }, { params, query }) =>
      incidents.incident(params.gridSecondaryId, params.incidentId, toMoment(query)),
    responseSchema: IncidentDetail,
    present: presentIncidentDetail,
  }),
  defineRoute({
    ...ACTION,
    path: `${INCIDENT_PATH}/acknowledge`,
    operationId: 'acknowledgeIncident',
    summary: 'Acknowledge an incident and its alerts',
    description: 'Stops reminders and escalations of its alerts. The first acknowledgement counts.',
    run: ({ incidentCommands: commands }, { principal, params: { gridSecondaryId: gridId, incidentId } }) =>
      act(commands, incidentId, commands.acknowledgeIncident(principal.id, gridId, incidentId)),
  }),
  defineRoute({
    ...ACTION,
    path: `${INCIDENT_PATH}/resolve`,
    operationId: 'resolveIncident',
    summary: 'Resolve an incident',
    description: 'Alerts that are still firing do not reopen it; the same cause does if it recurs within an hour.',
    body: IncidentResolutionModel,
    run: (
      { incidentCommands: commands },
      { principal, params: { gridSecondaryId: gridId, incidentId }, body: { note = '' } },
    ) => act(commands, incidentId, commands.resolveIncident(principal.id, gridId, incidentId, note)),
  }),
  defineRoute({
    ...ACTION,
    path: `${INCIDENT_PATH}/commander`,
    operationId: 'assignIncidentCommander',
    summary: 'Assign who leads an incident',
    body: IncidentCommanderModel,
    run: ({ incidentCommands: commands }, { principal, params: { gridSecondaryId: gridId, incidentId }, body }) =>
      act(commands, incidentId, commands.assignCommander(principal.id, gridId, incidentId, body.userId)),
  }),
  defineRoute({
    ...ACTION,
    path: `${INCIDENT_PATH}/notes`,
    operationId: 'addIncidentNote',
    summary: 'Add a note to the timeline of an incident',
    status: 201,
    body: IncidentNoteModel,
    run: ({ incidentCommands: commands }, { principal, params: { gridSecondaryId: gridId, incidentId }, body }) =>
      act(commands, incidentId, commands.addNote(principal.id, gridId, incidentId, body.text)),
  }),
  defineRoute({
    ...ACTION,
    path: `${INCIDENT_PATH}/merge`,
    operationId: 'mergeIncident',
    summary: 'Make another incident part of this one',
    body: IncidentMergeModel,
    run: ({ incidentCommands: commands }, { principal, params: { gridSecondaryId: gridId, incidentId }, body }) =>
      act(commands, incidentId, commands.mergeIncident(principal.id, gridId, incidentId, body.incidentId)),
  }),
  defineRoute({
    ...ACTION,
    path: `${INCIDENT_PATH}/split`,
    operationId: 'splitIncident',
    summary: 'Move some of its alerts to a new incident',
    status: 201,
    body: IncidentSplitModel,
    async run({ incidentCommands: commands }, { principal, params: { gridSecondaryId: gridId, incidentId }, body }) {
      const split = commands.splitIncident(principal.id, gridId, incidentId, body.alertIds);
      const { newId } = await waitUntilVisible(commands, split);
      return { incidentId: newId };
    },
  }),
];

/** The receipt of a command whose effect is visible. */
async function act(
  commands: ApiPorts['incidentCommands'],
  incidentId: string,
  command: Promise<CommandReceipt>,
): Promise<{ readonly incidentId: string }> {
  await waitUntilVisible(commands, command);
  return { incidentId };
}
