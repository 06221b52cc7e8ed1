import type { IncidentAlert, IncidentEvent } from '../../streams/events/incident-events.js';
import { deriveUuid } from '../../telemetry/deterministic-uuid.js';
import { attachCauses, explains, findIncidentOfCause, placeCause } from './incident-causes.js';
import { formatAlertTitle } from './incident-title.js';
import { resolveRecoveredIncidents } from './incident-conclusion.js';
import {
  applyIncidentEvent,
  findAlert,
  toAlertKey,
  toDraft,
  type Incident,
  type IncidentsState,
} from './incident-state.js';
import { REOPEN_MS, type AlertChange, type IncidentObservation, type ObservationContext } from './observed-changes.js';

/**
 * The events that follow from what policies have observed. Repeated or late observations change nothing: alerts are known
 * by their revision, incidents by their cause.
 */
export function decideObservation(observation: IncidentObservation, state: IncidentsState): readonly IncidentEvent[] {
  const events: IncidentEvent[] = [];
  const draft = toDraft(state);
  const record = (event: IncidentEvent): void => {
    events.push(event);
    applyIncidentEvent(event, draft);
  };
  const context = { ...observation, draft, record };
  for (const change of observation.alerts) if (change.revision > draft.through) decideAlertChange(change, context);
  if (observation.causes !== undefined) {
    attachCauses(observation.causes, context);
    resolveRecoveredIncidents(observation.causes, context);
  }
  return events;
}

function decideAlertChange(change: AlertChange, context: ObservationContext): void {
  if (change.change === 'fired') return placeAlert(change.alert, change.revision, context);
  const { gridId, at, draft, record } = context;
  const { alertId, revision: through } = change;
  const incidentId = draft.byAlert.get(alertId);
  if (incidentId === undefined) return;
  const base = { gridId, incidentId, at, alertId, through, severity: '', value: 0, by: '' };
  switch (change.change) {
    case 'severity': {
      const { severity, value } = change;
      return record({ type: 'IncidentAlertChanged.v1', data: { ...base, change: 'severity', severity, value } });
    }
    case 'resolved':
      return record({ type: 'IncidentAlertChanged.v1', data: { ...base, change: 'resolved' } });
    case 'acknowledged':
      record({ type: 'IncidentAlertChanged.v1', data: { ...base, change: 'acknowledged', by: change.by } });
      return acknowledgeWithAlerts(incidentId, change.by, context);
  }
}

/** Whoever takes care of all of its alerts takes care of the incident. */
function acknowledgeWithAlerts(incidentId: string, actor: string, { gridId, at, draft, record }: ObservationContext) {
  const { status, acknowledgedBy, firing } = draft.incidents.get(incidentId)!;
  const areAllAcknowledged = [...firing.values()].every((alert) => alert.acknowledgedBy !== undefined);
  if (status !== 'open' || acknowledgedBy !== undefined || !areAllAcknowledged) return;
  record({ type: 'IncidentAcknowledged.v1', data: { gridId, incidentId, at, actor } });
}

/** Adds an alert that has fired to the incident of its cause, or opens one for it. */
function placeAlert(alert: IncidentAlert, through: number, context: ObservationContext): void {
  const { gridId, at, record, draft } = context;
  if (findAlert(alert.alertId, draft) !== undefined) return;
  const incidentId = findIncidentOfAlert(alert, context)?.id ?? openForAlert(alert, context);
  record({
    type: 'IncidentAlertAdded.v2',
    data: { gridId, incidentId, at, alert, through, movedFrom: '', acknowledgedBy: '' },
  });
}

/**
 * By the causes that last and explain the alert, best first; then by those that open incidents remember; then by the
 * service, or by the rule if it concerns none, while no cause is known. One that recovers is not among them: what fires now may be the next fault.
 */
function findIncidentOfAlert(alert: IncidentAlert, context: ObservationContext): Incident | undefined {
  const { serviceName } = alert;
  const { causes = [], draft } = context;
  for (const cause of causes) {
    if (cause.isOver || !explains(cause, serviceName)) continue;
    if (cause.isConfirmed) placeCause(cause, causes, context, true);
    const incident = findIncidentOfCause(cause, draft);
    if (incident !== undefined) return incident;
  }
  const open = [...draft.incidents.values()].filter(({ status, isSplit }) => status === 'open' && isSplit !== true);
  return (
    open.find(({ cause }) => cause?.serviceName === serviceName) ??
    open.find(({ cause }) => cause !== undefined && explains(cause, serviceName)) ??
    open.find(({ cause, firing }) => cause === undefined && hasSubject(firing.values(), alert))
  );
}

/** Opens the incident of an alert without a known cause; the one of the same alert within an hour is reopened. */
function openForAlert(alert: IncidentAlert, { gridId, at, draft, record }: ObservationContext): string {
  const key = toAlertKey(alert);
  const earlier = [...draft.incidents.values()].find(
    ({ cause, resolvedAt, alertKeys }) =>
      cause === undefined && resolvedAt !== undefined && at - resolvedAt < REOPEN_MS && alertKeys.has(key),
  );
  if (earlier !== undefined) {
    record({ type: 'IncidentReopened.v1', data: { gridId, incidentId: earlier.id, at, after: 'resolved' } });
    return earlier.id;
  }
  const incidentId = deriveUuid(['incident', gridId, alert.alertId].join('\n'));
  const { severity, firedAt: startedAt } = alert;
  const title = formatAlertTitle(alert);
  record({ type: 'IncidentOpened.v1', data: { gridId, incidentId, at, title, severity, startedAt, cause: null } });
  return incidentId;
}

function hasSubject(alerts: Iterable<IncidentAlert>, { serviceName, ruleId }: IncidentAlert): boolean {
  for (const other of alerts)
    if (other.serviceName === serviceName && (serviceName !== '' || other.ruleId === ruleId)) return true;
  return false;
}
