import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { Signal } from '../../telemetry/signals.js';

/**
 * An accepted export request. The event's body is the protobuf request in `encoding` (OTLP/JSON is converted to
 * protobuf before the append).
 */
export interface TelemetryReceived {
  readonly gridId: string;
  readonly signal: Signal;
  /** Number of accepted records (spans, log records, data points). */
  readonly accepted: number;
  /** Rejected records: ascending 0-based indices over the whole request in body order. Decoders skip them. */
  readonly rejected: readonly number[];
  readonly keyId: string;
  /** Arrival of the request, ms since 1970. */
  readonly receivedAt: number;
  /** Hex SHA-256 of Grid id, signal and the decompressed body as received: identifies the request for deduplication. */
  readonly identity: string;
  readonly encoding: ContentEncoding;
  /** Bytes of the decompressed protobuf body. */
  readonly inflatedBytes: number;
  /** Number of part events that contain the body. Absent: the body is in this event. */
  readonly parts?: number;
  /**
   * Revisions of the part events in this stream, in body order; present whenever `parts` is. Other requests may be
   * stored in between.
   */
  readonly partRevisions?: readonly number[];
}

export const TELEMETRY_RECEIVED_TYPES = {
  traces: 'TracesReceived.v1',
  logs: 'LogsReceived.v1',
  metrics: 'MetricsReceived.v1',
} as const satisfies Record<Signal, string>;

/**
 * A slice of a body too large for one append; the event's body is the slice. Without its closing event it has no
 * meaning.
 */
export interface TelemetryPart {
  readonly gridId: string;
  /** Id of the closing `TelemetryReceived` event. */
  readonly request: string;
  /** 0-based index of the slice in the request. */
  readonly index: number;
}

export const TELEMETRY_PART_TYPE = 'TelemetryPart.v1';

/** Telemetry of the Grid with a timestamp before `before` (ms since 1970) has been deleted from the read models. */
export interface TelemetryExpired {
  readonly gridId: string;
  readonly before: number;
  readonly at: number;
}

export const TELEMETRY_EXPIRED_TYPE = 'TelemetryExpired.v1';
