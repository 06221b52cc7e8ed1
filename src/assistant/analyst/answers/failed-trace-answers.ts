import { getTraceErrors, getTraces, type GetTracesResult } from '../../tools/trace-tools.js';
import type { Occurrence } from '../understanding/filter-extractors.js';
import { resolveEndpoint } from './endpoint-lookup.js';
import type { QueryContext } from '../query-context.js';
import type { Draft } from '../intents/intent.js';
import { formatList, formatName, joinWithAnd, quote } from './answer-formatting.js';
import type { TimeInterval, Slots } from '../understanding/slots.js';
import { formatTrace } from './answer-sentences.js';
import { describeInterval, lastMinutes, resolveSearchInterval, toRangeArguments } from '../time/window-resolver.js';

/** Where no time was asked for. */
const DAY_MINUTES = 24 * 60;

/** The first failure of a time, or the last, as traces tell it: of each of the services that were named. Searches answer the newest first: the oldest is the last page. */
export async function answerFailureOccurrence(inquiry: QueryContext, asked: Slots, edge: Occurrence): Promise<Draft> {
  const { slots, draft } = await resolveEndpoint(
    inquiry,
    asked.time === undefined ? { ...asked, time: lastDay(inquiry) } : asked,
  );
  if (draft !== undefined) return draft;
  if (slots.services.length < 2) return answerForService(inquiry, slots, edge);
  const drafts: Draft[] = [];
  for (const name of slots.services)
    if (inquiry.left > 0) drafts.push(await answerForService(inquiry, { ...slots, services: [name] }, edge));
  if (drafts.length === 0) return answerForService(inquiry, slots, edge);
  const left = slots.services.slice(drafts.length);
  const unpaid = left.length === 0 ? '' : `\nThe energy that is left does not pay for looking at ${joinWithAnd(left)}.`;
  return {
    text: `${drafts.map(({ text }) => text).join('\n')}${unpaid}`,
    followUps: drafts.flatMap(({ followUps }) => followUps.slice(0, 2)),
  };
}

async function answerForService(inquiry: QueryContext, slots: Slots, edge: Occurrence): Promise<Draft> {
  const range = resolveSearchInterval(slots.time, inquiry.nowMs);
  const { found, totalCount, isFirst } = await findOccurrence(inquiry, slots, range, edge);
  const [name] = slots.services;
  const of = `${slots.operation === undefined ? '' : ` in ${formatName(slots.operation)}`}${name === undefined ? '' : ` of ${name}`}${describeInterval(range, inquiry.nowMs)}`;
  if (found === undefined)
    return {
      text: `No failed trace${of}.`,
      followUps: [
        name === undefined ? 'Is anything broken?' : `How is ${name} doing?`,
        'What happened in the last 24 hours?',
      ],
    };
  const which =
    totalCount === 1 ? 'The only failed trace' : `The ${isFirst ? 'first' : 'last'} of ${totalCount} failed traces`;
  return {
    text: `${which}${of}:${formatList([formatTrace(found, inquiry.nowMs)])}${await describeException(inquiry, found.traceId)}`,
    followUps: [
      `Show me trace ${found.traceId}`,
      `Which errors does ${name ?? found.serviceName} have?`,
      name === undefined ? 'Which service has the most errors?' : `Has ${name} recovered?`,
    ],
  };
}

interface OccurrenceTrace {
  readonly found: GetTracesResult['items'][number] | undefined;
  readonly totalCount: number;
  /** The last one is told of the first where energy pays for no second search. */
  readonly isFirst: boolean;
}

/** At the edge of all failed traces. */
async function findOccurrence(
  inquiry: QueryContext,
  slots: Slots,
  range: TimeInterval,
  edge: Occurrence,
): Promise<OccurrenceTrace> {
  const newest = await searchFailedTraces(inquiry, slots, range, 1);
  const isElsewhere = edge === 'first' && newest.totalCount > 1 && inquiry.left > 0;
  const {
    items: [found],
    totalCount,
  } = isElsewhere ? await searchFailedTraces(inquiry, slots, range, newest.totalCount) : newest;
  return { found, totalCount, isFirst: isElsewhere };
}

function lastDay({ nowMs }: QueryContext): TimeInterval {
  return { ...lastMinutes(DAY_MINUTES, nowMs), last: '24 hours' };
}

function searchFailedTraces(
  inquiry: QueryContext,
  { services: [serviceName], operation: operationName }: Slots,
  range: TimeInterval,
  page: number,
): Promise<GetTracesResult> {
  const conditions = {
    ...(serviceName !== undefined && { serviceName }),
    ...(operationName !== undefined && { operationName }),
  };
  return inquiry.callTool(getTraces, { ...toRangeArguments(range), ...conditions, status: 'ERROR', page, pageSize: 1 });
}

async function describeException(inquiry: QueryContext, traceId: string): Promise<string> {
  if (inquiry.left === 0) return '';
  const [first] = (await inquiry.callTool(getTraceErrors, { traceId })).errors;
  return first === undefined
    ? ''
    : `\nIt recorded ${quote(first.exceptionType).slice(1, -1)}${first.message === '' ? '' : ` ${quote(first.message)}`} in ${first.serviceName}.`;
}
