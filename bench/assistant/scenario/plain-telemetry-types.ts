/** Telemetry as plain lists, for sending and for the oracle. Times are µs since 1970, ids hex. */

/** Numeric values as in OTLP. */
export const SPAN_KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

export interface PlainException {
  readonly type: string;
  readonly message: string;
}

export interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** "" for a root. */
  readonly parentSpanId: string;
  readonly service: string;
  readonly operation: string;
  readonly kind: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly failed: boolean;
  readonly version: string;
  readonly instance: string;
  /** The called dependency, if it is not a service of the shop. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly exception?: PlainException;
}

export interface PlainLog {
  readonly service: string;
  readonly atUs: number;
  /** SeverityNumber: 9 information, 13 warning, 17 error. */
  readonly severity: number;
  readonly body: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface PlainPoint {
  readonly service: string;
  readonly metric: string;
  readonly unit: string;
  /** A gauge, or a cumulative sum. */
  readonly kind: 'gauge' | 'counter' | 'sum';
  readonly atUs: number;
  readonly value: number;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface PlainTelemetry {
  readonly spans: readonly PlainSpan[];
  readonly logs: readonly PlainLog[];
  readonly points: readonly PlainPoint[];
}
