import { isMoreSevere, type Severity } from '../diagnostic-results.js';
import {
  MAX_ALERTS_LISTED,
  MAX_SERVICES_LISTED,
  type IncidentAlertRecord,
  type IncidentCauseRecord,
  type IncidentEntry,
  type IncidentRecord,
} from './incident-model.js';

/** How long (ms) before an incident was opened its cause can have begun. */
const LONGEST_ONSET_MS = 3_600_000;

/** The incident after one more entry; undefined: its beginning is not known. Pure: as of any moment it is a prefix of its entries. */
export function evolveIncident(
  incident: IncidentRecord | undefined,
  id: string,
  entry: IncidentEntry,
): IncidentRecord | undefined {
  if (entry.kind === 'opened') return openIncident(id, entry);
  return incident && changeIncident(incident, entry);
}

type EntryOf<Kind extends IncidentEntry['kind']> = Extract<IncidentEntry, { readonly kind: Kind }>;

function openIncident(id: string, { title, severity, startedAt, cause, at }: EntryOf<'opened'>): IncidentRecord {
  const empty: IncidentRecord = {
    id,
    title,
    severity,
    status: 'open',
    openedAt: at,
    startedAt,
    alerts: [],
    alertCount: 0,
    firingCount: 0,
    affectedServices: [],
    reopenedCount: 0,
    noteCount: 0,
  };
  return cause === null ? empty : withCause(empty, cause, at);
}

function changeIncident(incident: IncidentRecord, entry: Exclude<IncidentEntry, EntryOf<'opened'>>): IncidentRecord {
  const { at } = entry;
  switch (entry.kind) {
    case 'alert-added':
      return addAlert(incident, entry.alert);
    case 'alert-moved':
      return removeAlert(incident, entry.alertId);
    case 'alert-changed':
      return changeAlert(incident, entry);
    case 'cause-changed':
      return { ...withCause(incident, entry.cause, incident.openedAt), title: entry.title };
    case 'recovering':
      return { ...incident, status: 'recovering' };
    case 'reopened':
      return reopen(incident, entry.after);
    case 'resolved': {
      const { by, note } = entry;
      return {
        ...incident,
        status: 'resolved',
        endedAt: at,
        ...(by !== '' && { resolvedBy: by }),
        ...(note !== '' && { resolution: note }),
      };
    }
    case 'acknowledged': {
      const status = incident.status === 'open' ? 'acknowledged' : incident.status;
      return { ...incident, status, acknowledgedBy: entry.by, acknowledgedAt: at };
    }
    case 'commander-assigned': {
      const { commander: _, ...rest } = incident;
      return entry.commander === '' ? rest : { ...rest, commander: entry.commander };
    }
    case 'noted':
      return { ...incident, noteCount: incident.noteCount + 1 };
    case 'merged':
      return incident;
    case 'merged-into':
      return { ...incident, status: 'merged', mergedInto: entry.intoId, endedAt: incident.endedAt ?? at };
  }
}

function withCause(incident: IncidentRecord, cause: IncidentCauseRecord, openedAt: number): IncidentRecord {
  const began = cause.firstDetected > openedAt - LONGEST_ONSET_MS ? cause.firstDetected : incident.startedAt;
  return {
    ...withServices(incident, [cause.serviceName, ...cause.affectedServices]),
    cause,
    severity: worse(incident.severity, cause.severity),
    startedAt: Math.min(incident.startedAt, began),
  };
}

function addAlert(incident: IncidentRecord, alert: IncidentAlertRecord): IncidentRecord {
  const counts = { alertCount: incident.alertCount + 1, firingCount: incident.firingCount + 1 };
  return {
    ...withServices(incident, [...incident.affectedServices, alert.serviceName]),
    ...counts,
    severity: worse(incident.severity, alert.severity),
    alerts: [alert, ...incident.alerts].slice(0, MAX_ALERTS_LISTED),
  };
}

function removeAlert(incident: IncidentRecord, movedId: string): IncidentRecord {
  return {
    ...incident,
    alertCount: incident.alertCount - 1,
    firingCount: incident.firingCount - 1,
    alerts: incident.alerts.filter(({ alertId }) => alertId !== movedId),
  };
}

function changeAlert(incident: IncidentRecord, entry: EntryOf<'alert-changed'>): IncidentRecord {
  const { alertId, change, severity, value, by, at } = entry;
  const alerts = incident.alerts.map((alert): IncidentAlertRecord => {
    if (alert.alertId !== alertId) return alert;
    if (change === 'severity') return { ...alert, severity, value };
    return change === 'resolved' ? { ...alert, resolvedAt: at } : { ...alert, acknowledgedBy: by };
  });
  const firingCount = incident.firingCount - (change === 'resolved' ? 1 : 0);
  const worst = change === 'severity' ? worse(incident.severity, severity) : incident.severity;
  return { ...incident, alerts, firingCount, severity: worst };
}

/** One that was resolved has to be acknowledged again. */
function reopen(incident: IncidentRecord, after: 'recovering' | 'resolved'): IncidentRecord {
  const { endedAt: _, resolvedBy: _by, resolution: _resolution, acknowledgedBy, acknowledgedAt, ...rest } = incident;
  const isStillTakenCareOf = after === 'recovering' && acknowledgedBy !== undefined;
  return {
    ...rest,
    status: isStillTakenCareOf ? 'acknowledged' : 'open',
    ...(isStillTakenCareOf && { acknowledgedBy, acknowledgedAt }),
    reopenedCount: incident.reopenedCount + (after === 'resolved' ? 1 : 0),
  };
}

function withServices(incident: IncidentRecord, services: readonly string[]): IncidentRecord {
  // An alert may concern no service.
  const all = [...new Set([...services, ...incident.affectedServices])].filter((name) => name !== '');
  return { ...incident, affectedServices: all.slice(0, MAX_SERVICES_LISTED) };
}

function worse(a: Severity, b: Severity): Severity {
  return isMoreSevere(b, a) ? b : a;
}
