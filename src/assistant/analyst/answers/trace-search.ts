import { getTraces, type GetTracesResult } from '../../tools/trace-tools.js';
import { getTrendAnalysis } from '../../tools/diagnostic-tools.js';
import { createMissingEndpointDraft, findEndpoints, loadServiceDetail } from './endpoint-lookup.js';
import type { QueryContext } from '../query-context.js';
import type { Slots, TimeInterval } from '../understanding/slots.js';
import {
  describeInterval,
  resolveSearchInterval,
  toRangeArguments,
  toWindowArguments,
} from '../time/window-resolver.js';
import type { Draft } from '../intents/intent.js';
import { formatCount, formatList, formatMs, formatName } from './answer-formatting.js';
import { formatTrace } from './answer-sentences.js';

/** Percentiles are right to 1 %: what is looked for begins that much lower, or nothing might be above it. */
const SKETCH_TOLERANCE = 0.99;

const MAX_PAGE_SIZE = 100;

/** Searches for the slowest: each finds about a hundredth of what the one before found. */
const MAX_SEARCHES = 3;

/** Slow traces without a figure are those above what 95 of 100 requests stay below: to the service where one is named. */
export async function resolveSlowThreshold(inquiry: QueryContext, slots: Slots): Promise<Slots> {
  if (slots.isSlow !== true || slots.minDurationMs !== undefined || inquiry.left < 2) return slots;
  const minDurationMs =
    slots.services.length === 0 ? await loadGridP95(inquiry, slots) : await loadServiceP95(inquiry, slots);
  return minDurationMs === undefined ? slots : { ...slots, minDurationMs };
}

async function loadGridP95(inquiry: QueryContext, { time }: Slots): Promise<number> {
  return Math.ceil((await inquiry.callTool(getTrendAnalysis, toWindowArguments(time))).answer.latency.current.p95);
}

/** Of its endpoints the slowest; undefined where it had no requests. */
async function loadServiceP95(inquiry: QueryContext, slots: Slots): Promise<number | undefined> {
  const endpoints = (await loadServiceDetail(inquiry, slots.services[0], slots))?.endpoints ?? [];
  const asked =
    slots.operation === undefined ? endpoints : endpoints.filter(({ operation }) => operation === slots.operation);
  return asked.length === 0
    ? undefined
    : Math.floor(SKETCH_TOLERANCE * Math.max(...asked.map(({ p95LatencyMs }) => p95LatencyMs)));
}

export interface OrderedTraces extends Pick<GetTracesResult, 'items' | 'totalCount'> {
  /** Where too many are equally slow to look at all of them, the newest come first as ever. */
  readonly order: 'slowest' | 'newest';
}

/** The slowest so many. Searches answer the newest first: as long as they find more than a page, only what is as slow as the slowest on it is looked for. */
export async function findSlowestTraces(
  most: number,
  left: number,
  slots: Slots,
  find: (slots: Slots, pageSize: number) => Promise<GetTracesResult>,
): Promise<OrderedTraces> {
  const { totalCount, items } = await find(slots, MAX_PAGE_SIZE);
  let [slowest, narrowed] = [items, totalCount];
  for (let searches = 1; narrowed > MAX_PAGE_SIZE && searches < Math.min(left, MAX_SEARCHES); searches++) {
    const found = await find({ ...slots, minDurationMs: sortSlowestFirst(slowest)[most - 1].duration }, MAX_PAGE_SIZE);
    [slowest, narrowed] = [found.items, found.totalCount];
  }
  if (narrowed > MAX_PAGE_SIZE) return { items: slowest.slice(0, most), totalCount, order: 'newest' };
  return { items: sortSlowestFirst(slowest).slice(0, most), totalCount, order: 'slowest' };
}

export function sortSlowestFirst(items: GetTracesResult['items']): GetTracesResult['items'] {
  return [...items].sort((a, b) => b.duration - a.duration);
}

const DEFAULT_ITEMS = 5;
const MAX_TRACES_LOOKED_AT = 100;

/**
 * Traces that went well. A search for OK finds traces in which any matching span did, calls that a failed request made among
 * them: what is looked for is therefore one endpoint, or where nothing was named the roots of all traces.
 */
