import { getTraceErrors, getTraces, type GetTracesResult } from '../../tools/trace-tools.js';
import type { Occurrence } from '../understanding/slots.js';
import { resolveEndpoint } from './endpoint-lookup.js';
import type { QueryContext } from '../query-context.js';
import type { Draft } from '../intents/intent.js';
import { formatList, formatName, joinWithAnd, quote } from './answer-formatting.js';
import type { TimeInterval, Slots } from '../understanding/slots.js';
import { formatTrace } from './answer-sentences.js';
import { describeInterval, lastMinutes, resolveSearchInterval, toRangeArguments } from '../time/window-resolver.js';

/** Used if the question contains no time. */
const DAY_MINUTES = 24 * 60;

/**
 * The first or last failure in a time range, according to traces, for each named service. Searches return the newest
 * first, so the oldest is on the last page.
 */
export async function answerFailureOccurrence(
  context: QueryContext,
  requested: Slots,
  edge: Occurrence,
): Promise<Draft> {
  const { slots, draft } = await resolveEndpoint(
    context,
    requested.time === undefined ? { ...requested, time: lastDay(context) } : requested,
  );
  if (draft !== undefined) return draft;
  if (slots.services.length < 2) return answerForService(context, slots, edge);
  const drafts: Draft[] = [];
  for (const name of slots.services)
    if (context.sourcesLeft > 0) drafts.push(await answerForService(context, { ...slots, services: [name] }, edge));
  if (drafts.length === 0) return answerForService(context, slots, edge);
  const skipped = slots.services.slice(drafts.length);
  const energyNote =
    skipped.length === 0 ? '' : `\nLookup limit for one answer reached: I did not check ${joinWithAnd(skipped)}.`;
  return {
    text: `${drafts.map(({ text }) => text).join('\n')}${energyNote}`,
    followUps: drafts.flatMap(({ followUps }) => followUps.slice(0, 2)),
  };
}

async function answerForService(context: QueryContext, slots: Slots, edge: Occurrence): Promise<Draft> {
  const range = resolveSearchInterval(slots.time, context.nowMs);
  const { trace, totalCount, isFirst } = await findOccurrence(context, slots, range, edge);
  const [name] = slots.services;
  const of = `${slots.operation === undefined ? '' : ` in ${formatName(slots.operation)}`}${name === undefined ? '' : ` of ${name}`}${describeInterval(range, context.nowMs)}`;
  if (trace === undefined)
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
    text: `${which}${of}:${formatList([formatTrace(trace, context.nowMs)])}${await describeException(context, trace.traceId)}`,
    followUps: [
      `Show me trace ${trace.traceId}`,
      `Which errors does ${name ?? trace.serviceName} have?`,
      name === undefined ? 'Which service has the most errors?' : `Has ${name} recovered?`,
    ],
  };
}

interface OccurrenceTrace {
  readonly trace: GetTracesResult['items'][number] | undefined;
  readonly totalCount: number;
  /** False if the first one was requested but energy did not permit the second search. */
  readonly isFirst: boolean;
}

/** The first or last of all failed traces. */
async function findOccurrence(
  context: QueryContext,
  slots: Slots,
  range: TimeInterval,
  edge: Occurrence,
): Promise<OccurrenceTrace> {
  const newest = await searchFailedTraces(context, slots, range, 1);
  const isElsewhere = edge === 'first' && newest.totalCount > 1 && context.sourcesLeft > 0;
  const {
    items: [trace],
    totalCount,
  } = isElsewhere ? await searchFailedTraces(context, slots, range, newest.totalCount) : newest;
  return { trace, totalCount, isFirst: isElsewhere };
}

function lastDay({ nowMs }: QueryContext): TimeInterval {
  return { ...lastMinutes(DAY_MINUTES, nowMs), last: '24 hours' };
}

function searchFailedTraces(
  context: QueryContext,
  { services: [serviceName], operation: operationName }: Slots,
  range: TimeInterval,
  page: number,
): Promise<GetTracesResult> {
  const conditions = {
    ...(serviceName !== undefined && { serviceName }),
    ...(operationName !== undefined && { operationName }),
  };
  return context.callTool(getTraces, { ...toRangeArguments(range), ...conditions, status: 'ERROR', page, pageSize: 1 });
}

async function describeException(context: QueryContext, traceId: string): Promise<string> {
  if (context.sourcesLeft === 0) return '';
  const [first] = (await context.callTool(getTraceErrors, { traceId })).errors;
  return first === undefined
    ? ''
    : `\nIt recorded ${quote(first.exceptionType).slice(1, -1)}${first.message === '' ? '' : ` ${quote(first.message)}`} in ${first.serviceName}.`;
}
