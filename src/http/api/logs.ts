import { isoMillis } from '../../telemetry/time.js';
import type { FindLogs, LogDetail, LogEntry, LogFilterOptions } from '../../queries/answers.js';
import { PresentedList } from '../presented-list.js';
import { LogListFilterModel } from '../requests/log-list-filter.js';
import { EVERY_ROLE, route, type Route } from '../route.js';
import { LogDetail as LogDetailSchema, type LogEntry as LogEntrySchema, LogFilterOptions as LogFilterOptionsSchema, LogPage, type TraceLog } from '../schemas/logs.js';
import type { Shown } from '../schemas/terms.js';
import { hexId, stringForms, timeRange } from './questions.js';

const shared = { tag: 'Logs', grid: 'path', roles: EVERY_ROLE } as const;

export const logRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: '/apm/logs/{gridSecondaryId}',
    operationId: 'searchLogs',
    summary: 'Search log entries',
    description: 'Newest first. `body` is full text: all words in any case, `prefix*`, `"a phrase"`.',
    body: LogListFilterModel,
    run: async ({ telemetry }, { params, body }) => {
      const found = await telemetry.findLogs(findLogs(params.gridSecondaryId, body));
      return { ...found, page: body.page, pageSize: body.pageSize };
    },
    answer: LogPage,
    present: ({ items, totalCount, page, pageSize }) => ({ items: new PresentedList(items, presentListEntry), totalCount, page, pageSize }),
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/logs/{gridSecondaryId}/details/{spanId}',
    operationId: 'getLogDetail',
    summary: 'Read one log entry, by its id or by the id of its span',
    missing: 'No log entry is known in the Grid under this id.',
    run: async ({ telemetry }, { params: { gridSecondaryId, spanId } }) => {
      // A log id is opaque, so it is asked for as sent before the text is read as a span id in any case.
      const entry = await telemetry.logDetail(gridSecondaryId, spanId);
      const asSpanId = hexId(spanId);
      return entry ?? (asSpanId === spanId ? undefined : telemetry.logDetail(gridSecondaryId, asSpanId));
    },
    answer: LogDetailSchema,
    present: presentDetail,
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/apm/logs/{gridSecondaryId}/filters',
    operationId: 'getLogFilters',
    summary: 'List the values that log entries can be filtered by',
    run: ({ telemetry }, { params }) => telemetry.logFilterOptions(params.gridSecondaryId),
    answer: LogFilterOptionsSchema,
    present: presentFilterOptions,
  }),
];

/** A log entry as the correlations of a trace show it. */
export function presentTraceLog(entry: LogEntry): Shown<typeof TraceLog> {
  const { time, severityLevel, body, serviceName, spanId, attributes } = entry;
  return { timestamp: isoMillis(time), severityLevel, body, serviceName, spanId, attributes };
}

function findLogs(gridId: string, filter: LogListFilterModel): FindLogs {
  const { severityLevel, serviceName, body, traceId, spanId, attributes, page, pageSize } = filter;
  return {
    gridId,
    range: timeRange(filter),
    ...(severityLevel !== undefined && { severityLevel }),
    ...(serviceName !== undefined && { serviceName }),
    ...(body !== undefined && { body }),
    ...(traceId !== undefined && { traceId: hexId(traceId) }),
    ...(spanId !== undefined && { spanId: hexId(spanId) }),
    ...(attributes !== undefined && { attributes: stringForms(attributes) }),
    page,
    pageSize,
  };
}

function presentListEntry(entry: LogEntry): Shown<typeof LogEntrySchema> {
  const { id, time, severityLevel, body, serviceName, traceId, spanId, attributes } = entry;
  return { id, timestamp: isoMillis(time), severityLevel, body, serviceName, traceId, spanId, attributes };
}

function presentDetail(entry: LogDetail): Shown<typeof LogDetailSchema> {
  const { id, time, severityLevel, severityNumber, body, serviceName, traceId, spanId, attributes, resource } = entry;
  return { id, timestamp: isoMillis(time), severityLevel, severityNumber, body, serviceName, traceId, spanId, attributes, resource };
}

function presentFilterOptions({ severityLevels, serviceNames, attributeKeys }: LogFilterOptions): Shown<typeof LogFilterOptionsSchema> {
  return { severityLevels, serviceNames, attributeKeys };
}
