import type { Tool } from '../tool.js';
import {
  toDetailedIncident,
  toListedIncident,
  type DetailedIncident,
  type ListedIncident,
} from './incident-results.js';
import { datetimeField, defineArguments, requiredField, textField, toEpochMs } from './tool-arguments.js';
import { formatCountOrNone, readOperation, requireFound } from './tool-builders.js';
import {
  describeWindowArguments,
  findWindowFault,
  toQueryTime,
  WINDOW_FIELDS,
  type WindowArguments,
} from './window-arguments.js';

/** Incidents that an answer lists. */
const MAX_LISTED = 20;

interface ListedIncidents {
  readonly answer: { readonly incidents: readonly ListedIncident[]; readonly totalCount: number };
}

export const getIncidents: Tool<WindowArguments, ListedIncidents> = {
  name: 'GetIncidents',
  api: readOperation('/apm/incidents/{gridSecondaryId}'),
  description:
    'Incidents: alerts and diagnoses of one cause, with status, cause, affected services, who takes care of it, and timeline; unresolved first, then newest first. Use it to find what is wrong now, or what went wrong before.',
  ...defineArguments(WINDOW_FIELDS, findWindowFault),
  async run({ queries, gridId }, args) {
    const when = toQueryTime(args);
    const { incidents, totalCount } = await queries.incidents.incidents(gridId, {
      when,
      page: 1,
      pageSize: MAX_LISTED,
    });
    const found = formatCountOrNone(totalCount, 'incident');
    const isNow = when.asOfMs === undefined && when.range === undefined;
    const description = isNow ? found : `${found}, ${describeWindowArguments(args)}`;
    return {
      data: { answer: { incidents: incidents.map(toListedIncident), totalCount } },
      source: { type: 'incidents', description },
    };
  },
};

interface IncidentArguments {
  readonly incidentId: string;
  readonly asOf?: string;
}

export const getIncident: Tool<IncidentArguments, { readonly answer: DetailedIncident }> = {
  name: 'GetIncident',
  api: readOperation('/apm/incidents/{gridSecondaryId}/{incidentId}'),
  description:
    'One incident with its whole timeline, deployments and other changes nearby, and similar incidents before with what ended them.',
  ...defineArguments<IncidentArguments>({
    incidentId: requiredField(textField('Id of the incident, from GetIncidents.')),
    asOf: datetimeField('The incident as it stood at this moment.'),
  }),
  async run({ queries, gridId }, { incidentId, asOf }) {
    const found = await queries.incidents.incident(
      gridId,
      incidentId,
      asOf === undefined ? undefined : toEpochMs(asOf),
    );
    const answer = toDetailedIncident(requireFound(found, 'incident of this id'));
    return { data: { answer }, source: { type: 'incident', description: answer.title } };
  },
};
