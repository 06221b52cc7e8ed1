import { isoMillis } from '../../telemetry/time.js';
import type { FindTraces, SpanDetail, SpanEvent, SpanSummary, TraceError, TraceFilterOptions } from '../../queries/answers.js';
import { PresentedList } from '../presented-list.js';
import { TraceListFilterModel } from '../requests/trace-list-filter.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { TraceLogs } from '../schemas/logs.js';
import {
  SpanDetail as SpanDetailSchema, type SpanEvent as SpanEventSchema, SpanEvents, type SpanInTrace, SpanTags, type TraceError as TraceErrorSchema, TraceErrors,
  TraceFilterOptions as TraceFilterOptionsSchema, type TraceListItem, TracePage, TraceSpans,
} from '../schemas/spans.js';
import type { Shown } from '../schemas/terms.js';
import { presentTraceLog } from './logs.js';
import { hexId, stringForms, timeRange } from './questions.js';

const NO_SPAN = 'No span of this id is known in the Grid.';
const NO_TRACE = 'No trace of this id is known in the Grid.';

const shared = { tag: 'Traces', grid: 'path', roles: EVERY_ROLE } as const;

export const traceRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/apm/traces/{gridSecondaryId}',
    operationId: 'searchTraces',
    summary: 'Search traces',
    description: 'One item a trace, newest first. With nothing but a range the item is the root span, and the range holds its start; with conditions the range is one more of them, and the item is the span nearest the root that meets all.',
    body: TraceListFilterModel,
    run: async ({ telemetry }, { params, body }) => {
      const found = await telemetry.findTraces(findTraces(params.gridSecondaryId, body));
      return { ...found, page: body.page, pageSize: body.pageSize };
    },
    answer: TracePage,
    present: ({ items, totalCount, page, pageSize }) => ({ items: new PresentedList(items, presentListItem), totalCount, page, pageSize }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/details/{spanId}',
    operationId: 'getSpanDetail',
    summary: 'Read one span with its attributes',
    missing: NO_SPAN,
    run: ({ telemetry }, { params }) => telemetry.spanDetail(params.gridSecondaryId, hexId(params.spanId)),
    answer: SpanDetailSchema,
    present: presentSpanDetail,
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/filters',
    operationId: 'getTraceFilters',
    summary: 'List the values that traces can be filtered by',
    run: ({ telemetry }, { params }) => telemetry.traceFilterOptions(params.gridSecondaryId),
    answer: TraceFilterOptionsSchema,
    present: presentFilterOptions,
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/correlations/{traceId}/spans',
    operationId: 'getTraceSpans',
    summary: 'List all spans of a trace',
    missing: NO_TRACE,
    run: async ({ telemetry }, { params }) => {
      const traceId = hexId(params.traceId);
      const spans = await telemetry.traceSpans(params.gridSecondaryId, traceId);
      return spans && { traceId, spans };
    },
    answer: TraceSpans,
    present: ({ traceId, spans }) => ({ traceId, spans: new PresentedList(spans, presentSpanInTrace) }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/correlations/{traceId}/logs',
    operationId: 'getTraceLogs',
    summary: 'List the log entries of a trace',
    missing: NO_TRACE,
    run: async ({ telemetry }, { params }) => {
      const traceId = hexId(params.traceId);
      const logs = await telemetry.traceLogs(params.gridSecondaryId, traceId);
      return logs && { traceId, logs };
    },
    answer: TraceLogs,
    present: ({ traceId, logs }) => ({ traceId, logs: new PresentedList(logs, presentTraceLog) }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/correlations/{traceId}/errors',
    operationId: 'getTraceErrors',
    summary: 'List the exceptions of a trace',
    missing: NO_TRACE,
    run: async ({ telemetry }, { params }) => {
      const traceId = hexId(params.traceId);
      const errors = await telemetry.traceErrors(params.gridSecondaryId, traceId);
      return errors && { traceId, errors };
    },
    answer: TraceErrors,
    present: ({ traceId, errors }) => ({ traceId, errors: new PresentedList(errors, presentTraceError) }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/spans/{spanId}/tags',
    operationId: 'getSpanTags',
    summary: 'Read the tags of a span, those of its resource included',
    missing: NO_SPAN,
    run: async ({ telemetry }, { params }) => {
      const spanId = hexId(params.spanId);
      const tags = await telemetry.spanTags(params.gridSecondaryId, spanId);
      return tags && { spanId, tags };
    },
    answer: SpanTags,
    present: ({ spanId, tags }) => ({ spanId, tags }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/spans/{spanId}/events',
    operationId: 'getSpanEvents',
    summary: 'Read the events of a span',
    missing: NO_SPAN,
    run: async ({ telemetry }, { params }) => {
      const spanId = hexId(params.spanId);
      const events = await telemetry.spanEvents(params.gridSecondaryId, spanId);
      return events && { spanId, events };
    },
    answer: SpanEvents,
    present: ({ spanId, events }) => ({ spanId, events: new PresentedList(events, presentSpanEvent) }),
  }),
];

function findTraces(gridId: string, filter: TraceListFilterModel): FindTraces {
  const { serviceName, operationName, minDuration, maxDuration, status, tags, page, pageSize } = filter;
  return {
    gridId,
    range: timeRange(filter),
    ...(serviceName !== undefined && { serviceName }),
    ...(operationName !== undefined && { operationName }),
    ...(minDuration !== undefined && { minDurationMs: minDuration }),
    ...(maxDuration !== undefined && { maxDurationMs: maxDuration }),
    ...(status !== undefined && { status }),
    ...(tags !== undefined && { tags: stringForms(tags) }),
    page,
    pageSize,
  };
}

function presentListItem(span: SpanSummary): Shown<typeof TraceListItem> {
  const { traceId, spanId, serviceName, operationName, durationMs, status, start, end } = span;
  return { traceId, spanId, serviceName, operationName, duration: durationMs, status, startTime: isoMillis(start), endTime: isoMillis(end) };
}

function presentSpanInTrace(span: SpanSummary): Shown<typeof SpanInTrace> {
  const { spanId, parentSpanId, serviceName, operationName, spanKind, status, start, durationMs } = span;
  return { spanId, parentSpanId, serviceName, operationName, spanKind, status, startTime: isoMillis(start), duration: durationMs };
}

function presentSpanDetail(span: SpanDetail): Shown<typeof SpanDetailSchema> {
  const { traceId, spanId, parentSpanId, serviceName, operationName, spanKind, status, statusMessage, start, end, durationMs, attributes } = span;
  return {
    traceId, spanId, parentSpanId, serviceName, operationName, spanKind, status, statusMessage,
    startTime: isoMillis(start), endTime: isoMillis(end), duration: durationMs, attributes,
  };
}

function presentTraceError(error: TraceError): Shown<typeof TraceErrorSchema> {
  const { time, spanId, serviceName, exceptionType, message, stackTrace, attributes } = error;
  return { timestamp: isoMillis(time), spanId, serviceName, exceptionType, message, stackTrace, attributes };
}

function presentSpanEvent({ name, time, attributes }: SpanEvent): Shown<typeof SpanEventSchema> {
  return { name, timestamp: isoMillis(time), attributes };
}

function presentFilterOptions({ serviceNames, operationNames, statusValues, tagKeys }: TraceFilterOptions): Shown<typeof TraceFilterOptionsSchema> {
  return { serviceNames, operationNames, statusValues, tagKeys };
}
