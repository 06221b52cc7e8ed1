import { formatIsoMillis } from '../../telemetry/unix-time.js';
import type {
  FoundTrace,
  TraceQuery,
  SpanDetail,
  SpanEvent,
  SpanSummary,
  TraceError,
  TraceFilterOptions,
} from '../../queries/telemetry/telemetry-query-types.js';
import { StreamedList } from '../responses/send-response.js';
import { TraceListFilterModel } from '../requests/telemetry-search-requests.js';
import { EVERY_ROLE, defineRoute, type Route } from '../route.js';
import { TraceLogs } from '../schemas/log-schemas.js';
import {
  SpanDetail as SpanDetailSchema,
  type SpanEvent as SpanEventSchema,
  SpanEvents,
  type SpanInTrace,
  type SpanLink,
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

const SPAN_NOT_FOUND = 'The Grid has no span with this id.';
const TRACE_NOT_FOUND = 'The Grid has no trace with this id.';
const TRACE_ROUTE = { tag: 'Traces', grid: 'path', roles: EVERY_ROLE } as const;

export const traceRoutes: readonly Route[] = [
  defineRoute({
    ...TRACE_ROUTE,
    method: 'POST',
    path: '/apm/traces/{gridSecondaryId}',
    operationId: 'searchTraces',
    summary: 'Search traces',
    description:
      'One item per trace, newest first. If only a range is given, the item is the root span, and its start must be in the range. With further conditions, the item is the span nearest to the root that starts in the range and meets all conditions.',
    body: TraceListFilterModel,
    run: async ({ telemetry }, { params, body }) => {
      const result = await telemetry.findTraces(toTraceQuery(params.gridSecondaryId, body));
      return { ...result, page: body.page, pageSize: body.pageSize };
    },
    responseSchema: TracePage,
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
    summary: 'Read a span with its attributes',
    missing: SPAN_NOT_FOUND,
    run: ({ telemetry }, { params }) => telemetry.spanDetail(params.gridSecondaryId, normalizeHexId(params.spanId)),
    responseSchema: SpanDetailSchema,
    present: presentSpanDetail,
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/filters',
    operationId: 'getTraceFilters',
    summary: 'List the values for filtering traces',
    run: ({ telemetry }, { params }) => telemetry.traceFilterOptions(params.gridSecondaryId),
    responseSchema: TraceFilterOptionsSchema,
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
    responseSchema: TraceSpans,
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
    responseSchema: TraceLogs,
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
      const found = await telemetry.traceErrors(params.gridSecondaryId, traceId);
      return found && { traceId, ...found };
    },
    responseSchema: TraceErrors,
    present: ({ errors, ...trace }) => ({ ...trace, errors: new StreamedList(errors, presentTraceError) }),
  }),
  defineRoute({
    ...TRACE_ROUTE,
    method: 'GET',
    path: '/apm/traces/{gridSecondaryId}/spans/{spanId}/tags',
    operationId: 'getSpanTags',
    summary: 'Read the tags of a span, including those of its resource',
    missing: SPAN_NOT_FOUND,
    run: async ({ telemetry }, { params }) => {
      const spanId = normalizeHexId(params.spanId);
      const found = await telemetry.spanTags(params.gridSecondaryId, spanId);
      return found && { spanId, ...found };
    },
    responseSchema: SpanTags,
    present: (span) => span,
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
      const found = await telemetry.spanEvents(params.gridSecondaryId, spanId);
      return found && { spanId, ...found };
    },
    responseSchema: SpanEvents,
    present: ({ events, ...span }) => ({ ...span, events: new StreamedList(events, presentSpanEvent) }),
  }),
];

/** What the milliseconds of the specification round away. */
type ExactTimes = Pick<ResponseBody<typeof SpanInTrace>, 'durationNs' | 'startTimeUnixNano' | 'endTimeUnixNano'>;

function toTraceQuery(gridId: string, filter: TraceListFilterModel): TraceQuery {
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

function presentTraceListItem(span: FoundTrace): ResponseBody<typeof TraceListItem> {
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
    ...presentExactTimes(span),
    rootArrived: span.rootArrived,
  };
}

function presentExactTimes({ start, end }: Pick<SpanSummary, 'start' | 'end'>): ExactTimes {
  return {
    durationNs: Math.max(0, Number(end - start)),
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
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
    ...presentExactTimes(span),
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
    links,
    damaged,
    ...stored
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
    ...presentExactTimes(span),
    attributes,
    ...stored,
    links: links.map(presentSpanLink),
    ...(damaged && { damaged }),
  };
}

function presentTraceError(error: TraceError): ResponseBody<typeof TraceErrorSchema> {
  const { time, spanId, serviceName, exceptionType, message, stackTrace, attributes } = error;
  return { timestamp: formatIsoMillis(time), spanId, serviceName, exceptionType, message, stackTrace, attributes };
}

function presentSpanLink(link: SpanDetail['links'][number]): ResponseBody<typeof SpanLink> {
  const { traceId, spanId, traceState, flags, attributes, droppedAttributesCount } = link;
  return { traceId, spanId, traceState, flags, attributes, droppedAttributesCount };
}

function presentSpanEvent(event: SpanEvent): ResponseBody<typeof SpanEventSchema> {
  const { name, time, attributes, droppedAttributesCount } = event;
  return { name, timestamp: formatIsoMillis(time), timeUnixNano: String(time), attributes, droppedAttributesCount };
}

function presentTraceFilterOptions({
  serviceNames,
  operationNames,
  statusValues,
  tagKeys,
}: TraceFilterOptions): ResponseBody<typeof TraceFilterOptionsSchema> {
  return { serviceNames, operationNames, statusValues, tagKeys };
}
