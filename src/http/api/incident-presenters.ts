import { describeIncidentEntry } from '../../queries/incidents/entry-description.js';
import type {
  IncidentAlertRecord,
  IncidentCauseRecord,
  IncidentEntry,
  IncidentRecord,
} from '../../diagnostics/incidents/incident-model.js';
import type { SimilarIncident } from '../../diagnostics/incidents/similar-incidents.js';
import type { IncidentDetail } from '../../queries/incidents/incident-details.js';
import type { IncidentWithTimeline } from '../../queries/incidents/incident-query-types.js';
import type * as schemas from '../schemas/incident-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { presentChange } from './diagnostics-presenters.js';
import { formatTimestamp } from './value-conversions.js';

type PresentedIncident = ResponseBody<typeof schemas.Incident>;

/** Adds the time of its end, null while it lasts. */
const presentEnd = (endedAt: number | undefined): string | null =>
  endedAt === undefined ? null : formatTimestamp(endedAt);

export function presentIncident({ incident, timeline, timelineCount }: IncidentWithTimeline): PresentedIncident {
  return {
    ...presentRecord(incident),
    timeline: timeline.map((entry) => presentEntry(entry, incident)),
    timelineCount,
  };
}

export function presentIncidentDetail(detail: IncidentDetail): ResponseBody<typeof schemas.IncidentDetail> {
  const { changes, similar } = detail;
  return { ...presentIncident(detail), changes: changes.map(presentChange), similar: similar.map(presentSimilar) };
}

function presentRecord(incident: IncidentRecord) {
  const { id, title, status, severity, openedAt, startedAt, endedAt, cause, alerts } = incident;
  const { alertCount, firingCount, affectedServices, acknowledgedBy, acknowledgedAt, commander } = incident;
  const { resolvedBy, resolution, reopenedCount, noteCount, mergedInto } = incident;
  return {
    id,
    title,
    status,
    severity,
    openedAt: formatTimestamp(openedAt),
    startedAt: formatTimestamp(startedAt),
    endedAt: presentEnd(endedAt),
    cause: cause === undefined ? null : presentCause(cause),
    alerts: alerts.map(presentAlert),
    alertCount,
    firingCount,
    affectedServices,
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
    ...(acknowledgedAt !== undefined && { acknowledgedAt: formatTimestamp(acknowledgedAt) }),
    ...(commander !== undefined && { commander }),
    ...(resolvedBy !== undefined && { resolvedBy }),
    ...(resolution !== undefined && { resolution }),
    reopenedCount,
    noteCount,
    ...(mergedInto !== undefined && { mergedInto }),
  };
}

function presentCause({ firstDetected, ...cause }: IncidentCauseRecord) {
  const { kind, ...rest } = cause;
  return { ...rest, kind, firstDetected: formatTimestamp(firstDetected) } as ResponseBody<typeof schemas.IncidentCause>;
}

function presentAlert(alert: IncidentAlertRecord) {
  const { alertId, ruleName, serviceName, labels, condition, severity, value, firedAt, resolvedAt, acknowledgedBy } =
    alert;
  return {
    alertId,
    ruleName,
    serviceName,
    ...(labels !== undefined && { labels }),
    condition,
    severity,
    value,
    firedAt: formatTimestamp(firedAt),
    ...(resolvedAt !== undefined && { resolvedAt: formatTimestamp(resolvedAt) }),
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
  };
}

function presentEntry(entry: IncidentEntry, incident: IncidentRecord) {
  const by = 'by' in entry ? entry.by : '';
  const description = describeIncidentEntry(entry, incident);
  return { at: formatTimestamp(entry.at), type: entry.kind, description, ...(by !== '' && { by }) };
}

function presentSimilar({ incident, similarity }: SimilarIncident) {
  const { id, title, status, startedAt, endedAt, resolvedBy, resolution } = incident;
  return {
    id,
    title,
    similarity,
    status,
    startedAt: formatTimestamp(startedAt),
    endedAt: presentEnd(endedAt),
    ...(resolvedBy !== undefined && { resolvedBy }),
    ...(resolution !== undefined && { resolution }),
  };
}
