import type { ServiceDetail } from '../../../diagnostics/diagnostic-results.js';
import { loadServiceDetail } from './endpoint-lookup.js';
import { loadServiceHealth } from './grid-lookups.js';
import type { QueryContext } from '../query-context.js';
import type { Draft } from '../intents/intent.js';
import { rankServices } from './answer-sentences.js';
import type { Slots, TimeInterval } from '../understanding/slots.js';
import {
  describeWindow,
  formatClock,
  lastMinutes,
  resolveChartInterval,
  toRangeArguments,
} from '../time/window-resolver.js';
import { formatCount, formatList, formatPercent, joinWithAnd, quote } from './answer-formatting.js';
import { getTraces, type GetTracesResult } from '../../tools/trace-tools.js';
import type { Occurrence } from '../understanding/slots.js';
import { type Bracket, narrowBracket, nextProbe } from './minute-bisection.js';

const DAY_MINUTES = 24 * 60;

/** Services that are queried for a second window. */
const MAX_LOOKED_AT = 3;

type TopError = ServiceDetail['topErrors'][number];

interface FoundException {
  readonly name: string;
  readonly error: TopError;
}

/**
 * Occurrences of one exception type in the services with the most failures, with counts; service details list only
 * the most frequent exceptions. Without an explicit time, a day is searched for the first and last occurrence, and
 * for exceptions not seen recently. For those only the first matching service is reported, because each query costs
 * energy.
 */
export async function answerExceptionType(context: QueryContext, requested: Slots, type: string): Promise<Draft> {
  const day = { ...requested, time: { ...lastMinutes(DAY_MINUTES, context.nowMs), last: '24 hours' } };
  const isOfDay = requested.time === undefined && requested.edge !== undefined;
  const first = await findExceptions(context, isOfDay ? day : requested, type, {
    isOneEnough: requested.edge !== undefined,
  });
  const isWider = requested.time === undefined && !isOfDay && first.found.length === 0 && context.sourcesLeft > 1;
  const [slots, { found, searched, names }] = isWider
    ? [day, await findExceptions(context, day, type, { most: MAX_LOOKED_AT })]
    : [isOfDay ? day : requested, first];
  const window = describeWindow(slots.time, context.nowMs);
  if (names.length > 0 && searched.length === 0)
    return {
      text: `${quote(type)}: the lookup limit for one answer is reached, so I did not check the exceptions of ${joinWithAnd(names)}.`,
      followUps: ['How much energy is left?'],
    };
  const [most] = found;
  if (most === undefined)
    return {
      text: `${quote(type)} was not seen${describeWindow(isOfDay ? day.time : requested.time, context.nowMs)}: ${describeSearchedServices(first)}.${isWider ? ` Nor was it${window}: ${describeSearchedServices({ names, searched })}.` : ''}`,
      followUps: ['Which service has the most errors?', `Search logs containing "${type}"`],
    };
  const when = await describeOccurrences(context, slots, most);
  const note = isWider ? `None${describeWindow(undefined, context.nowMs)}. ` : '';
  return {
    text: `${note}${quote(type)}${window}:${formatList(found.map(({ name, error }) => `${name}: ${formatException(error)}`))}${when}`,
    followUps: [
      `Show me failed traces of ${most.name}`,
      `Why is ${most.name} failing?`,
      'Which service has the most errors?',
    ],
  };
}

function describeSearchedServices({
  names,
  searched,
}: {
  readonly names: readonly string[];
  readonly searched: readonly string[];
}): string {
  return names.length === 0
    ? 'no request failed'
    : `not among the most frequent exceptions of ${joinWithAnd(searched)}`;
}

interface SearchExtent {
  /** Maximum number of services to query. */
  readonly most?: number;
  readonly isOneEnough?: boolean;
}

async function findExceptions(
  context: QueryContext,
  slots: Slots,
  type: string,
  { most = Infinity, isOneEnough = false }: SearchExtent,
): Promise<{
  readonly found: readonly FoundException[];
  readonly searched: readonly string[];
  readonly names: readonly string[];
}> {
  const names =
    slots.services.length > 0
      ? slots.services
      : rankServices(await loadServiceHealth(context, slots), 'errors')
          .filter(({ errorRate }) => errorRate > 0)
          .map(({ serviceName }) => serviceName);
  const searched: string[] = [];
  const found: FoundException[] = [];
  for (const name of names) {
    if (context.sourcesLeft === 0 || searched.length >= most || (isOneEnough && found.length > 0)) break;
    searched.push(name);
    found.push(
      ...((await loadServiceDetail(context, name, slots))?.topErrors ?? [])
        .filter((error) => isOfType(error, type))
        .map((error) => ({ name, error })),
    );
  }
  return { found, searched, names };
}

