import { toMove } from './alert-moves.js';
import { explains, findIncidentOfCause } from './incident-causes.js';
import type { ObservationContext, ObservedCause } from './observed-changes.js';
import { causesOf, type FiringAlert, type Incident } from './incident-state.js';

/** How long (ms) an incident recovers before it counts as resolved. */
export const RECOVERY_MS = 120_000;

/**
 * An incident recovers as soon as the diagnosis does not state its cause any more; one without a cause when its last
 * alert has ended. It is resolved two minutes later, unless its alerts still fire: they watch longer windows. Those
 * that another current cause explains do not keep it open: they move to the incident of that cause.
 */
export function resolveRecoveredIncidents(causes: readonly ObservedCause[], context: ObservationContext): void {
  const current = causes.filter(({ isOver }) => !isOver);
  for (const incident of [...context.draft.incidents.values()]) {
    if (incident.status === 'open') recover(incident, current, context);
    else if (incident.status === 'recovering') conclude(incident, current, context);
  }
}

function recover(incident: Incident, current: readonly ObservedCause[], { gridId, at, record }: ObservationContext) {
  const { id: incidentId, cause, firing } = incident;
  const causeServices = new Set(causesOf(incident).map(({ serviceName }) => serviceName));
  const isThere =
    current.some(({ serviceName }) => causeServices.has(serviceName)) || (cause === undefined && firing.size > 0);
  if (!isThere) record({ type: 'IncidentRecovering.v1', data: { gridId, incidentId, at } });
}

function conclude(incident: Incident, current: readonly ObservedCause[], context: ObservationContext): void {
  const { gridId, at, record, draft } = context;
  const { id: incidentId, cause, firing, recoveringSince = at } = incident;
  if (cause === undefined && firing.size > 0)
    return record({ type: 'IncidentReopened.v1', data: { gridId, incidentId, at, after: 'recovering' } });
  // It may last after all: the diagnosis states its cause, but has not done so for long.
  if (current.some((each) => findIncidentOfCause(each, draft)?.id === incidentId)) return;
  if (at - recoveringSince < RECOVERY_MS) return;
  const moves = [...firing.values()].map((alert) => ({
    alert,
    to: findOtherIncident(alert, incident, current, context),
  }));
  if (moves.some(({ to }) => to === undefined)) return;
  for (const { alert, to } of moves)
    record(toMove(alert, incidentId, { gridId, incidentId: to!.id, at, through: draft.through }));
  record({ type: 'IncidentResolved.v1', data: { gridId, incidentId, at } });
}

/** The open incident of another cause that explains the alert. */
function findOtherIncident(
  { serviceName }: FiringAlert,
  { id }: Incident,
  current: readonly ObservedCause[],
  { draft }: ObservationContext,
): Incident | undefined {
  for (const cause of current) {
    const other = explains(cause, serviceName) ? findIncidentOfCause(cause, draft) : undefined;
    if (other !== undefined && other.id !== id && other.status === 'open') return other;
  }
  return undefined;
}
