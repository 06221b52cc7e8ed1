import type { FindTraces, SpanStatus } from '../../queries/answers.js';
import type { Tool } from '../tool.js';
import { argumentsOf, filters, oneOf, text, wholeNumber } from './arguments.js';
import { counted } from './counted.js';
import { listedTrace, type ListedTrace } from './presented-telemetry.js';
import { pageOf, SEARCH_FIELDS, searchFault, type SearchArguments } from './search.js';
import { rangeInWords, timeframe } from './window.js';

export interface TraceArguments extends SearchArguments, Pick<FindTraces, 'serviceName' | 'operationName' | 'tags'> {
  readonly minDuration?: number;
  readonly maxDuration?: number;
  readonly status?: SpanStatus;
}

export interface FoundTraces {
  readonly items: readonly ListedTrace[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

export const getTraces: Tool<TraceArguments, FoundTraces> = {
  name: 'GetTraces',
  description: 'Searches traces by time, service, operation, duration in ms, status and tags, newest first, with the exact total.',
  ...argumentsOf<TraceArguments>(
    {
      ...SEARCH_FIELDS,
      serviceName: text('Exact name of the service.'),
      operationName: text('Exact name of the operation.'),
      minDuration: wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Least duration in ms.'),
      maxDuration: wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Greatest duration in ms.'),
      status: oneOf(['OK', 'ERROR'], 'Status of the span.'),
      tags: filters('Attributes of span or resource, all of them, by the text of their value.'),
    },
    searchFault,
  ),
  async run({ queries, gridId }, given) {
    const { rangeStart, rangeEnd, minDuration: minDurationMs, maxDuration: maxDurationMs, page: _page, pageSize: _pageSize, ...conditions } = given;
    const page = pageOf(given);
    const durations = { ...(minDurationMs !== undefined && { minDurationMs }), ...(maxDurationMs !== undefined && { maxDurationMs }) };
    const { items, totalCount } = await queries.telemetry.findTraces({ gridId, ...conditions, ...durations, ...page });
    const description = `${counted(totalCount, 'trace')}, ${rangeInWords(timeframe(rangeStart, rangeEnd))}`;
    return { data: { items: items.map(listedTrace), totalCount, page: page.page, pageSize: page.pageSize }, source: { type: 'traces', description, traceCount: totalCount } };
  },
};