function describeOccurrences(
  context: QueryContext,
  { edge, isBothEdges, time }: Slots,
  { name: serviceName, error: { exceptionType, count } }: FoundException,
): Promise<string> | string {
  if (edge === undefined) return '';
  const range = resolveChartInterval(time, context.nowMs);
  return describeExceptionOccurrences(
    context,
    { serviceName, type: exceptionType, count, range },
    isBothEdges === true ? ['first', 'last'] : [edge],
  );
}

function isOfType({ exceptionType }: TopError, type: string): boolean {
  return exceptionType.toLowerCase().includes(type.toLowerCase());
}

function formatException({ exceptionType, message, count, percentage }: TopError): string {
  return `${exceptionType}${message === '' ? '' : ` ${quote(message)}`}: ${formatCount(count, 'time')}, ${formatPercent(percentage)} of its exceptions`;
}

const MINUTE_MS = 60_000;
const MAX_PAGE_SIZE = 100;

/** One exception type in one service with its count in a time range. */
interface ObservedException {
  readonly serviceName: string;
  readonly type: string;
  readonly count: number;
  readonly range: TimeInterval;
}

/**
 * Determines the minutes of the first or last occurrence of an exception type. There is no search for it, but service
 * details count exceptions in any window, so the window is narrowed by bisection, guided by the times of failed
 * requests, as far as energy permits.
 */
async function describeExceptionOccurrences(
  context: QueryContext,
  exception: ObservedException,
  edges: readonly Occurrence[],
): Promise<string> {
  if (context.sourcesLeft < 2)
    return `\nLookup limit for one answer reached: I did not find out when the ${joinWithAnd(edges)} of them was.`;
  const failed = await context.callTool(getTraces, {
    ...toRangeArguments(exception.range),
    serviceName: exception.serviceName,
    status: 'ERROR',
    page: 1,
    pageSize: MAX_PAGE_SIZE,
  });
  let text = '';
  for (const edge of edges) text += await locateOccurrence(context, exception, edge, failed);
  return text;
}

async function locateOccurrence(
  context: QueryContext,
  { serviceName, type, count, range }: ObservedException,
  edge: Occurrence,
  { items, totalCount }: GetTracesResult,
): Promise<string> {
  const time = createTimeDirection(range, edge);
  const minutes = items.map(({ endTime }) => time.minuteOf(Date.parse(endTime))).sort((a, b) => a - b);
  // If all failures are known, those of a fault that started or ended within the window are the newest or oldest
  // ones; otherwise the first failure may already be one of them.
  const likeliest = totalCount === items.length ? [minutes[minutes.length - count], minutes[0]] : [];
  const candidates = [...new Set(minutes)];
  let bracket: Bracket = time.bracket;
  for (
    let look = nextProbe(bracket, candidates, likeliest);
    look !== undefined && context.sourcesLeft > 0;
    look = nextProbe(bracket, candidates, likeliest)
  ) {
    const detail = await loadServiceDetail(context, serviceName, { time: time.upTo(look) });
    bracket = narrowBracket(
      bracket,
      look,
      detail?.topErrors.some(({ exceptionType }) => exceptionType === type) ?? false,
    );
  }
  return describeBracket(bracket, time, edge, context.nowMs);
}

/** Forward or reversed time, the latter for last occurrences: minutes count up from the far end in both cases. */
interface TimeDirection {
  readonly bracket: Bracket;
  minuteOf(this: void, ms: number): number;
  /** Start of the minute, ms since 1970. */
  getStart(this: void, minute: number): number;
  /** From the far end to the end of this minute. */
  upTo(this: void, minute: number): TimeInterval;
}

function createTimeDirection({ fromMs, toMs }: TimeInterval, edge: Occurrence): TimeDirection {
  const [first, end] = [Math.floor(fromMs / MINUTE_MS), Math.ceil(toMs / MINUTE_MS)];
  const sign = edge === 'first' ? 1 : -1;
  const getStart = (minute: number): number => sign * minute * MINUTE_MS;
  return {
    bracket: edge === 'first' ? { after: first - 1, by: end - 1 } : { after: -end, by: -first },
    minuteOf: (ms) => sign * Math.floor(ms / MINUTE_MS),
    getStart,
    upTo: (minute) => ({
      kind: 'range',
      ...(edge === 'first'
        ? { fromMs: first * MINUTE_MS, toMs: getStart(minute) + MINUTE_MS }
        : { fromMs: getStart(minute), toMs: end * MINUTE_MS }),
    }),
  };
}

function describeBracket({ after, by }: Bracket, { getStart }: TimeDirection, edge: Occurrence, nowMs: number): string {
  if (by - after <= 1) return `\nThe ${edge} of them was at ${formatClock(getStart(by), nowMs)}, in that minute.`;
  const [fromMs, toMs] = [getStart(after + 1), getStart(by)].sort((a, b) => a - b);
  return `\nThe ${edge} of them was between ${formatClock(fromMs, nowMs)} and ${formatClock(toMs + MINUTE_MS, nowMs)}: the lookup limit for one answer is reached before a more exact time was found.`;
}
