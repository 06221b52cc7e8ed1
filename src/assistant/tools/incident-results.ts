import type { Change } from '../../diagnostics/diagnostic-results.js';
import type {
  IncidentAlertRecord,
  IncidentCauseRecord,
  IncidentEntry,
  IncidentRecord,
} from '../../diagnostics/incidents/incident-model.js';
import type { SimilarIncident } from '../../diagnostics/incidents/similar-incidents.js';
import { describeIncidentEntry } from '../../queries/incidents/entry-description.js';
import type { IncidentDetail } from '../../queries/incidents/incident-details.js';
import type { IncidentWithTimeline } from '../../queries/incidents/incident-query-types.js';
import { toIsoTimestamped, type IsoTimestamped } from './result-serialization.js';
import { toIsoString } from './tool-arguments.js';

export type ListedIncident = ReturnType<typeof toListedIncident>;

/** An incident with the member names of the API. */
export function toListedIncident({ incident, timeline, timelineCount }: IncidentWithTimeline) {
  return { ...toRecord(incident), timeline: timeline.map((entry) => toEntry(entry, incident)), timelineCount };
}

export type DetailedIncident = ListedIncident & {
  readonly changes: IsoTimestamped<readonly Change[]>;
  readonly similar: readonly ReturnType<typeof toSimilar>[];
};

export function toDetailedIncident(detail: IncidentDetail): DetailedIncident {
  const { changes, similar } = detail;
  return { ...toListedIncident(detail), changes: toIsoTimestamped(changes), similar: similar.map(toSimilar) };
}

function toRecord(incident: IncidentRecord) {
  const { id, title, status, severity, openedAt, startedAt, endedAt, cause, alerts } = incident;
  const { alertCount, firingCount, affectedServices, acknowledgedBy, acknowledgedAt, commander } = incident;
  const { resolvedBy, resolution, reopenedCount, noteCount, mergedInto } = incident;
  return {
    ...{ id, title, status, severity, openedAt: toIsoString(openedAt), startedAt: toIsoString(startedAt) },
    endedAt: endedAt === undefined ? null : toIsoString(endedAt),
    cause: cause === undefined ? null : toCause(cause),
    alerts: alerts.map(toAlert),
    ...{ alertCount, firingCount, affectedServices, reopenedCount, noteCount },
    ...omitAbsent({ commander, resolvedBy, resolution, mergedInto, acknowledgedBy }),
    ...(acknowledgedAt !== undefined && { acknowledgedAt: toIsoString(acknowledgedAt) }),
  };
}

/** Members that are undefined are left out, as in the API. */
function omitAbsent<Members extends object>(members: Members): Partial<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>;
}

function toCause({ firstDetected, ...cause }: IncidentCauseRecord) {
  return { ...cause, firstDetected: toIsoString(firstDetected) };
}

function toAlert(alert: IncidentAlertRecord) {
  const { firedAt, resolvedAt, ...rest } = alert;
  return {
    ...rest,
    firedAt: toIsoString(firedAt),
    ...(resolvedAt !== undefined && { resolvedAt: toIsoString(resolvedAt) }),
  };
}

function toEntry(entry: IncidentEntry, incident: IncidentRecord) {
  const by = 'by' in entry && entry.by !== '' ? { by: entry.by } : {};
  return { at: toIsoString(entry.at), type: entry.kind, description: describeIncidentEntry(entry, incident), ...by };
}

function toSimilar({ incident, similarity }: SimilarIncident) {
  const { id, title, status, startedAt, endedAt, resolvedBy, resolution } = incident;
  return {
    ...{ id, title, similarity, status, startedAt: toIsoString(startedAt) },
    endedAt: endedAt === undefined ? null : toIsoString(endedAt),
    ...omitAbsent({ resolvedBy, resolution }),
  };
}
