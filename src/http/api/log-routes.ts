import { formatIsoMillis } from '../../telemetry/unix-time.js';
import type { LogQuery, LogDetail, LogEntry, LogFilterOptions } from '../../queries/telemetry/telemetry-query-types.js';
import { StreamedList } from '../responses/streamed-list.js';
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
    description: 'Newest first. `body` is full text: all words in any case, `prefix*`, `"a phrase"`.',
    body: LogListFilterModel,
    run: async ({ telemetry }, { params, body }) => {
      const found = await telemetry.findLogs(toFindLogs(params.gridSecondaryId, body));
      return { ...found, page: body.page, pageSize: body.pageSize };
    },
    answer: LogPage,
    present: ({ items, totalCount, page, pageSize }) => ({
      items: new StreamedList(items, presentLogEntry),
      totalCount,
      page,
      pageSize,
    }),
  }),
  defineRoute({
    ...LOG_ROUTE,
    method: 'GET',
    path: '/apm/logs/{gridSecondaryId}/details/{spanId}',
    operationId: 'getLogDetail',
    summary: 'Read one log entry, by its id or by the id of its span',
    missing: 'No log entry is known in the Grid under this id.',
    run: async ({ telemetry }, { params: { gridSecondaryId, spanId } }) => {
      // A log id is opaque, so it is asked for as sent before the text is read as a span id in any case.
      const entry = await telemetry.logDetail(gridSecondaryId, spanId);
      const asSpanId = normalizeHexId(spanId);
      return entry ?? (asSpanId === spanId ? undefined : telemetry.logDetail(gridSecondaryId, asSpanId));
    },
    answer: LogDetailSchema,
    present: presentLogDetail,
  }),
  defineRoute({
    ...LOG_ROUTE,
    method: 'GET',
    path: '/apm/logs/{gridSecondaryId}/filters',
    operationId: 'getLogFilters',
    summary: 'List the values that log entries can be filtered by',
    run: ({ telemetry }, { params }) => telemetry.logFilterOptions(params.gridSecondaryId),
    answer: LogFilterOptionsSchema,
    present: presentLogFilterOptions,
  }),
];

/** A log entry as the correlations of a trace show it. */
export function presentTraceLog(entry: LogEntry): ResponseBody<typeof TraceLog> {
  const { time, severityLevel, body, serviceName, spanId, attributes } = entry;
  return { timestamp: formatIsoMillis(time), severityLevel, body, serviceName, spanId, attributes };
}

function toFindLogs(gridId: string, filter: LogListFilterModel): LogQuery {
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
  const { id, time, severityLevel, body, serviceName, traceId, spanId, attributes } = entry;
  return { id, timestamp: formatIsoMillis(time), severityLevel, body, serviceName, traceId, spanId, attributes };
}

function presentLogDetail(entry: LogDetail): ResponseBody<typeof LogDetailSchema> {
  const { id, time, severityLevel, severityNumber, body, serviceName, traceId, spanId, attributes, resource } = entry;
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
  };
}

function presentLogFilterOptions({
  severityLevels,
  serviceNames,
  attributeKeys,
}: LogFilterOptions): ResponseBody<typeof LogFilterOptionsSchema> {
  return { severityLevels, serviceNames, attributeKeys };
}
