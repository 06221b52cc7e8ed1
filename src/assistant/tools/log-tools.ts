import type { LogDetail, LogQuery } from '../../queries/telemetry/telemetry-query-types.js';
import { SEVERITY_LEVELS, type SeverityLevel } from '../../telemetry/log-severity.js';
import type { Tool, ToolContext } from '../tool.js';
import { defineArguments, enumField, filtersField, requiredField, textField } from './tool-arguments.js';
import { createParameterlessTool, formatCountOrNone, readOperation, requireFound } from './tool-builders.js';
import { type ListedLog, toListedLog } from './result-serialization.js';
import {
  describeTimeframe,
  findSearchFault,
  normalizeHexId,
  SEARCH_FIELDS,
  type SearchArguments,
  toPageQuery,
  toTimeframe,
} from './window-arguments.js';
import type { Attributes } from '../../telemetry/attributes.js';

export interface GetLogsArguments
  extends SearchArguments, Pick<LogQuery, 'serviceName' | 'body' | 'traceId' | 'spanId' | 'attributes'> {
  readonly severityLevel?: SeverityLevel;
}

export interface GetLogsResult {
  readonly items: readonly ListedLog[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

export const getLogs: Tool<GetLogsArguments, GetLogsResult> = {
  name: 'GetLogs',
  api: { method: 'POST', path: '/apm/logs/{gridSecondaryId}' },
  description:
    'Searches log entries by time, service, severity, words of the body, trace and attributes, newest first, with the exact total.',
  ...defineArguments<GetLogsArguments>(
    {
      ...SEARCH_FIELDS,
      severityLevel: enumField(SEVERITY_LEVELS, 'Exactly this level.'),
      serviceName: textField('Exact name of the service.'),
      body: textField('All words must occur; prefix* and "a phrase" are understood.'),
      traceId: textField('Id of the trace, in hex.'),
      spanId: textField('Id of the span, in hex.'),
      attributes: filtersField('Attributes of the entry, all of them, by the text of their value.'),
    },
    findSearchFault,
  ),
  async run({ queries, gridId }, args) {
    const { rangeStart, rangeEnd, traceId, spanId, page: _page, pageSize: _pageSize, ...conditions } = args;
    const page = toPageQuery(args);
    const ids = {
      ...(traceId !== undefined && { traceId: normalizeHexId(traceId) }),
      ...(spanId !== undefined && { spanId: normalizeHexId(spanId) }),
    };
    const found = await queries.telemetry.findLogs({ gridId, ...conditions, ...ids, ...page });
    const { items, totalCount } = found;
    const description = `${formatCountOrNone(totalCount, 'log entry', 'log entries')}, ${describeTimeframe(toTimeframe(rangeStart, rangeEnd))}`;
    return {
      data: { ...found, items: items.map(toListedLog), page: page.page, pageSize: page.pageSize },
      source: { type: 'logs', description },
    };
  },
};

interface LogIdArguments {
  readonly id: string;
}

interface DetailedLog extends ListedLog {
  readonly severityNumber: number;
  readonly resource: Attributes;
}

export const getLog: Tool<LogIdArguments, DetailedLog> = {
  name: 'GetLog',
  api: readOperation('/apm/logs/{gridSecondaryId}/details/{id}'),
  description: 'One log entry with its attributes and resource, by its id or by the id of its span.',
  ...defineArguments<LogIdArguments>({ id: requiredField(textField('Id of the entry, or of its span in hex.')) }),
  async run(context, { id }) {
    const entry = requireFound(await findLogById(context, id), 'log entry of this id');
    const { severityNumber, resource } = entry;
    return {
      data: { ...toListedLog(entry), severityNumber, resource },
      source: { type: 'log', description: `${entry.severityLevel} of ${entry.serviceName}` },
    };
  },
};

/** Log ids are opaque, so the text is tried unchanged before it is normalized as a span id. */
async function findLogById({ queries, gridId }: ToolContext, id: string): Promise<LogDetail | undefined> {
  const entry = await queries.telemetry.logDetail(gridId, id);
  return entry ?? (normalizeHexId(id) === id ? undefined : queries.telemetry.logDetail(gridId, normalizeHexId(id)));
}

export const getLogFilterFacets = createParameterlessTool({
  name: 'GetLogFilterFacets',
  path: '/apm/logs/{gridSecondaryId}/filters',
  description: 'Severity levels, services and attribute keys that log entries can be searched by.',
  ask: ({ queries, gridId }) => queries.telemetry.logFilterOptions(gridId),
  source: ({ serviceNames, attributeKeys }) => ({
    type: 'log-filters',
    description: `${formatCountOrNone(serviceNames.length, 'service')}, ${formatCountOrNone(attributeKeys.length, 'attribute')}`,
  }),
});
