import type { Attributes } from '../../telemetry/attributes.js';
import type { SeverityLevel } from '../../telemetry/log-severity.js';
import type { SpanRecord } from '../../telemetry/otlp/decoding/record-decoder.js';
import type { Scope } from '../../telemetry/otlp/decoding/record-resource.js';
import type { SpanKind } from '../../telemetry/span-kind.js';
import type { SpanStatusCode } from '../../telemetry/span-status.js';

import type { TraceComparison } from '../traces/trace-comparison-types.js';
import type { ErrorGroupQueries } from '../errors/error-group-query-types.js';
import type { DifferencesAnswer, DifferencesQuery, Query, QueryAnswer } from '../query/query-model.js';

export type { SeverityLevel, SpanKind };

/** Nanoseconds since 1970. */
export type UnixNanos = bigint;

/** Half-open time range in µs since 1970: from ≤ t < to. */
export interface TimeRange {
  readonly fromUs: number;
  readonly toUs: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Exact. */
  readonly totalCount: number;
}

/** A page of log records. */
export interface LogPage extends Page<LogEntry> {
  /**
   * Records that meet all other conditions and whose text could not be compared with a phrase, because they are damaged;
   * neither in `items` nor in `totalCount`. Absent if there are none.
   */
  readonly damagedRecords?: number;
}

export type SpanStatus = 'OK' | 'ERROR';

export interface TraceQuery {
  readonly gridId: string;
  readonly range: TimeRange;
  readonly serviceName?: string;
  readonly operationName?: string;
  /** Inclusive bounds of the duration in whole ms (rounded down). */
  readonly minDurationMs?: number;
  readonly maxDurationMs?: number;
  readonly status?: SpanStatus;
  /** All must match a span or resource attribute, as text. */
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
  /** As received; may be before `start`. */
  readonly end: UnixNanos;
  readonly durationMs: number;
}

/** The span that represents a trace in a list. */
export interface FoundTrace extends SpanSummary {
  /** Whether a root of the trace has arrived; until then its duration and status may be those of a part. */
  readonly rootArrived: boolean;
}

/** With `damaged`, the stored span is damaged: what only the stored span contains is empty. */
export interface SpanDetail extends SpanSummary, StoredSpanFields {
  readonly damaged?: true;
  readonly statusCode: SpanStatusCode;
  readonly scope: Scope;
}

/** What only the stored span contains, as it was sent. */
type StoredSpanFields = Pick<
  SpanRecord,
  | 'statusMessage'
  | 'attributes'
  | 'traceState'
  | 'flags'
  | 'links'
  | 'droppedAttributesCount'
  | 'droppedEventsCount'
  | 'droppedLinksCount'
>;

export interface SpanEvent {
  readonly name: string;
  readonly time: UnixNanos;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
}

/** With `damaged`, the stored span is damaged: its events are unknown. */
export interface SpanEvents {
  readonly events: readonly SpanEvent[];
  readonly damaged?: true;
}

/** Span and resource attributes; span attributes take precedence. With `damaged`, the stored span is damaged. */
export interface SpanTags {
  readonly tags: Attributes;
  readonly damaged?: true;
}

export interface TraceErrors {
  /** Oldest first. */
  readonly errors: readonly TraceError[];
  /** Spans and exception logs of the trace that are damaged: exceptions may be missing or empty. Absent if none. */
  readonly damagedRecords?: number;
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

/** With `damaged`, the stored record is damaged: body, attributes and resource are empty. */
export interface LogEntry {
  readonly damaged?: true;
  /** Opaque. */
  readonly id: string;
  readonly time: UnixNanos;
  readonly severityLevel: SeverityLevel;
  readonly severityNumber: number;
  readonly body: string;
  readonly serviceName: string;
  /** "" if the record has none. */
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

/**
 * Only the detail of one record includes its resource, which may be megabytes and would be repeated for each record
 * in a list.
 */
export interface LogDetail extends LogEntry {
  readonly resource: Attributes;
  readonly scope: Scope;
  /** "" if the record has none, as the next. */
  readonly eventName: string;
  readonly severityText: string;
  /** Absent if the record has none. */
  readonly observedTime?: UnixNanos;
  readonly flags: number;
  readonly droppedAttributesCount: number;
}

export interface LogQuery {
  readonly gridId: string;
  readonly range: TimeRange;
  readonly severityLevel?: SeverityLevel;
  readonly serviceName?: string;
  /** Full-text search: all words, `prefix*`, `"a phrase"`. */
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

/** An attribute of a span or its resource, with its value in the string form. */
export interface AttributeText {
  readonly key: string;
  readonly text: string;
}

export interface HeldAttributesQuery {
  readonly gridId: string;
  readonly range: TimeRange;
  readonly attributes: readonly AttributeText[];
}

/** All trace and log queries; the interface of the telemetry query thread. `undefined` means that the id is unknown. */
export interface TelemetryQueries extends ErrorGroupQueries {
  findTraces(query: TraceQuery): Promise<Page<FoundTrace>>;
  spanDetail(gridId: string, spanId: string): Promise<SpanDetail | undefined>;
  spanEvents(gridId: string, spanId: string): Promise<SpanEvents | undefined>;
  spanTags(gridId: string, spanId: string): Promise<SpanTags | undefined>;
  /** Oldest first. */
  traceSpans(gridId: string, traceId: string): Promise<readonly SpanSummary[] | undefined>;
  traceLogs(gridId: string, traceId: string): Promise<readonly LogEntry[] | undefined>;
  traceErrors(gridId: string, traceId: string): Promise<TraceErrors | undefined>;
  /** Undefined unless spans of both are known. */
  compareTraces(gridId: string, traceId: string, baselineTraceId: string): Promise<TraceComparison | undefined>;
  traceFilterOptions(gridId: string): Promise<TraceFilterOptions>;
  /** Those of the attributes that a span has. Also looks at spans that arrived together with those of the range. */
  findHeldAttributes(query: HeldAttributesQuery): Promise<readonly AttributeText[]>;
  findLogs(query: LogQuery): Promise<LogPage>;
  /** By log id, otherwise the newest entry of the span with this id. */
  logDetail(gridId: string, id: string): Promise<LogDetail | undefined>;
  logFilterOptions(gridId: string): Promise<LogFilterOptions>;
  /** Answers a query of any kind. `queryId` is unique; `cancelQuery` with it ends the query, which then rejects. */
  runQuery(query: Query, queryId: string): Promise<QueryAnswer>;
  /** Finds what sets a selection of records apart; cancelled like a query. */
  findDifferences(query: DifferencesQuery, queryId: string): Promise<DifferencesAnswer>;
  /** Does nothing if no such query runs. */
  cancelQuery(queryId: string): Promise<void>;
}
