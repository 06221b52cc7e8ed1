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
import type { Occurrence } from '../understanding/filter-extractors.js';
import { type Bracket, narrowBracket, nextProbe } from './minute-bisection.js';

const DAY_MINUTES = 24 * 60;

/** Services of which a second window is looked at. */
const MAX_LOOKED_AT = 3;

type TopError = ServiceDetail['topErrors'][number];

interface FoundException {
  readonly name: string;
  readonly error: TopError;
}

/**
 * Where exceptions of one type were recorded, in the services that failed most, and how often: details of services name the
 * most frequent ones. Without a time, a day is looked at for the first and the last of them, and for what was not seen lately.
 * Who asks for these gets them of the first service in which the exception was found: each look costs energy.
 */
export async function answerExceptionType(inquiry: QueryContext, asked: Slots, type: string): Promise<Draft> {
  const day = { ...asked, time: { ...lastMinutes(DAY_MINUTES, inquiry.nowMs), last: '24 hours' } };
  const isOfDay = asked.time === undefined && asked.edge !== undefined;
  const first = await findExceptions(inquiry, isOfDay ? day : asked, type, { isOneEnough: asked.edge !== undefined });
  const isWider = asked.time === undefined && !isOfDay && first.found.length === 0 && inquiry.left > 1;
  const [slots, { found, looked, names }] = isWider
    ? [day, await findExceptions(inquiry, day, type, { most: MAX_LOOKED_AT })]
    : [isOfDay ? day : asked, first];
  const window = describeWindow(slots.time, inquiry.nowMs);
  if (names.length > 0 && looked.length === 0)
    return {
      text: `${quote(type)}: the energy that is left does not pay for looking at the exceptions of ${joinWithAnd(names)}.`,
      followUps: ['How much energy is left?'],
    };
  const [most] = found;
  if (most === undefined)
    return {
      text: `${quote(type)} was not seen${describeWindow(isOfDay ? day.time : asked.time, inquiry.nowMs)}: ${describeSearchedServices(first)}.${isWider ? ` Nor was it${window}: ${describeSearchedServices({ names, looked })}.` : ''}`,
      followUps: ['Which service has the most errors?', `Search logs containing "${type}"`],
    };
  const when = await describeOccurrences(inquiry, slots, most);
  const before = isWider ? `None${describeWindow(undefined, inquiry.nowMs)}. ` : '';
  return {
    text: `${before}${quote(type)}${window}:${formatList(found.map(({ name, error }) => `${name}: ${formatException(error)}`))}${when}`,
    followUps: [
      `Show me failed traces of ${most.name}`,
      `Why is ${most.name} failing?`,
      'Which service has the most errors?',
    ],
  };
}

function describeSearchedServices({
  names,
  looked,
}: {
  readonly names: readonly string[];
  readonly looked: readonly string[];
}): string {
  return names.length === 0 ? 'no request failed' : `not among the most frequent exceptions of ${joinWithAnd(looked)}`;
}

interface SearchExtent {
  /** Services that are looked at. */
  readonly most?: number;
  readonly isOneEnough?: boolean;
}

async function findExceptions(
  inquiry: QueryContext,
  slots: Slots,
  type: string,
  { most = Infinity, isOneEnough = false }: SearchExtent,
): Promise<{
  readonly found: readonly FoundException[];
  readonly looked: readonly string[];
  readonly names: readonly string[];
}> {
  const names =
    slots.services.length > 0
      ? slots.services
      : rankServices(await loadServiceHealth(inquiry, slots), 'errors')
          .filter(({ errorRate }) => errorRate > 0)
          .map(({ serviceName }) => serviceName);
  const looked: string[] = [];
  const found: FoundException[] = [];
  for (const name of names) {
    if (inquiry.left === 0 || looked.length >= most || (isOneEnough && found.length > 0)) break;
    looked.push(name);
    found.push(
      ...((await loadServiceDetail(inquiry, name, slots))?.topErrors ?? [])
        .filter((error) => isOfType(error, type))
        .map((error) => ({ name, error })),
    );
  }
  return { found, looked, names };
}

