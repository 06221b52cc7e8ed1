import type { IncidentEvent } from '../../streams/events/incident-events.js';
import type { FiringAlert, Incident } from './incident-state.js';

/** A firing alert that belongs to another incident from now on. */
export function toMove(
  { acknowledgedBy = '', ...alert }: FiringAlert,
  movedFrom: string,
  incident: { readonly gridId: string; readonly incidentId: string; readonly at: number; readonly through: number },
): IncidentEvent {
  const { gridId, incidentId, at, through } = incident;
  return { type: 'IncidentAlertAdded.v2', data: { gridId, incidentId, at, alert, through, movedFrom, acknowledgedBy } };
}

/** One incident becomes part of another, with the alerts that fire. */
export function toMerge(
  incidentId: string,
  { id: mergedId, firing }: Incident,
  {
    through,
    ...by
  }: { readonly gridId: string; readonly at: number; readonly actor: string; readonly through: number },
): readonly IncidentEvent[] {
  const moves = [...firing.values()].map((alert) => toMove(alert, mergedId, { ...by, incidentId, through }));
  return [...moves, { type: 'IncidentsMerged.v1', data: { ...by, incidentId, mergedId } }];
}
