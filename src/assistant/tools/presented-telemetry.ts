import type { LogEntry, SpanDetail, SpanEvent, SpanSummary, TraceError } from '../../queries/answers.js';
import { isoOfNanos } from './instant.js';

/** Spans, logs and exceptions with the members that the API gives them. Attributes are data of the sender. */

export type ListedTrace = ReturnType<typeof listedTrace>;
export type ListedLog = ReturnType<typeof listedLog>;

export function listedTrace({ traceId, spanId, serviceName, operationName, durationMs, status, start, end }: SpanSummary) {
  return { traceId, spanId, serviceName, operationName, duration: durationMs, status, startTime: isoOfNanos(start), endTime: isoOfNanos(end) };
}

export function traceSpan({ spanId, parentSpanId, serviceName, operationName, spanKind, status, start, durationMs }: SpanSummary) {
  return { spanId, parentSpanId, serviceName, operationName, spanKind, status, startTime: isoOfNanos(start), duration: durationMs };
}

export function spanDetail({ traceId, spanId, parentSpanId, serviceName, operationName, spanKind, status, statusMessage, start, end, durationMs, attributes }: SpanDetail) {
  const times = { startTime: isoOfNanos(start), endTime: isoOfNanos(end), duration: durationMs };
  return { traceId, spanId, parentSpanId, serviceName, operationName, spanKind, status, statusMessage, ...times, attributes };
}

export function spanEvent({ name, time, attributes }: SpanEvent) {
  return { name, timestamp: isoOfNanos(time), attributes };
}

export function traceError({ time, spanId, serviceName, exceptionType, message, stackTrace, attributes }: TraceError) {
  return { timestamp: isoOfNanos(time), spanId, serviceName, exceptionType, message, stackTrace, attributes };
}

export function listedLog({ id, time, severityLevel, body, serviceName, traceId, spanId, attributes }: LogEntry) {
  return { id, timestamp: isoOfNanos(time), severityLevel, body, serviceName, traceId, spanId, attributes };
}
