import { nanosToIsoString, toIsoString } from './tool-arguments.js';
import type {
  FoundTrace,
  LogEntry,
  SpanDetail,
  SpanEvent,
  SpanSummary,
  TraceError,
} from '../../queries/telemetry/telemetry-query-types.js';

/** Members that contain times: ms since 1970 in query results, ISO strings in the API and in tool results. */
const TIMESTAMP_MEMBERS = [
  'timestamp',
  'triggeredAt',
  'firstDetected',
  'recoveredAt',
  'detectedAt',
  'rangeStart',
  'rangeEnd',
  'createdAt',
  'updatedAt',
] as const;
type TimestampMember = (typeof TIMESTAMP_MEMBERS)[number];

/** A query result in the API's format. */
export type IsoTimestamped<Answer> = Answer extends readonly (infer Item)[]
  ? readonly IsoTimestamped<Item>[]
  : Answer extends object
    ? { readonly [Name in keyof Answer]: Name extends TimestampMember ? string : IsoTimestamped<Answer[Name]> }
    : Answer;

/** Not for results with attributes, whose names are arbitrary. */
export function toIsoTimestamped<Answer>(answer: Answer): IsoTimestamped<Answer> {
  return convertTimestamps(answer) as IsoTimestamped<Answer>;
}

function convertTimestamps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertTimestamps);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isTimestamp(name, member) ? toIsoString(member) : convertTimestamps(member),
    ]),
  );
}

function isTimestamp(name: string, member: unknown): member is number {
  return typeof member === 'number' && (TIMESTAMP_MEMBERS as readonly string[]).includes(name);
}

/** Spans, logs and exceptions with the API's member names. Attributes are copied unchanged. */

export type ListedTrace = ReturnType<typeof toListedTrace>;
export type ListedLog = ReturnType<typeof toListedLog>;

export function toListedTrace({
  traceId,
  spanId,
  serviceName,
  operationName,
  durationMs,
  status,
  start,
  end,
  rootArrived,
}: FoundTrace) {
  return {
    traceId,
    spanId,
    serviceName,
    operationName,
    duration: durationMs,
    status,
    startTime: nanosToIsoString(start),
    endTime: nanosToIsoString(end),
    rootArrived,
  };
}

export function toTraceSpan({
  spanId,
  parentSpanId,
  serviceName,
  operationName,
  spanKind,
  status,
  start,
  durationMs,
}: SpanSummary) {
  return {
    spanId,
    parentSpanId,
    serviceName,
    operationName,
    spanKind,
    status,
    startTime: nanosToIsoString(start),
    duration: durationMs,
  };
}

export function toSpanDetail({
  traceId,
  spanId,
  parentSpanId,
  serviceName,
  operationName,
  spanKind,
  status,
  statusMessage,
  start,
  end,
  durationMs,
  attributes,
  damaged,
}: SpanDetail) {
  const times = { startTime: nanosToIsoString(start), endTime: nanosToIsoString(end), duration: durationMs };
  return {
    traceId,
    spanId,
    parentSpanId,
    serviceName,
    operationName,
    spanKind,
    status,
    statusMessage,
    ...times,
    attributes,
    ...(damaged && { damaged }),
  };
}

export function toSpanEvent({ name, time, attributes }: SpanEvent) {
  return { name, timestamp: nanosToIsoString(time), attributes };
}

export function toTraceError({
  time,
  spanId,
  serviceName,
  exceptionType,
  message,
  stackTrace,
  attributes,
}: TraceError) {
  return { timestamp: nanosToIsoString(time), spanId, serviceName, exceptionType, message, stackTrace, attributes };
}

export function toListedLog(entry: LogEntry) {
  const { id, time, severityLevel, body, serviceName, traceId, spanId, attributes, damaged } = entry;
  const log = { id, timestamp: nanosToIsoString(time), severityLevel, body, serviceName, traceId, spanId, attributes };
  return { ...log, ...(damaged && { damaged }) };
}
