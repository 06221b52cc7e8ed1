import type { GridLimits } from '../../accounting/usage-limits.js';
import type { StoredAlertRule } from '../../streams/events/alert-events.js';
import type { StoredChart, StoredDashboard } from '../../streams/events/chart-events.js';
import type { GridSettings } from '../../streams/events/grid-events.js';

/**
 * An incident file is gzipped NDJSON: a header line, one line per event in log order, a trailer line. `zcat file | head
 * -1` shows what it contains.
 */
export const INCIDENT_FILE_FORMAT = 'hindsight-slice';
/** Incremented with every change that older versions cannot read. */
export const INCIDENT_FILE_VERSION = 1;

/** The Grid at the end of the exported time range, without members, API keys and actors. */
export interface GridSnapshot {
  /** Id of the exported Grid: the ids of its default objects are derived from it. */
  readonly gridId: string;
  readonly settings: GridSettings;
  /** The threshold at the start of the time range; later changes are events. */
  readonly apdexThresholdMsAtStart: number;
  readonly limits: GridLimits;
  readonly alertRules: readonly StoredAlertRule[];
  readonly charts: readonly StoredChart[];
  readonly dashboards: readonly StoredDashboard[];
}

export interface IncidentFileHeader {
  readonly format: typeof INCIDENT_FILE_FORMAT;
  readonly formatVersion: number;
  /** Version of Hindsight that wrote the file. */
  readonly hindsight: string;
  /** ISO time, like those of the time range. Telemetry starts at `baselineFrom`. */
  readonly exportedAt: string;
  readonly slice: { readonly from: string; readonly to: string; readonly baselineFrom: string };
  readonly grid: GridSnapshot;
  /** Attributes whose values were removed. */
  readonly strippedAttributes: readonly string[];
}

/** One event without the data that identifies its Grid. */
export interface ExportedEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Base64. */
  readonly body?: string;
}

export interface IncidentFileCounts {
  readonly events: number;
  /** Spans, log records and data points. */
  readonly records: number;
}

export interface IncidentFileTrailer {
  readonly end: IncidentFileCounts & {
    /** Hex SHA-256 of all uncompressed bytes before this line. */
    readonly sha256: string;
  };
}

/** Type of a change of the Apdex threshold within the time range; it applies to telemetry that arrives later. */
export const APDEX_CHANGE_TYPE = 'GridSettingsChanged.v1';
