import type { Authored } from '../../streams/events/grid-events.js';
import type { IncidentEvent } from '../../streams/events/incident-events.js';
import { type Decider, type Decision, reject } from '../decider.js';
import { checkOptionalText, checkText, toFieldErrors } from '../field-validation.js';
import type { FieldError } from '../../errors.js';
import { toMerge, toMove } from './alert-moves.js';
import { formatAlertTitle } from './incident-title.js';
import { decideObservation } from './incident-observation.js';
import { applyIncidentEvents, NO_INCIDENTS, type Incident, type IncidentsState } from './incident-state.js';
import type { IncidentObservation } from './observed-changes.js';

/** Sizes of what people write, in characters, and of the whole. */
export const INCIDENT_BOUNDS = { noteLength: 4_000, userIdLength: 256, notesOfAnIncident: 500 } as const;

interface OfIncident extends Authored {
  readonly gridId: string;
  readonly incidentId: string;
}

/** What a person does. Each is rejected with `not-found` unless the incident is open or was among the last resolved. */
export type IncidentAction = OfIncident &
  (
    | { readonly type: 'Acknowledge' }
    | { readonly type: 'Resolve'; readonly note: string }
    | { readonly type: 'AssignCommander'; readonly commander: string }
    | { readonly type: 'Note'; readonly noteId: string; readonly text: string }
    /** Makes another incident part of this one. */
    | { readonly type: 'Merge'; readonly mergedId: string }
    | { readonly type: 'Split'; readonly newId: string; readonly alertIds: readonly string[] }
  );

export type IncidentCommand = IncidentAction | ({ readonly type: 'Observe' } & IncidentObservation);

const eventTypes: ReadonlySet<string> = new Set<IncidentEvent['type']>([
  'IncidentOpened.v1',
  'IncidentAlertAdded.v2',
  'IncidentAlertChanged.v1',
  'IncidentCauseChanged.v1',
  'IncidentRecovering.v1',
  'IncidentResolved.v1',
  'IncidentReopened.v1',
  'IncidentAcknowledged.v1',
  'IncidentClosed.v1',
  'IncidentCommanderAssigned.v1',
  'IncidentNoted.v1',
  'IncidentsMerged.v1',
  'IncidentSplit.v1',
]);

/**
 * Incidents of a Grid: at most one is open for each root-cause service, and each firing alert belongs to one. Several
 * processes may observe the same: what is known changes nothing.
 */
export const incidentDecider: Decider<IncidentCommand, IncidentsState, IncidentEvent> = {
  eventTypes,
  initialState: NO_INCIDENTS,
  skipsDamagedEvents: true,
  decide,
  evolveAll: applyIncidentEvents,
  evolve: (state, event) => applyIncidentEvents(state, [event]),
};

function decide(command: IncidentCommand, state: IncidentsState): Decision<IncidentEvent> {
  if (command.type === 'Observe') return decideObservation(command, state);
  const incident = state.incidents.get(command.incidentId);
  return incident === undefined
    ? reject('not-found', 'The Grid has no modifiable incident with this id.')
    : decideAction(command, incident, state);
}

function decideAction(command: IncidentAction, incident: Incident, state: IncidentsState): Decision<IncidentEvent> {
  const { actor, at, gridId, incidentId } = command;
  const data = { actor, at, gridId, incidentId };
  switch (command.type) {
    case 'Acknowledge':
      return decideAcknowledgement(data, incident);
    case 'Resolve':
      return decideResolution(data, command.note, incident);
    case 'AssignCommander': {
      const { commander } = command;
      const check = commander === '' ? checkOptionalText : checkText;
      const errors = toFieldErrors('userId', check(commander, INCIDENT_BOUNDS.userIdLength));
      if (errors.length > 0) return rejectFields(errors);
      return commander === incident.commander
        ? []
        : [{ type: 'IncidentCommanderAssigned.v1', data: { ...data, commander } }];
    }
    case 'Note':
      return decideNote(data, command, incident);
    case 'Merge':
      return decideMerge(data, command.mergedId, state);
    case 'Split':
      return decideSplit(data, command, incident, state);
  }
}