export async function answerSuccessfulTraces(inquiry: QueryContext, slots: Slots): Promise<Draft> {
  const range = resolveSearchInterval(slots.time, inquiry.nowMs);
  if (slots.services.length === 0 && slots.operation === undefined && slots.thing === undefined)
    return answerForAllTraces(inquiry, await applySlowThreshold(inquiry, { ...slots, time: range }), range);
  const {
    endpoints: [busiest, ...others],
    isCut,
  } = await findEndpoints(inquiry, { ...slots, time: range });
  if (busiest === undefined) return createMissingEndpointDraft(inquiry, { ...slots, time: range }, isCut);
  const { serviceName, operation: operationName } = busiest;
  const searched = await applySlowThreshold(inquiry, {
    ...slots,
    services: [serviceName],
    operation: operationName,
    time: range,
  });
  const found = inquiry.left === 0 ? undefined : await searchSuccessfulTraces(inquiry, searched, range);
  const rest =
    others.length === 0
      ? ''
      : `\nNot looked at: ${others
          .slice(0, DEFAULT_ITEMS)
          .map(({ operation }) => formatName(operation))
          .join(', ')}${others.length > DEFAULT_ITEMS ? ' and others' : ''}.`;
  if (found === undefined)
    return {
      text: `The energy that is left does not pay for a search of the traces of ${serviceName}.`,
      followUps: ['How much energy is left?'],
    };
  const { items, totalCount, order } = found;
  const head = `${totalCount === 0 ? 'No' : totalCount} successful ${totalCount === 1 ? 'trace' : 'traces'} of ${serviceName} in ${formatName(operationName)}${describeDurationBounds(searched)}${describeInterval(range, inquiry.nowMs)}`;
  return {
    text: `${describeTraces(head, { items, totalCount, order }, inquiry.nowMs)}${rest}`,
    followUps: [
      ...(items[0] === undefined ? [] : [`Show me trace ${items[0].traceId}`]),
      `Show me failed traces of ${serviceName}`,
      `How fast is ${serviceName}?`,
    ],
    about: { status: 'OK' },
  };
}

/** Slow ones are those above what most requests take, failed ones among them; the slowest of what went through may be quicker than that. */
function applySlowThreshold(inquiry: QueryContext, slots: Slots): Promise<Slots> | Slots {
  return slots.isSlowest === true ? slots : resolveSlowThreshold(inquiry, slots);
}

/** Without conditions the search tells of roots, which any condition would end: what failed, or took another time, is left out of a page. */
async function answerForAllTraces(inquiry: QueryContext, slots: Slots, range: TimeInterval): Promise<Draft> {
  const { minDurationMs = 0, maxDurationMs = Infinity } = slots;
  const { items, totalCount } = await inquiry.callTool(getTraces, {
    ...toRangeArguments(range),
    page: 1,
    pageSize: MAX_TRACES_LOOKED_AT,
  });
  const fine = items.filter(
    ({ status, duration }) => status === 'OK' && duration >= minDurationMs && duration <= maxDurationMs,
  );
  const order = slots.isSlowest === true ? 'slowest' : 'newest';
  const shown = (order === 'slowest' ? sortSlowestFirst(fine) : fine).slice(0, slots.limit ?? DEFAULT_ITEMS);
  const looked =
    totalCount > items.length
      ? `Of the newest ${items.length} of ${formatCount(totalCount, 'trace')}`
      : `Of ${formatCount(totalCount, 'trace')}`;
  const head = `${looked}${describeInterval(range, inquiry.nowMs)} ${fine.length}${describeDurationBounds(slots)} went through`;
  return {
    text: describeTraces(head, { items: shown, totalCount: fine.length, order }, inquiry.nowMs),
    followUps: [
      ...(shown[0] === undefined ? [] : [`Show me trace ${shown[0].traceId}`]),
      'Show me failed traces',
      'Is anything broken?',
    ],
    about: { status: 'OK' },
  };
}

async function searchSuccessfulTraces(
  inquiry: QueryContext,
  slots: Slots,
  range: TimeInterval,
): Promise<OrderedTraces> {
  const { limit = DEFAULT_ITEMS } = slots;
  if (slots.isSlowest !== true)
    return { ...(await findSuccessfulTraces(inquiry, slots, range, limit)), order: 'newest' };
  return findSlowestTraces(limit, inquiry.left, slots, (narrowed, pageSize) =>
    findSuccessfulTraces(inquiry, narrowed, range, pageSize),
  );
}

/** Of one endpoint: the slots name it. */
function findSuccessfulTraces(
  inquiry: QueryContext,
  { services: [serviceName], operation: operationName, minDurationMs: minDuration, maxDurationMs: maxDuration }: Slots,
  range: TimeInterval,
  pageSize: number,
): Promise<GetTracesResult> {
  return inquiry.callTool(getTraces, {
    ...toRangeArguments(range),
    serviceName,
    operationName,
    status: 'OK',
    ...(minDuration !== undefined && { minDuration }),
    ...(maxDuration !== undefined && { maxDuration }),
    page: 1,
    pageSize,
  });
}

function describeDurationBounds({ minDurationMs, maxDurationMs }: Slots): string {
  return `${minDurationMs === undefined ? '' : ` of ${formatMs(minDurationMs)} or more`}${maxDurationMs === undefined ? '' : ` of ${formatMs(maxDurationMs)} or less`}`;
}

function describeTraces(head: string, { items, totalCount, order }: OrderedTraces, nowMs: number): string {
  if (items.length === 0) return `${head}.`;
  return `${head}${totalCount > items.length ? `, the ${order} ${items.length === 1 ? 'one' : formatCount(items.length, 'of them', 'of them')}` : ''}:${formatList(
    items.map((item) => formatTrace(item, nowMs)),
    items.length,
  )}`;
}
