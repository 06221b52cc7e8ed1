/** Streams of log lines as clients of Loki push them (https://grafana.com/docs/loki/latest/reference/loki-http-api/#ingest-logs). */
export interface LokiStream {
  readonly labels: LabelPairs;
  /** In the order of the body; to be read before the next stream. */
  readonly entries: Iterable<LokiEntry>;
}

export interface LokiEntry {
  /** ns since 1970; negative if the client says so. */
  readonly timestampNs: bigint;
  readonly line: string;
  /** Structured metadata. */
  readonly metadata: LabelPairs;
}

export type LabelPairs = readonly (readonly [name: string, value: string])[];

/** Formats of a body: JSON, or the protobuf message PushRequest. */
export type LokiFormat = 'loki-json' | 'loki-protobuf';
