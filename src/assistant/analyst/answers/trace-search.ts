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

/**
 * Percentiles have an error of 1 %, so the search threshold is lowered by that much; otherwise it might match
 * nothing.
 */
const SKETCH_TOLERANCE = 0.99;

const MAX_PAGE_SIZE = 100;

/** Searches for the slowest traces: each finds about a hundredth of the previous one's results. */
const MAX_SEARCHES = 3;

/** For slow traces without an explicit duration, the threshold is the p95 of the named service or of the Grid. */
export async function resolveSlowThreshold(context: QueryContext, slots: Slots): Promise<Slots> {
  if (slots.isSlow !== true || slots.minDurationMs !== undefined || context.sourcesLeft < 2) return slots;
  const minDurationMs =
    slots.services.length === 0 ? await loadGridP95(context, slots) : await loadServiceP95(context, slots);
  return minDurationMs === undefined ? slots : { ...slots, minDurationMs };
}

async function loadGridP95(context: QueryContext, { time }: Slots): Promise<number> {
  return Math.ceil((await context.callTool(getTrendAnalysis, toWindowArguments(time))).answer.latency.current.p95);
}

/** That of its slowest endpoint; undefined if it had no requests. */
async function loadServiceP95(context: QueryContext, slots: Slots): Promise<number | undefined> {
  const endpoints = (await loadServiceDetail(context, slots.services[0], slots))?.endpoints ?? [];
  const threshold =
    slots.operation === undefined ? endpoints : endpoints.filter(({ operation }) => operation === slots.operation);
  return threshold.length === 0
    ? undefined
    : Math.floor(SKETCH_TOLERANCE * Math.max(...threshold.map(({ p95LatencyMs }) => p95LatencyMs)));
}

export interface OrderedTraces extends Pick<GetTracesResult, 'items' | 'totalCount'> {
  /** If too many traces are equally slow to fetch all of them, they are listed newest first. */
  readonly order: 'slowest' | 'newest';
}

/**
 * The slowest traces. Searches return the newest first, so as long as they find more than a page, the duration
 * threshold is raised to the slowest one on the page.
 */
export async function findSlowestTraces(
  maxItems: number,
  left: number,
  slots: Slots,
  find: (slots: Slots, pageSize: number) => Promise<GetTracesResult>,
): Promise<OrderedTraces> {
  const { totalCount, items } = await find(slots, MAX_PAGE_SIZE);
  let [slowest, narrowed] = [items, totalCount];
  for (let searches = 1; narrowed > MAX_PAGE_SIZE && searches < Math.min(left, MAX_SEARCHES); searches++) {
    const found = await find(
      { ...slots, minDurationMs: sortSlowestFirst(slowest)[maxItems - 1].duration },
      MAX_PAGE_SIZE,
    );
    [slowest, narrowed] = [found.items, found.totalCount];
  }
  if (narrowed > MAX_PAGE_SIZE) return { items: slowest.slice(0, maxItems), totalCount, order: 'newest' };
  return { items: sortSlowestFirst(slowest).slice(0, maxItems), totalCount, order: 'slowest' };
}

export function sortSlowestFirst(items: GetTracesResult['items']): GetTracesResult['items'] {
  return [...items].sort((a, b) => b.duration - a.duration);
}

const DEFAULT_ITEMS = 5;
const MAX_TRACES_LOOKED_AT = 100;

/**
 * Successful traces. A search for status OK matches traces in which any matching span succeeded, including calls made
 * by failed requests; so the search is for one endpoint, or, if nothing is named, for the roots of all traces.
 */
