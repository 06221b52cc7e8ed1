import type { SpanStatus, TraceQuery } from '../../queries/telemetry/telemetry-query-types.js';
import type { Tool } from '../tool.js';
import { defineArguments, enumField, filtersField, integerField, textField } from './tool-arguments.js';
import { createParameterlessTool, createSpanTool, createTraceTool, formatCountOrNone } from './tool-builders.js';
import {
  type ListedTrace,
  toListedLog,
  toListedTrace,
  toSpanDetail,
  toSpanEvent,
  toTraceError,
  toTraceSpan,
} from './result-serialization.js';
import {
  describeTimeframe,
  findSearchFault,
  SEARCH_FIELDS,
  type SearchArguments,
  toPageQuery,
  toTimeframe,
} from './window-arguments.js';

export interface GetTracesArguments
  extends SearchArguments, Pick<TraceQuery, 'serviceName' | 'operationName' | 'tags'> {
  readonly minDuration?: number;
  readonly maxDuration?: number;
  readonly status?: SpanStatus;
}

export interface GetTracesResult {
  readonly items: readonly ListedTrace[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

export const getTraces: Tool<GetTracesArguments, GetTracesResult> = {
  name: 'GetTraces',
  api: { method: 'POST', path: '/apm/traces/{gridSecondaryId}' },
  description:
    'Searches traces by time, service, operation, duration in ms, status and tags, newest first, with the exact total.',
  ...defineArguments<GetTracesArguments>(
    {
      ...SEARCH_FIELDS,
      serviceName: textField('Exact name of the service.'),
      operationName: textField('Exact name of the operation.'),
      minDuration: integerField(0, Number.MAX_SAFE_INTEGER, 'Least duration in ms.'),
      maxDuration: integerField(0, Number.MAX_SAFE_INTEGER, 'Greatest duration in ms.'),
      status: enumField(['OK', 'ERROR'], 'Status of the span.'),
      tags: filtersField('Attributes of span or resource, all of them, by the text of their value.'),
    },
    findSearchFault,
  ),
  async run({ queries, gridId }, args) {
    const {
      rangeStart,
      rangeEnd,
      minDuration: minDurationMs,
      maxDuration: maxDurationMs,
      page: _page,
      pageSize: _pageSize,
      ...conditions
    } = args;
    const page = toPageQuery(args);
    const durations = {
      ...(minDurationMs !== undefined && { minDurationMs }),
      ...(maxDurationMs !== undefined && { maxDurationMs }),
    };
    const { items, totalCount } = await queries.telemetry.findTraces({ gridId, ...conditions, ...durations, ...page });
    const description = `${formatCountOrNone(totalCount, 'trace')}, ${describeTimeframe(toTimeframe(rangeStart, rangeEnd))}`;
    return {
      data: { items: items.map(toListedTrace), totalCount, page: page.page, pageSize: page.pageSize },
      source: { type: 'traces', description, traceCount: totalCount },
    };
  },
};

export const getTrace = createSpanTool({
  name: 'GetTrace',
  path: 'details/{spanId}',
  description: 'One span with all its attributes, and the id of its trace.',
  ask: (telemetry, gridId, spanId) => telemetry.spanDetail(gridId, spanId),
  present: toSpanDetail,
  source: ({ serviceName, operationName }) => ({ type: 'span', description: `${serviceName} ${operationName}` }),
});

export const getTraceSpans = createTraceTool({
  name: 'GetTraceSpans',
  path: 'correlations/{traceId}/spans',
  description: 'All spans of one trace, the oldest first: who called whom, how long each took and which failed.',
  ask: (telemetry, gridId, traceId) => telemetry.traceSpans(gridId, traceId),
  present: (spans, traceId) => ({ traceId, spans: spans.map(toTraceSpan) }),
  source: ({ spans, traceId }) => ({
    type: 'trace-spans',
    description: `${formatCountOrNone(spans.length, 'span')} of trace ${traceId}`,
  }),
});

export const getTraceErrors = createTraceTool({
  name: 'GetTraceErrors',
  path: 'correlations/{traceId}/errors',
  description: 'The exceptions of one trace with type, message and stack trace.',
  ask: (telemetry, gridId, traceId) => telemetry.traceErrors(gridId, traceId),
  present: ({ errors, ...rest }, traceId) => ({ traceId, errors: errors.map(toTraceError), ...rest }),
  source: ({ errors, traceId }) => ({
    type: 'trace-errors',
    description: `${formatCountOrNone(errors.length, 'exception')} of trace ${traceId}`,
  }),
});

export const getTraceLogs = createTraceTool({
  name: 'GetTraceLogs',
  path: 'correlations/{traceId}/logs',
  description: 'The log entries of one trace.',
  ask: (telemetry, gridId, traceId) => telemetry.traceLogs(gridId, traceId),
  present: (entries, traceId) => ({ traceId, logs: entries.map(toListedLog) }),
  source: ({ logs, traceId }) => ({
    type: 'trace-logs',
    description: `${formatCountOrNone(logs.length, 'log entry', 'log entries')} of trace ${traceId}`,
  }),
});

export const getTraceSpanEvents = createSpanTool({
  name: 'GetTraceSpanEvents',
  path: 'spans/{spanId}/events',
  description: 'The events that one span recorded.',
  ask: (telemetry, gridId, spanId) => telemetry.spanEvents(gridId, spanId),
  present: ({ events, ...rest }, spanId) => ({ spanId, events: events.map(toSpanEvent), ...rest }),
  source: ({ events, spanId }) => ({
    type: 'span-events',
    description: `${formatCountOrNone(events.length, 'event')} of span ${spanId}`,
  }),
});

export const getTraceSpanTags = createSpanTool({
  name: 'GetTraceSpanTags',
  path: 'spans/{spanId}/tags',
  description: 'The tags of one span, those of its resource included.',
  ask: (telemetry, gridId, spanId) => telemetry.spanTags(gridId, spanId),
  present: (found, spanId) => ({ spanId, ...found }),
  source: ({ tags, spanId }) => ({
    type: 'span-tags',
    description: `${formatCountOrNone(Object.keys(tags).length, 'tag')} of span ${spanId}`,
  }),
});

export const getTraceFilterFacets = createParameterlessTool({
  name: 'GetTraceFilterFacets',
  path: '/apm/traces/{gridSecondaryId}/filters',
  description: 'Names of services and operations, statuses and tag keys that traces can be searched by.',
  ask: ({ queries, gridId }) => queries.telemetry.traceFilterOptions(gridId),
  source: ({ serviceNames, operationNames }) => ({
    type: 'trace-filters',
    description: `${formatCountOrNone(serviceNames.length, 'service')}, ${formatCountOrNone(operationNames.length, 'operation')}`,
  }),
});
