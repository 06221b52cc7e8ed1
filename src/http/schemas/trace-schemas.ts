import Type from 'typebox';
import { SPAN_KINDS } from '../../telemetry/span-kind.js';
import { SPAN_STATUS_CODES } from '../../telemetry/span-status.js';
import {
  attributes,
  choice,
  count,
  damageMarker,
  flag,
  inlineRecord,
  instant,
  listOf,
  nullable,
  record,
  text,
  unixNanos,
} from './schema-builders.js';

const TRACE_ID = '5b8efff798038103d269b633813fc60c';
const SPAN_ID = 'eee19b7ec3c1b174';

/** Fields that traces and logs have in common. */
export const traceId = text('Id of the trace: 32 lower-case hexadecimal digits.', TRACE_ID);
export const spanId = text('Id of the span: 16 lower-case hexadecimal digits.', SPAN_ID);
export const serviceName = text('Name of the service (`service.name` of its resource).', 'checkout');
const parentSpanId = nullable(
  text('Id of the parent span.', 'a1b2c3d4e5f60718'),
  'Id of the parent span; null for the root span.',
);
const operationName = text('Name of the span.', 'POST /orders');
const spanKind = choice(SPAN_KINDS, 'Kind of the span.', 'SERVER');
const status = choice(
  ['OK', 'ERROR'] as const,
  'ERROR if the status code of the span is ERROR, otherwise OK.',
  'ERROR',
);
const duration = count('Duration in whole milliseconds, rounded down; 0 if the span ends before it starts.', 1_840);
const startTime = instant('When the span started.', '2026-03-14T09:26:53.589Z');
const endTime = instant('When the span ended.', '2026-03-14T09:26:55.429Z');
/** The same in full, beside the milliseconds of the specification. */
const exactTimes = {
  durationNs: count('Duration in nanoseconds; 0 if the span ends before it starts.', 1_840_115_302),
  startTimeUnixNano: unixNanos('When the span started.', '1773480413589123456'),
  endTimeUnixNano: unixNanos('When the span ended.', '1773480415429238758'),
};
export const flags = count('Flags as sent; the lowest 8 bits are the W3C trace flags (1: sampled).', 257);
export const droppedAttributesCount = count('Attributes that the sender dropped because of its limits.', 0);
export const scope = inlineRecord('Instrumentation scope: the library that recorded it. Empty if not sent.', {
  name: text('Name of the scope.', '@opentelemetry/instrumentation-http'),
  version: text('Version of the scope.', '0.52.1'),
  attributes: attributes('Attributes of the scope.'),
});

export const TraceListItem = record(
  'TraceListItem',
  'A matching trace, represented by one of its spans: the root span if only a range was given, otherwise the matching span nearest to the root.',
  {
    traceId,
    spanId,
    serviceName,
    operationName,
    duration,
    status,
    startTime,
    endTime,
    ...exactTimes,
    rootArrived: flag(
      'Whether the root span of the trace has arrived. Until then the item is a part of the trace, whose duration and status are not those of the whole.',
      true,
    ),
  },
);

export const page = count('Page number; the first page is 1.', 1);
export const pageSize = count('Items per page.', 20);

export const TracePage = record('TracePage', 'One page of matching traces, newest first.', {
  items: listOf(TraceListItem, 'One item per trace, sorted by startTime, newest first.'),
  totalCount: count('Exact number of matching traces on all pages.', 1),
  page,
  pageSize,
});

export const SpanLink = record('SpanLink', 'A link of a span to another span.', {
  traceId: text('Trace of the other span, hexadecimal as sent.', TRACE_ID),
  spanId: text('Id of the other span, hexadecimal as sent.', SPAN_ID),
  traceState: text('W3C trace state; empty if there is none.', 'vendor=1'),
  flags,
  attributes: attributes('Attributes of the link.'),
  droppedAttributesCount,
});

