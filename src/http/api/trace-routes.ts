import { formatIsoMillis } from '../../telemetry/unix-time.js';
import type {
  TraceQuery,
  SpanDetail,
  SpanEvent,
  SpanSummary,
  TraceError,
  TraceFilterOptions,
} from '../../queries/telemetry/telemetry-query-types.js';
import { StreamedList } from '../responses/streamed-list.js';
import { TraceListFilterModel } from '../requests/telemetry-search-requests.js';
import { EVERY_ROLE, defineRoute, type Route } from '../route.js';
import { TraceLogs } from '../schemas/log-schemas.js';
import {
  SpanDetail as SpanDetailSchema,
  type SpanEvent as SpanEventSchema,
  SpanEvents,
  type SpanInTrace,
  SpanTags,
  type TraceError as TraceErrorSchema,
  TraceErrors,
  TraceFilterOptions as TraceFilterOptionsSchema,
  type TraceListItem,
  TracePage,
  TraceSpans,
} from '../schemas/trace-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { presentTraceLog } from './log-routes.js';
import { normalizeHexId, toStringForms, toTimeRange } from './value-conversions.js';

const SPAN_NOT_FOUND = 'No span of this id is known in the Grid.';
const TRACE_NOT_FOUND = 'No trace of this id is known in the Grid.';
const TRACE_ROUTE = { tag: 'Traces', grid: 'path', roles: EVERY_ROLE } as const;

export const traceRoutes: readonly Route[] = [
  defineRoute({
    ...TRACE_ROUTE,
    method: 'POST',
    path: '/apm/traces/{gridSecondaryId}',
    operationId: 'searchTraces',
    summary: 'Search traces',
    description:
      'One item a trace, newest first. With nothing but a range the item is the root span, and the range holds its start; with conditions the range is one more of them, and the item is the span nearest the root that meets all.',
    body: TraceListFilterModel,
    run: async ({ telemetry }, { params, body }) => {
      const found = await telemetry.findTraces(toFindTraces(params.gridSecondaryId, body));
      return { ...found, page: body.page, pageSize: body.pageSize };
    },
    answer: TracePage,
    present: ({ items, totalCount, page, pageSize }) => ({
      items: new StreamedList(items, presentTraceListItem),
      totalCount,
      page,
      pageSize,
    }),
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/details/{spanId}',
    operationId: 'getSpanDetail',
    summary: 'Read one span with its attributes',
    missing: SPAN_NOT_FOUND,
    run: ({ telemetry }, { params }) => telemetry.spanDetail(params.gridSecondaryId, normalizeHexId(params.spanId)),
    answer: SpanDetailSchema,
    present: presentSpanDetail,
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/filters',
    operationId: 'getTraceFilters',
    summary: 'List the values that traces can be filtered by',
    run: ({ telemetry }, { params }) => telemetry.traceFilterOptions(params.gridSecondaryId),
    answer: TraceFilterOptionsSchema,
    present: presentTraceFilterOptions,
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/correlations/{traceId}/spans',
    operationId: 'getTraceSpans',
    summary: 'List all spans of a trace',
    missing: TRACE_NOT_FOUND,
    run: async ({ telemetry }, { params }) => {
      const traceId = normalizeHexId(params.traceId);
      const spans = await telemetry.traceSpans(params.gridSecondaryId, traceId);
      return spans && { traceId, spans };
    },
    answer: TraceSpans,
    present: ({ traceId, spans }) => ({ traceId, spans: new StreamedList(spans, presentSpanInTrace) }),
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/correlations/{traceId}/logs',
    operationId: 'getTraceLogs',
    summary: 'List the log entries of a trace',
    missing: TRACE_NOT_FOUND,
    run: async ({ telemetry }, { params }) => {
      const traceId = normalizeHexId(params.traceId);
      const logs = await telemetry.traceLogs(params.gridSecondaryId, traceId);
      return logs && { traceId, logs };
    },
    answer: TraceLogs,
    present: ({ traceId, logs }) => ({ traceId, logs: new StreamedList(logs, presentTraceLog) }),
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/correlations/{traceId}/errors',
    operationId: 'getTraceErrors',
    summary: 'List the exceptions of a trace',
    missing: TRACE_NOT_FOUND,
    run: async ({ telemetry }, { params }) => {
      const traceId = normalizeHexId(params.traceId);
      const errors = await telemetry.traceErrors(params.gridSecondaryId, traceId);
      return errors && { traceId, errors };
    },
    answer: TraceErrors,
    present: ({ traceId, errors }) => ({ traceId, errors: new StreamedList(errors, presentTraceError) }),
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/spans/{spanId}/tags',
    operationId: 'getSpanTags',
    summary: 'Read the tags of a span, those of its resource included',
    missing: SPAN_NOT_FOUND,
    run: async ({ telemetry }, { params }) => {
      const spanId = normalizeHexId(params.spanId);
      const tags = await telemetry.spanTags(params.gridSecondaryId, spanId);
      return tags && { spanId, tags };
    },
    answer: SpanTags,
    present: ({ spanId, tags }) => ({ spanId, tags }),
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/spans/{spanId}/events',
    operationId: 'getSpanEvents',
    summary: 'Read the events of a span',
    missing: SPAN_NOT_FOUND,
    run: async ({ telemetry }, { params }) => {
      const spanId = normalizeHexId(params.spanId);
      const events = await telemetry.spanEvents(params.gridSecondaryId, spanId);
      return events && { spanId, events };
    },
    answer: SpanEvents,
    present: ({ spanId, events }) => ({ spanId, events: new StreamedList(events, presentSpanEvent) }),
  }),
];

