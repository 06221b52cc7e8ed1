import { SPAN_KINDS } from '../../telemetry/span-kind.js';
import { attributes, choice, count, instant, listOf, nullable, record, text } from './schema-builders.js';

const TRACE_ID = '5b8efff798038103d269b633813fc60c';
const SPAN_ID = 'eee19b7ec3c1b174';

/** Fields that records of traces and logs have in common. */
export const traceId = text('Id of the trace: 32 lower-case hexadecimal digits.', TRACE_ID);
export const spanId = text('Id of the span: 16 lower-case hexadecimal digits.', SPAN_ID);
export const serviceName = text('Name of the service (`service.name` of its resource).', 'checkout');
const parentSpanId = nullable(
  text('Id of the parent span.', 'a1b2c3d4e5f60718'),
  'Id of the parent span; null for the root of a trace.',
);
const operationName = text('Name of the span.', 'POST /orders');
const spanKind = choice(SPAN_KINDS, 'Kind of the span.', 'SERVER');
const status = choice(['OK', 'ERROR'] as const, 'ERROR where the status code of the span is ERROR, else OK.', 'ERROR');
const duration = count('Duration in whole milliseconds, rounded down; 0 for a span that ends before it starts.', 1_840);
const startTime = instant('When the span started.', '2026-03-14T09:26:53.589Z');
const endTime = instant('When the span ended.', '2026-03-14T09:26:55.429Z');

export const TraceListItem = record(
  'TraceListItem',
  'A trace that was found, told by one of its spans: the root where nothing but a range was asked for, else the one nearest the root that meets all conditions.',
  {
    traceId,
    spanId,
    serviceName,
    operationName,
    duration,
    status,
    startTime,
    endTime,
  },
);

export const page = count('The page that this is; the first is 1.', 1);
export const pageSize = count('Items of a full page.', 20);

export const TracePage = record('TracePage', 'One page of the traces that were found, newest first.', {
  items: listOf(TraceListItem, 'One item a trace, newest first by startTime.'),
  totalCount: count('Traces that were found, on all pages together; exact.', 1),
  page,
  pageSize,
});

export const SpanDetail = record('SpanDetail', 'One span with its attributes.', {
  traceId,
  spanId,
  parentSpanId,
  serviceName,
  operationName,
  spanKind,
  status,
  statusMessage: text('Message of the status of the span; empty where it has none.', 'upstream timed out'),
  startTime,
  endTime,
  duration,
  attributes: attributes('Attributes of the span.'),
});

export const SpanInTrace = record('SpanInTrace', 'A span as the list of its trace shows it.', {
  spanId,
  parentSpanId,
  serviceName,
  operationName,
  spanKind,
  status,
  startTime,
  duration,
});

export const TraceSpans = record('TraceSpans', 'All spans of one trace.', {
  traceId,
  spans: listOf(SpanInTrace, 'The oldest first.'),
});

export const TraceError = record(
  'TraceError',
  'An exception: of an event of a span, or of a log entry; once where both tell of the same one.',
  {
    timestamp: instant('When it happened.', '2026-03-14T09:26:55.401Z'),
    spanId,
    serviceName,
    exceptionType: text('Type of the exception (`exception.type`).', 'java.net.SocketTimeoutException'),
    message: text('What it says (`exception.message`).', 'Read timed out'),
    stackTrace: text(
      'Where it was thrown (`exception.stacktrace`); empty where nobody said.',
      'java.net.SocketTimeoutException: Read timed out\n\tat PaymentClient.charge(PaymentClient.java:42)',
    ),
    attributes: attributes('All attributes of the event or the log entry.'),
  },
);

export const TraceErrors = record('TraceErrors', 'The exceptions of one trace.', {
  traceId,
  errors: listOf(TraceError, 'The oldest first; empty where the trace has none.'),
});
export const SpanTags = record('SpanTags', 'What can be told of a span by tags.', {
  spanId,
  tags: attributes('Attributes of the span and of its resource; of one name, that of the span.'),
});

export const SpanEvent = record('SpanEvent', 'Something that happened while a span was open.', {
  name: text('Name of the event.', 'retry'),
  timestamp: instant('When it happened.', '2026-03-14T09:26:54.120Z'),
  attributes: attributes('Attributes of the event.'),
});

export const SpanEvents = record('SpanEvents', 'The events of one span.', {
  spanId,
  events: listOf(SpanEvent, 'In the order in which they were sent; empty where the span has none.'),
});

export const TraceFilterOptions = record('TraceFilterOptions', 'Values that traces can be filtered by.', {
  serviceNames: listOf(text('Name of a service.', 'checkout'), 'Names of the services.'),
  operationNames: listOf(text('Name of a span.', 'POST /orders'), 'Names of spans.'),
  statusValues: listOf(status, 'Values of the status.'),
  tagKeys: listOf(text('Key of an attribute.', 'http.route'), 'Keys of attributes of spans and resources.'),
});
