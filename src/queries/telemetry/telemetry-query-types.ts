import type { Attributes } from '../../telemetry/attributes.js';
import type { SeverityLevel } from '../../telemetry/log-severity.js';
import type { SpanKind } from '../../telemetry/span-kind.js';

export type { SeverityLevel, SpanKind };

/** Nanoseconds since 1970. */
export type UnixNanos = bigint;

/** A half-open range of time in microseconds since 1970: from ≤ t < to. */
export interface TimeRange {
  readonly fromUs: number;
  readonly toUs: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Exact. */
  readonly totalCount: number;
}

export type SpanStatus = 'OK' | 'ERROR';

export interface TraceQuery {
  readonly gridId: string;
  readonly range: TimeRange;
  readonly serviceName?: string;
  readonly operationName?: string;
  /** Inclusive bounds of the duration in whole ms (nanoseconds rounded down). */
  readonly minDurationMs?: number;
  readonly maxDurationMs?: number;
  readonly status?: SpanStatus;
  /** String forms, all must match a span or resource attribute. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly page: number;
  readonly pageSize: number;
}

/** Ids are lower-case hex. */
export interface SpanSummary {
  readonly traceId: string;
  readonly spanId: string;
  /** Null for a root. */
  readonly parentSpanId: string | null;
  readonly serviceName: string;
  readonly operationName: string;
  readonly spanKind: SpanKind;
  readonly status: SpanStatus;
  readonly start: UnixNanos;
  /** As sent; may lie before `start`. */
  readonly end: UnixNanos;
  readonly durationMs: number;
}

export interface SpanDetail extends SpanSummary {
  readonly statusMessage: string;
  readonly attributes: Attributes;
}

export interface SpanEvent {
  readonly name: string;
  readonly time: UnixNanos;
  readonly attributes: Attributes;
}

export interface TraceError {
  readonly time: UnixNanos;
  readonly spanId: string;
  readonly serviceName: string;
  readonly exceptionType: string;
  readonly message: string;
  readonly stackTrace: string;
  readonly attributes: Attributes;
}

export interface LogEntry {
  /** Opaque. */
  readonly id: string;
  readonly time: UnixNanos;
  readonly severityLevel: SeverityLevel;
  readonly severityNumber: number;
  readonly body: string;
  readonly serviceName: string;
  /** "" where the record has none. */
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

/** Only the detail of one record tells its resource: in a list it would come as often as records share it, megabytes each. */
export interface LogDetail extends LogEntry {
  readonly resource: Attributes;
}

export interface LogQuery {
  readonly gridId: string;
  readonly range: TimeRange;
  readonly severityLevel?: SeverityLevel;
  readonly serviceName?: string;
  /** Full text: all words, `prefix*`, `"a phrase"`. */
  readonly body?: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly page: number;
  readonly pageSize: number;
}

export interface TraceFilterOptions {
  readonly serviceNames: readonly string[];
  readonly operationNames: readonly string[];
  readonly statusValues: readonly SpanStatus[];
  readonly tagKeys: readonly string[];
}

export interface LogFilterOptions {
  readonly severityLevels: readonly SeverityLevel[];
  readonly serviceNames: readonly string[];
  readonly attributeKeys: readonly string[];
}

/**
 * Every question about traces and logs, by name: the reader thread answers exactly these.
 * `undefined` means that nothing is known under the id.
 */
export interface TelemetryQueries {
  findTraces(question: TraceQuery): Promise<Page<SpanSummary>>;
  spanDetail(gridId: string, spanId: string): Promise<SpanDetail | undefined>;
  spanEvents(gridId: string, spanId: string): Promise<readonly SpanEvent[] | undefined>;
  /** Span attributes and resource attributes; a span's own win. */
  spanTags(gridId: string, spanId: string): Promise<Attributes | undefined>;
  /** Oldest first. */
  traceSpans(gridId: string, traceId: string): Promise<readonly SpanSummary[] | undefined>;
  traceLogs(gridId: string, traceId: string): Promise<readonly LogEntry[] | undefined>;
  traceErrors(gridId: string, traceId: string): Promise<readonly TraceError[] | undefined>;
  traceFilterOptions(gridId: string): Promise<TraceFilterOptions>;
  findLogs(question: LogQuery): Promise<Page<LogEntry>>;
  /** By log id, else the newest entry of the span with this id. */
  logDetail(gridId: string, id: string): Promise<LogDetail | undefined>;
  logFilterOptions(gridId: string): Promise<LogFilterOptions>;
}
