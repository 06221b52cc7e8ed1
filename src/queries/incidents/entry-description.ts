import type {
  IncidentAlertRecord,
  IncidentCauseRecord,
  IncidentEntry,
  IncidentRecord,
} from '../../diagnostics/incidents/incident-model.js';

/** What of an incident its entries are described with. */
export type DescribedIncident = Pick<IncidentRecord, 'alerts' | 'acknowledgedBy' | 'acknowledgedAt'>;

/** What an entry of the incident says, in one sentence. */
export function describeIncidentEntry(entry: IncidentEntry, incident: DescribedIncident): string {
  switch (entry.kind) {
    case 'opened':
      if (entry.splitFrom !== '') return `Split from another incident: ${entry.title}.`;
      return entry.cause === null
        ? `Opened: ${entry.title}.`
        : `Opened by the diagnosis: ${describeCause(entry.cause)}`;
    case 'alert-added': {
      const { severity } = entry.alert;
      const verb = entry.movedFrom === '' ? 'fired' : 'moved here from another incident';
      return `Alert ${verb}: ${describeAlert(entry.alert)} (${severity}).`;
    }
    case 'alert-moved':
      return 'An alert moved to another incident.';
    case 'alert-changed':
      return describeAlertChange(entry, incident);
    case 'cause-changed':
      return `Cause: ${describeCause(entry.cause)}`;
    case 'recovering':
      return 'Recovering: the cause is no longer detected, or the last alert has ended.';
    case 'reopened':
      return entry.after === 'recovering' ? 'Open again: it has not recovered.' : 'Reopened: the problem recurred.';
    case 'resolved':
      return entry.by === ''
        ? 'Resolved: no recurrence for two minutes.'
        : `Resolved by ${entry.by}.${toAddition(entry.note)}`;
    case 'acknowledged':
      return `Acknowledged by ${entry.by}.`;
    case 'commander-assigned':
      return entry.commander === ''
        ? `Commander removed by ${entry.by}.`
        : `${entry.commander} was made commander by ${entry.by}.`;
    case 'noted':
      return entry.text;
    case 'merged':
      return `Another incident was merged into this one by ${entry.by}.`;
    case 'merged-into':
      return `Merged into another incident by ${entry.by}.`;
  }
}

/** Its service, or its rule if it concerns none, its group, and its condition. */
function describeAlert({ serviceName, ruleName, labels = {}, condition }: IncidentAlertRecord): string {
  const group = Object.entries(labels).map(([name, value]) => `${name} = ${value}`);
  const subject = serviceName === '' ? ruleName : serviceName;
  return `${subject}${group.length === 0 ? '' : ` (${group.join(', ')})`}, ${condition}`;
}

function describeCause({ cause, confidence }: IncidentCauseRecord): string {
  return `${cause}, confidence ${Math.round(confidence * 100)} %.`;
}

/** The incident lists its newest alerts only, and none that has moved. */
function describeAlertChange(
  entry: Extract<IncidentEntry, { readonly kind: 'alert-changed' }>,
  incident: DescribedIncident,
): string {
  const { change, severity, by } = entry;
  const alert = incident.alerts.find(({ alertId }) => alertId === entry.alertId);
  const [subject, end] = alert === undefined ? ['An alert', '.'] : ['Alert', `: ${describeAlert(alert)}.`];
  if (change === 'resolved') return `${subject} ended${end}`;
  if (change === 'severity') return `${subject} became ${severity}${end}`;
  return `${subject} was acknowledged by ${by}${isAcknowledgedWith(entry, incident) ? ' with the incident' : ''}${end}`;
}

/** Whoever has acknowledged the incident has thereby acknowledged its alerts, those that fire later included. */
function isAcknowledgedWith(
  { at, by }: Extract<IncidentEntry, { readonly kind: 'alert-changed' }>,
  { acknowledgedBy, acknowledgedAt = Infinity }: DescribedIncident,
): boolean {
  return by === acknowledgedBy && at > acknowledgedAt;
}

function toAddition(text: string): string {
  return text === '' ? '' : ` ${text}`;
}
