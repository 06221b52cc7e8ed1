import type { FindLogs } from '../../queries/answers.js';
import { SEVERITY_LEVELS, type SeverityLevel } from '../../telemetry/severity.js';
import type { Tool } from '../tool.js';
import { argumentsOf, filters, oneOf, text } from './arguments.js';
import { counted } from './counted.js';
import { listedLog, type ListedLog } from './presented-telemetry.js';
import { hexId, pageOf, SEARCH_FIELDS, searchFault, type SearchArguments } from './search.js';
import { rangeInWords, timeframe } from './window.js';

export interface LogArguments extends SearchArguments, Pick<FindLogs, 'serviceName' | 'body' | 'traceId' | 'spanId' | 'attributes'> {
  readonly severityLevel?: SeverityLevel;
}

export interface FoundLogs {
  readonly items: readonly ListedLog[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

export const getLogs: Tool<LogArguments, FoundLogs> = {
  name: 'GetLogs',
  description: 'Searches log entries by time, service, severity, words of the body, trace and attributes, newest first, with the exact total.',
  ...argumentsOf<LogArguments>(
    {
      ...SEARCH_FIELDS,
      severityLevel: oneOf(SEVERITY_LEVELS, 'Exactly this level.'),
      serviceName: text('Exact name of the service.'),
      body: text('All words must occur; prefix* and "a phrase" are understood.'),
      traceId: text('Id of the trace, in hex.'),
      spanId: text('Id of the span, in hex.'),
      attributes: filters('Attributes of the entry, all of them, by the text of their value.'),
    },
    searchFault,
  ),
  async run({ queries, gridId }, given) {
    const { rangeStart, rangeEnd, traceId, spanId, page: _page, pageSize: _pageSize, ...conditions } = given;
    const page = pageOf(given);
    const ids = { ...(traceId !== undefined && { traceId: hexId(traceId) }), ...(spanId !== undefined && { spanId: hexId(spanId) }) };
    const { items, totalCount } = await queries.telemetry.findLogs({ gridId, ...conditions, ...ids, ...page });
    const description = `${counted(totalCount, 'log entry', 'log entries')}, ${rangeInWords(timeframe(rangeStart, rangeEnd))}`;
    return { data: { items: items.map(listedLog), totalCount, page: page.page, pageSize: page.pageSize }, source: { type: 'logs', description } };
  },
};