export const SpanDetail = record('SpanDetail', 'A span with its attributes.', {
  traceId,
  spanId,
  parentSpanId,
  serviceName,
  operationName,
  spanKind,
  status,
  statusCode: choice(SPAN_STATUS_CODES, 'Status code as sent; UNSET if none was.', 'ERROR'),
  statusMessage: text('Status message of the span; empty if there is none.', 'upstream timed out'),
  startTime,
  endTime,
  duration,
  ...exactTimes,
  traceState: text('W3C trace state; empty if there is none.', 'vendor=1'),
  flags,
  scope,
  attributes: attributes('Attributes of the span.'),
  links: listOf(SpanLink, 'Links in the order in which they were sent; empty if the span has none.'),
  droppedAttributesCount,
  droppedEventsCount: count('Events that the sender dropped because of its limits.', 0),
  droppedLinksCount: count('Links that the sender dropped because of its limits.', 0),
  damaged: damageMarker('status message, attributes, links and scope are empty'),
});

export const SpanInTrace = record('SpanInTrace', 'A span of a trace.', {
  spanId,
  parentSpanId,
  serviceName,
  operationName,
  spanKind,
  status,
  startTime,
  duration,
  ...exactTimes,
});

export const TraceSpans = record('TraceSpans', 'All spans of one trace.', {
  traceId,
  spans: listOf(SpanInTrace, 'Sorted by time, oldest first.'),
});

export const TraceError = record(
  'TraceError',
  'An exception recorded in a span event or a log entry. An exception recorded in both is listed once.',
  {
    timestamp: instant('When it happened.', '2026-03-14T09:26:55.401Z'),
    spanId,
    serviceName,
    exceptionType: text('Type of the exception (`exception.type`).', 'java.net.SocketTimeoutException'),
    message: text('Message of the exception (`exception.message`).', 'Read timed out'),
    stackTrace: text(
      'Stack trace (`exception.stacktrace`); empty if not recorded.',
      'java.net.SocketTimeoutException: Read timed out\n\tat PaymentClient.charge(PaymentClient.java:42)',
    ),
    attributes: attributes('All attributes of the event or the log entry.'),
  },
);

export const TraceErrors = record('TraceErrors', 'The exceptions of one trace.', {
  traceId,
  errors: listOf(TraceError, 'Sorted by time, oldest first; empty if the trace has none.'),
  damagedRecords: Type.Optional(
    count(
      'Spans and log entries of the trace whose stored records are damaged: their exceptions are missing or empty. Absent if there are none.',
      1,
    ),
  ),
});
export const SpanTags = record('SpanTags', 'The tags of a span.', {
  spanId,
  tags: attributes(
    'Attributes of the span and of its resource. If both have the same key, the value of the span is returned.',
  ),
  damaged: damageMarker('tags are empty'),
});

export const SpanEvent = record('SpanEvent', 'An event of a span.', {
  name: text('Name of the event.', 'retry'),
  timestamp: instant('When it happened.', '2026-03-14T09:26:54.120Z'),
  timeUnixNano: unixNanos('When it happened.', '1773480414120004217'),
  attributes: attributes('Attributes of the event.'),
  droppedAttributesCount,
});

export const SpanEvents = record('SpanEvents', 'The events of one span.', {
  spanId,
  events: listOf(SpanEvent, 'In the order in which they were sent; empty if the span has none.'),
  damaged: damageMarker('events are unknown and the list is empty'),
});

export const TraceFilterOptions = record('TraceFilterOptions', 'Values for filtering traces.', {
  serviceNames: listOf(text('Name of a service.', 'checkout'), 'Service names.'),
  operationNames: listOf(text('Name of a span.', 'POST /orders'), 'Span names.'),
  statusValues: listOf(status, 'Status values.'),
  tagKeys: listOf(text('Key of an attribute.', 'http.route'), 'Attribute keys of spans and resources.'),
});