/** The first acknowledgement counts. */
function decideAcknowledgement(data: OfIncident, { status, acknowledgedBy }: Incident): Decision<IncidentEvent> {
  if (status === 'resolved') return reject('conflict', 'This incident is resolved: there is nothing to acknowledge.');
  return acknowledgedBy === undefined ? [{ type: 'IncidentAcknowledged.v1', data }] : [];
}

function decideResolution(data: OfIncident, note: string, { status }: Incident): Decision<IncidentEvent> {
  const errors = toFieldErrors('note', checkOptionalText(note, INCIDENT_BOUNDS.noteLength));
  if (errors.length > 0) return rejectFields(errors);
  return status === 'resolved' ? [] : [{ type: 'IncidentClosed.v1', data: { ...data, note } }];
}

function decideNote(
  data: OfIncident,
  { noteId, text }: { readonly noteId: string; readonly text: string },
  { noteCount }: Incident,
): Decision<IncidentEvent> {
  const errors = toFieldErrors('text', checkText(text, INCIDENT_BOUNDS.noteLength));
  if (errors.length > 0) return rejectFields(errors);
  const most = INCIDENT_BOUNDS.notesOfAnIncident;
  if (noteCount >= most) return reject('conflict', `An incident has at most ${most} notes.`);
  return [{ type: 'IncidentNoted.v1', data: { ...data, noteId, text } }];
}

function decideMerge(
  { incidentId, ...by }: OfIncident,
  mergedId: string,
  { incidents, through }: IncidentsState,
): Decision<IncidentEvent> {
  const [into, merged] = [incidents.get(incidentId), incidents.get(mergedId)];
  if (mergedId === incidentId || into === undefined || merged === undefined) {
    const message = 'must be another modifiable incident';
    return rejectFields([{ field: 'incidentId', message }]);
  }
  return [...toMergedFault(into, merged, by), ...toMerge(incidentId, merged, { ...by, through })];
}

/** One that lasts keeps lasting, and a cause that is known stays known. */
function toMergedFault(
  { id: incidentId, status, cause: known }: Incident,
  { status: mergedStatus, cause, title }: Incident,
  { gridId, at }: Pick<OfIncident, 'gridId' | 'at'>,
): readonly IncidentEvent[] {
  const data = { gridId, incidentId, at };
  const isOpened = status === 'resolved' && mergedStatus !== 'resolved';
  return [
    ...(isOpened ? [{ type: 'IncidentReopened.v1', data: { ...data, after: 'resolved' } } as const] : []),
    ...(known === undefined && cause !== undefined
      ? [{ type: 'IncidentCauseChanged.v1', data: { ...data, title, cause } } as const]
      : []),
  ];
}

function decideSplit(
  data: OfIncident,
  { newId, alertIds }: { readonly newId: string; readonly alertIds: readonly string[] },
  { firing }: Incident,
  { through }: IncidentsState,
): Decision<IncidentEvent> {
  const ids = [...new Set(alertIds)];
  const alerts = ids.map((alertId) => firing.get(alertId)).filter((alert) => alert !== undefined);
  if (ids.length === 0 || alerts.length < ids.length)
    return rejectFields([{ field: 'alertIds', message: 'must be firing alerts of this incident' }]);
  const worst = alerts.find((alert) => alert.severity === 'critical') ?? alerts[0];
  const startedAt = Math.min(...alerts.map(({ firedAt }) => firedAt));
  const { severity } = worst;
  const title = formatAlertTitle(worst);
  const { gridId, at, incidentId: movedFrom } = data;
  return [
    { type: 'IncidentSplit.v1', data: { ...data, newId, title, severity, startedAt, alertIds: ids } },
    ...alerts.map((alert) => toMove(alert, movedFrom, { gridId, at, incidentId: newId, through })),
  ];
}

function rejectFields(errors: readonly FieldError[]): Decision<IncidentEvent> {
  return reject('invalid-request', 'The request is invalid.', errors);
}