function describeOccurrences(
  inquiry: QueryContext,
  { edge, isBothEdges, time }: Slots,
  { name: serviceName, error: { exceptionType, count } }: FoundException,
): Promise<string> | string {
  if (edge === undefined) return '';
  const range = resolveChartInterval(time, inquiry.nowMs);
  return describeExceptionOccurrences(
    inquiry,
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

/** One type of exception in one service, seen so often in a time. */
interface ObservedException {
  readonly serviceName: string;
  readonly type: string;
  readonly count: number;
  readonly range: TimeInterval;
}

/**
 * The minutes of the first or the last exception of a type. No search tells them: the detail of the service counts exceptions
 * in any window, so that the window is narrowed, by the times at which requests failed, as far as energy pays for it.
 */
async function describeExceptionOccurrences(
  inquiry: QueryContext,
  seen: ObservedException,
  edges: readonly Occurrence[],
): Promise<string> {
  if (inquiry.left < 2)
    return `\nThe energy that is left does not pay for finding out when the ${joinWithAnd(edges)} of them was.`;
  const failed = await inquiry.callTool(getTraces, {
    ...toRangeArguments(seen.range),
    serviceName: seen.serviceName,
    status: 'ERROR',
    page: 1,
    pageSize: MAX_PAGE_SIZE,
  });
  let told = '';
  for (const edge of edges) told += await locateOccurrence(inquiry, seen, edge, failed);
  return told;
}

async function locateOccurrence(
  inquiry: QueryContext,
  { serviceName, type, count, range }: ObservedException,
  edge: Occurrence,
  { items, totalCount }: GetTracesResult,
): Promise<string> {
  const time = createTimeDirection(range, edge);
  const minutes = items.map(({ endTime }) => time.minuteOf(Date.parse(endTime))).sort((a, b) => a - b);
  // Those of a fault that has come, or has gone, are the newest failures, or the oldest; else the first failure may be one of them.
  const likeliest = totalCount === items.length ? [minutes[minutes.length - count], minutes[0]] : [];
  const candidates = [...new Set(minutes)];
  let bracket: Bracket = time.bracket;
  for (
    let look = nextProbe(bracket, candidates, likeliest);
    look !== undefined && inquiry.left > 0;
    look = nextProbe(bracket, candidates, likeliest)
  ) {
    const detail = await loadServiceDetail(inquiry, serviceName, { time: time.upTo(look) });
    bracket = narrowBracket(
      bracket,
      look,
      detail?.topErrors.some(({ exceptionType }) => exceptionType === type) ?? false,
    );
  }
  return describeBracket(bracket, time, edge, inquiry.nowMs);
}

/** Time as it passes, or backwards for the last of something: minutes count up from the far end either way. */
interface TimeDirection {
  readonly bracket: Bracket;
  minuteOf(this: void, ms: number): number;
  /** When the minute begins, ms since 1970. */
  beginOf(this: void, minute: number): number;
  /** From the far end to the end of the minute. */
  upTo(this: void, minute: number): TimeInterval;
}

function createTimeDirection({ fromMs, toMs }: TimeInterval, edge: Occurrence): TimeDirection {
  const [first, end] = [Math.floor(fromMs / MINUTE_MS), Math.ceil(toMs / MINUTE_MS)];
  const sign = edge === 'first' ? 1 : -1;
  const beginOf = (minute: number): number => sign * minute * MINUTE_MS;
  return {
    bracket: edge === 'first' ? { after: first - 1, by: end - 1 } : { after: -end, by: -first },
    minuteOf: (ms) => sign * Math.floor(ms / MINUTE_MS),
    beginOf,
    upTo: (minute) => ({
      kind: 'range',
      ...(edge === 'first'
        ? { fromMs: first * MINUTE_MS, toMs: beginOf(minute) + MINUTE_MS }
        : { fromMs: beginOf(minute), toMs: end * MINUTE_MS }),
    }),
  };
}

function describeBracket({ after, by }: Bracket, { beginOf }: TimeDirection, edge: Occurrence, nowMs: number): string {
  if (by - after <= 1) return `\nThe ${edge} of them was at ${formatClock(beginOf(by), nowMs)}, in that minute.`;
  const [fromMs, toMs] = [beginOf(after + 1), beginOf(by)].sort((a, b) => a - b);
  return `\nThe ${edge} of them was between ${formatClock(fromMs, nowMs)} and ${formatClock(toMs + MINUTE_MS, nowMs)}: the energy that is left does not pay for looking closer.`;
}
