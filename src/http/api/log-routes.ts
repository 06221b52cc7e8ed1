import { formatIsoMillis } from '../../telemetry/unix-time.js';
import type { LogQuery, LogDetail, LogEntry, LogFilterOptions } from '../../queries/telemetry/telemetry-query-types.js';
import { StreamedList } from '../responses/send-response.js';
import { LogListFilterModel } from '../requests/telemetry-search-requests.js';
import { EVERY_ROLE, defineRoute, type Route } from '../route.js';
import {
  LogDetail as LogDetailSchema,
  type LogEntry as LogEntrySchema,
  LogFilterOptions as LogFilterOptionsSchema,
  LogPage,
  type TraceLog,
} from '../schemas/log-schemas.js';
import type { ResponseBody } from '../schemas/schema-builders.js';
import { normalizeHexId, toStringForms, toTimeRange } from './value-conversions.js';

const LOG_ROUTE = { tag: 'Logs', grid: 'path', roles: EVERY_ROLE } as const;

export const logRoutes: readonly Route[] = [
  defineRoute({
    ...LOG_ROUTE,
    method: 'POST',
    path: '/apm/logs/{gridSecondaryId}',
    operationId: 'searchLogs',
    summary: 'Search log entries',
    description:
      'Sorted by time, newest first. `body` is a full-text search: all words must match (case-insensitive); supports `prefix*` and `"a phrase"`.',
    body: LogListFilterModel,
    run: async ({ telemetry }, { params, body }) => {
      const result = await telemetry.findLogs(toLogQuery(params.gridSecondaryId, body));
      return { ...result, page: body.page, pageSize: body.pageSize };
    },
    responseSchema: LogPage,
    present: ({ items, ...counts }) => ({ items: new StreamedList(items, presentLogEntry), ...counts }),
  }),
  defineRoute({
    ...LOG_ROUTE,
    method: 'GET',
    path: '/apm/logs/{gridSecondaryId}/details/{spanId}',
    operationId: 'getLogDetail',
    summary: 'Read a log entry by its id or by the id of its span',
    missing: 'The Grid has no log entry with this id.',
    run: async ({ telemetry }, { params: { gridSecondaryId, spanId } }) => {
      // Log ids are opaque and case-sensitive, so look the id up as sent before treating it as a case-insensitive span id.
      const entry = await telemetry.logDetail(gridSecondaryId, spanId);
      const asSpanId = normalizeHexId(spanId);
      return entry ?? (asSpanId === spanId ? undefined : telemetry.logDetail(gridSecondaryId, asSpanId));
    },
    responseSchema: LogDetailSchema,
    present: presentLogDetail,
  }),
  defineRoute({
    ...LOG_ROUTE,
    method: 'GET',
    path: '/apm/logs/{gridSecondaryId}/filters',
    operationId: 'getLogFilters',
    summary: 'List the values for filtering log entries',
    run: ({ telemetry }, { params }) => telemetry.logFilterOptions(params.gridSecondaryId),
    responseSchema: LogFilterOptionsSchema,
    present: presentLogFilterOptions,
  }),
];

/** A log entry in the list of a trace. */
export function presentTraceLog(entry: LogEntry): ResponseBody<typeof TraceLog> {
  const { time, severityLevel, body, serviceName, spanId, attributes, damaged } = entry;
  return {
    timestamp: formatIsoMillis(time),
    severityLevel,
    body,
    serviceName,
    spanId,
    attributes,
    ...(damaged && { damaged }),
  };
}

function toLogQuery(gridId: string, filter: LogListFilterModel): LogQuery {
  const { severityLevel, serviceName, body, traceId, spanId, attributes, page, pageSize } = filter;
  return {
    gridId,
    range: toTimeRange(filter),
    ...(severityLevel !== undefined && { severityLevel }),
    ...(serviceName !== undefined && { serviceName }),
    ...(body !== undefined && { body }),
    ...(traceId !== undefined && { traceId: normalizeHexId(traceId) }),
    ...(spanId !== undefined && { spanId: normalizeHexId(spanId) }),
    ...(attributes !== undefined && { attributes: toStringForms(attributes) }),
    page,
    pageSize,
  };
}

function presentLogEntry(entry: LogEntry): ResponseBody<typeof LogEntrySchema> {
  const { id, time, severityLevel, body, serviceName, traceId, spanId, attributes, damaged } = entry;
  return {
    id,
    timestamp: formatIsoMillis(time),
    severityLevel,
    body,
    serviceName,
    traceId,
    spanId,
    attributes,
    ...(damaged && { damaged }),
  };
}

function presentLogDetail(entry: LogDetail): ResponseBody<typeof LogDetailSchema> {
  const { id, time, severityLevel, severityNumber, body, serviceName, traceId, spanId, attributes, damaged } = entry;
  const { resource, scope, eventName, severityText, observedTime, flags, droppedAttributesCount } = entry;
  return {
    id,
    timestamp: formatIsoMillis(time),
    severityLevel,
    severityNumber,
    body,
    serviceName,
    traceId,
    spanId,
    attributes,
    resource,
    ...{ scope, eventName, severityText, flags, droppedAttributesCount },
    timeUnixNano: String(time),
    observedTime: observedTime === undefined ? null : formatIsoMillis(observedTime),
    ...(damaged && { damaged }),
  };
}

function presentLogFilterOptions({
  severityLevels,
  serviceNames,
  attributeKeys,
}: LogFilterOptions): ResponseBody<typeof LogFilterOptionsSchema> {
  return { severityLevels, serviceNames, attributeKeys };
}
