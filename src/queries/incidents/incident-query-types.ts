import type { IncidentEntry, IncidentRecord, IncidentStatus } from '../../diagnostics/incidents/incident-model.js';
import type { SimilarIncident } from '../../diagnostics/incidents/similar-incidents.js';
import type { TimeSelection } from '../../diagnostics/time-windows.js';

/** Which incidents, as of when. */
export interface IncidentSelection {
  readonly when: TimeSelection;
  /** Absent: all but those that became part of another one. */
  readonly statuses?: readonly IncidentStatus[];
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** An incident and what has happened to it, oldest first; the oldest entries are left out if there are too many. */
export interface IncidentWithTimeline {
  readonly incident: IncidentRecord;
  readonly timeline: readonly IncidentEntry[];
  /** All entries, those left out included. */
  readonly timelineCount: number;
}

export interface IncidentPage {
  readonly incidents: readonly IncidentWithTimeline[];
  readonly totalCount: number;
}

export interface StoredIncidentDetail extends IncidentWithTimeline {
  readonly similar: readonly SimilarIncident[];
}

/** Incidents as of any moment; empty before the projection's first commit. */
export interface IncidentQueries {
  /** Those that last first, then the newest; for a window: all that were open within it, as they stood at its end. */
  incidents(gridId: string, selection: IncidentSelection): Promise<IncidentPage>;
  /** Undefined if it is unknown, or was not open before the selected time. */
  incident(gridId: string, incidentId: string, asOfMs: number | undefined): Promise<StoredIncidentDetail | undefined>;
  /** Grids with an incident that lasts. */
  gridsWithOpenIncidents(): Promise<readonly string[]>;
}
