import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { Signal } from '../../telemetry/signals.js';

/**
 * One export request, as it was accepted. The event's body is the protobuf request in `encoding`
 * (OTLP/JSON was turned into protobuf before it was appended).
 */
export interface TelemetryReceived {
  readonly gridId: string;
  readonly signal: Signal;
  /** Records (spans, log records, data points) that were accepted. */
  readonly accepted: number;
  /**
   * Records that were refused: 0-based indices in the order in which they stand in the body, counted over the whole
   * request, ascending. Everyone who decodes the body passes these by.
   */
  readonly rejected: readonly number[];
  readonly keyId: string;
  /** Milliseconds since 1970, when the request arrived. */
  readonly receivedAt: number;
  /** Hex SHA-256 over Grid id, signal and the inflated body as received: the identity of the request. */
  readonly identity: string;
  readonly encoding: ContentEncoding;
  /** Bytes of the inflated protobuf body. */
  readonly inflatedBytes: number;
  /** Where the body is spread over part events: how many. Absent: the body is this event's own. */
  readonly parts?: number;
  /**
   * Revisions of the part events in this stream, in the order of the body; present whenever `parts` is.
   * Other requests may stand between them.
   */
  readonly partRevisions?: readonly number[];
}

export const TELEMETRY_RECEIVED_TYPES = {
  traces: 'TracesReceived.v1',
  logs: 'LogsReceived.v1',
  metrics: 'MetricsReceived.v1',
} as const satisfies Record<Signal, string>;

/**
 * A slice of a body that was too large for one append; the event's body is the slice.
 * Without its closing event it means nothing.
 */
export interface TelemetryPart {
  readonly gridId: string;
  /** Id of the closing event. */
  readonly request: string;
  /** 0-based place among the slices of the request. */
  readonly index: number;
}

export const TELEMETRY_PART_TYPE = 'TelemetryPart.v1';

/** Telemetry of the Grid with a timestamp before `before` (ms since 1970) has left the read models. */
export interface TelemetryExpired {
  readonly gridId: string;
  readonly before: number;
  readonly at: number;
}

export const TELEMETRY_EXPIRED_TYPE = 'TelemetryExpired.v1';