export async function answerSuccessfulTraces(context: QueryContext, slots: Slots): Promise<Draft> {
  const range = resolveSearchInterval(slots.time, context.nowMs);
  if (slots.services.length === 0 && slots.operation === undefined && slots.thing === undefined)
    return answerForAllTraces(context, await applySlowThreshold(context, { ...slots, time: range }), range);
  const {
    endpoints: [busiest, ...others],
    isCut,
  } = await findEndpoints(context, { ...slots, time: range });
  if (busiest === undefined) return createMissingEndpointDraft(context, { ...slots, time: range }, isCut);
  const { serviceName, operation: operationName } = busiest;
  const searched = await applySlowThreshold(context, {
    ...slots,
    services: [serviceName],
    operation: operationName,
    time: range,
  });
  const found = context.sourcesLeft === 0 ? undefined : await searchSuccessfulTraces(context, searched, range);
  const rest =
    others.length === 0
      ? ''
      : `\nNot looked at: ${others
          .slice(0, DEFAULT_ITEMS)
          .map(({ operation }) => formatName(operation))
          .join(', ')}${others.length > DEFAULT_ITEMS ? ' and others' : ''}.`;
  if (found === undefined)
    return {
      text: `Lookup limit for one answer reached: I did not search the traces of ${serviceName}.`,
      followUps: ['How much energy is left?'],
    };
  const { items, totalCount, order } = found;
  const head = `${totalCount === 0 ? 'No' : totalCount} successful ${totalCount === 1 ? 'trace' : 'traces'} of ${serviceName} in ${formatName(operationName)}${describeDurationBounds(searched)}${describeInterval(range, context.nowMs)}`;
  return {
    text: `${describeTraces(head, { items, totalCount, order }, context.nowMs)}${rest}`,
    followUps: [
      ...(items[0] === undefined ? [] : [`Show me trace ${items[0].traceId}`]),
      `Show me failed traces of ${serviceName}`,
      `How fast is ${serviceName}?`,
    ],
    about: { status: 'OK' },
  };
}

/**
 * The threshold for slow traces includes failed ones; the slowest successful trace may be faster than that, so it is
 * not applied then.
 */
function applySlowThreshold(context: QueryContext, slots: Slots): Promise<Slots> | Slots {
  return slots.isSlowest === true ? slots : resolveSlowThreshold(context, slots);
}

/**
 * Without conditions the search returns roots, which any condition would prevent; failed traces and those outside the
 * duration bounds are filtered from a page.
 */
async function answerForAllTraces(context: QueryContext, slots: Slots, range: TimeInterval): Promise<Draft> {
  const { minDurationMs = 0, maxDurationMs = Infinity } = slots;
  const { items, totalCount } = await context.callTool(getTraces, {
    ...toRangeArguments(range),
    page: 1,
    pageSize: MAX_TRACES_LOOKED_AT,
  });
  const successful = items.filter(
    ({ status, duration }) => status === 'OK' && duration >= minDurationMs && duration <= maxDurationMs,
  );
  const order = slots.isSlowest === true ? 'slowest' : 'newest';
  const listed = (order === 'slowest' ? sortSlowestFirst(successful) : successful).slice(
    0,
    slots.limit ?? DEFAULT_ITEMS,
  );
  const note =
    totalCount > items.length
      ? `Of the newest ${items.length} of ${formatCount(totalCount, 'trace')}`
      : `Of ${formatCount(totalCount, 'trace')}`;
  const head = `${note}${describeInterval(range, context.nowMs)} ${successful.length}${describeDurationBounds(slots)} went through`;
  return {
    text: describeTraces(head, { items: listed, totalCount: successful.length, order }, context.nowMs),
    followUps: [
      ...(listed[0] === undefined ? [] : [`Show me trace ${listed[0].traceId}`]),
      'Show me failed traces',
      'Is anything broken?',
    ],
    about: { status: 'OK' },
  };
}

async function searchSuccessfulTraces(
  context: QueryContext,
  slots: Slots,
  range: TimeInterval,
): Promise<OrderedTraces> {
  const { limit = DEFAULT_ITEMS } = slots;
  if (slots.isSlowest !== true)
    return { ...(await findSuccessfulTraces(context, slots, range, limit)), order: 'newest' };
  return findSlowestTraces(limit, context.sourcesLeft, slots, (narrowed, pageSize) =>
    findSuccessfulTraces(context, narrowed, range, pageSize),
  );
}

/** For one endpoint, named in the slots. */
function findSuccessfulTraces(
  context: QueryContext,
  { services: [serviceName], operation: operationName, minDurationMs: minDuration, maxDurationMs: maxDuration }: Slots,
  range: TimeInterval,
  pageSize: number,
): Promise<GetTracesResult> {
  return context.callTool(getTraces, {
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