function toFindTraces(gridId: string, filter: TraceListFilterModel): TraceQuery {
  const { serviceName, operationName, minDuration, maxDuration, status, tags, page, pageSize } = filter;
  return {
    gridId,
    range: toTimeRange(filter),
    ...(serviceName !== undefined && { serviceName }),
    ...(operationName !== undefined && { operationName }),
    ...(minDuration !== undefined && { minDurationMs: minDuration }),
    ...(maxDuration !== undefined && { maxDurationMs: maxDuration }),
    ...(status !== undefined && { status }),
    ...(tags !== undefined && { tags: toStringForms(tags) }),
    page,
    pageSize,
  };
}

function presentTraceListItem(span: SpanSummary): ResponseBody<typeof TraceListItem> {
  const { traceId, spanId, serviceName, operationName, durationMs, status, start, end } = span;
  return {
    traceId,
    spanId,
    serviceName,
    operationName,
    duration: durationMs,
    status,
    startTime: formatIsoMillis(start),
    endTime: formatIsoMillis(end),
  };
}

function presentSpanInTrace(span: SpanSummary): ResponseBody<typeof SpanInTrace> {
  const { spanId, parentSpanId, serviceName, operationName, spanKind, status, start, durationMs } = span;
  return {
    spanId,
    parentSpanId,
    serviceName,
    operationName,
    spanKind,
    status,
    startTime: formatIsoMillis(start),
    duration: durationMs,
  };
}

function presentSpanDetail(span: SpanDetail): ResponseBody<typeof SpanDetailSchema> {
  const {
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
  } = span;
  return {
    traceId,
    spanId,
    parentSpanId,
    serviceName,
    operationName,
    spanKind,
    status,
    statusMessage,
    startTime: formatIsoMillis(start),
    endTime: formatIsoMillis(end),
    duration: durationMs,
    attributes,
  };
}

function presentTraceError(error: TraceError): ResponseBody<typeof TraceErrorSchema> {
  const { time, spanId, serviceName, exceptionType, message, stackTrace, attributes } = error;
  return { timestamp: formatIsoMillis(time), spanId, serviceName, exceptionType, message, stackTrace, attributes };
}

function presentSpanEvent({ name, time, attributes }: SpanEvent): ResponseBody<typeof SpanEventSchema> {
  return { name, timestamp: formatIsoMillis(time), attributes };
}

function presentTraceFilterOptions({
  serviceNames,
  operationNames,
  statusValues,
  tagKeys,
}: TraceFilterOptions): ResponseBody<typeof TraceFilterOptionsSchema> {
  return { serviceNames, operationNames, statusValues, tagKeys };
}
