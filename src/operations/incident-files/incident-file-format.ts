import type { GridLimits } from '../../accounting/usage-limits.js';
import type { StoredAlertRule } from '../../streams/events/alert-events.js';
import type { StoredChart, StoredDashboard } from '../../streams/events/chart-events.js';
import type { GridSettings } from '../../streams/events/grid-events.js';

/**
 * A slice is NDJSON in gzip: a header line, an event a line in the order of the log, a trailer line. `zcat slice | head -1` tells what it is.
 */
export const INCIDENT_FILE_FORMAT = 'hindsight-slice';
/** Counts up with every change that an older program could not read. */
export const INCIDENT_FILE_VERSION = 1;

/** A Grid as it was at the end of the slice, but for members, keys and whoever did what. */
export interface GridSnapshot {
  /** Of the Grid that it was exported from: ids of what every Grid starts with are derived from it. */
  readonly gridId: string;
  readonly settings: GridSettings;
  /** The threshold that counts for the first events; later ones are events. */
  readonly apdexThresholdMsAtStart: number;
  readonly limits: GridLimits;
  readonly alertRules: readonly StoredAlertRule[];
  readonly charts: readonly StoredChart[];
  readonly dashboards: readonly StoredDashboard[];
}

export interface IncidentFileHeader {
  readonly format: typeof INCIDENT_FILE_FORMAT;
  readonly formatVersion: number;
  /** Version of the program that wrote it. */
  readonly hindsight: string;
  /** ISO, like the times of the slice: telemetry is there from `baselineFrom` on. */
  readonly exportedAt: string;
  readonly slice: { readonly from: string; readonly to: string; readonly baselineFrom: string };
  readonly grid: GridSnapshot;
  /** Attributes whose values were taken out. */
  readonly strippedAttributes: readonly string[];
}

/** One event without what belongs to the Grid that it came from. */
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
    /** Hex SHA-256 over all bytes before this line, inflated. */
    readonly sha256: string;
  };
}

/** Change of the Grid's Apdex threshold within the slice: it counts for what arrives after it. */
export const APDEX_CHANGE_TYPE = 'GridSettingsChanged.v1';
