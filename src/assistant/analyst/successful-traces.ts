import { getTraces, type FoundTraces } from '../tools/get-traces.js';
import { endpointsAbout, noEndpoint } from './endpoints-about.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import { quotedName } from './quoted-names.js';
import { slowestFirst, slowestOf, withSlowness, type TracesInOrder } from './slow-traces.js';
import type { Range, Slots } from './slots.js';
import { traceLine } from './trace-line.js';
import { duringRange, searchRange, spelled } from './when.js';
import { counted, listed, ms } from './wording.js';

const USUAL_ITEMS = 5;
const MOST_ON_A_PAGE = 100;

/**
 * Traces that went well. A search for OK finds traces in which any matching span did, calls that a failed request made among
 * them: what is looked for is therefore one endpoint, or where nothing was named the roots of all traces.
 */
export async function successfulTraces(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const range = searchRange(slots.time, inquiry.nowMs);
  if (slots.services.length === 0 && slots.operation === undefined && slots.thing === undefined) return ofAll(inquiry, await aboveUsual(inquiry, { ...slots, time: range }), range);
  const { endpoints: [busiest, ...others], isCut } = await endpointsAbout(inquiry, { ...slots, time: range });
  if (busiest === undefined) return noEndpoint(inquiry, { ...slots, time: range }, isCut);
  const { serviceName, operation: operationName } = busiest;
  const searched = await aboveUsual(inquiry, { ...slots, services: [serviceName], operation: operationName, time: range });
  const found = inquiry.left === 0 ? undefined : await search(inquiry, searched, range);
  const rest = others.length === 0 ? '' : `\nNot looked at: ${others.slice(0, USUAL_ITEMS).map(({ operation }) => quotedName(operation)).join(', ')}${others.length > USUAL_ITEMS ? ' and others' : ''}.`;
  if (found === undefined) return { text: `The energy that is left does not pay for a search of the traces of ${serviceName}.`, followUps: ['How much energy is left?'] };
  const { items, totalCount, order } = found;
  const head = `${totalCount === 0 ? 'No' : totalCount} successful ${totalCount === 1 ? 'trace' : 'traces'} of ${serviceName} in ${quotedName(operationName)}${bounds(searched)}${duringRange(range, inquiry.nowMs)}`;
  return { text: `${told(head, { items, totalCount, order }, inquiry.nowMs)}${rest}`, followUps: [...(items[0] === undefined ? [] : [`Show me trace ${items[0].traceId}`]), `Show me failed traces of ${serviceName}`, `How fast is ${serviceName}?`], about: { status: 'OK' } };
}

/** Slow ones are those above what most requests take, failed ones among them; the slowest of what went through may be quicker than that. */
function aboveUsual(inquiry: Inquiry, slots: Slots): Promise<Slots> | Slots {
  return slots.isSlowest === true ? slots : withSlowness(inquiry, slots);
}

/** Without conditions the search tells of roots, which any condition would end: what failed, or took another time, is left out of a page. */
async function ofAll(inquiry: Inquiry, slots: Slots, range: Range): Promise<Draft> {
  const { minDurationMs = 0, maxDurationMs = Infinity } = slots;
  const { items, totalCount } = await inquiry.ask(getTraces, { ...spelled(range), page: 1, pageSize: MOST_ON_A_PAGE });
  const fine = items.filter(({ status, duration }) => status === 'OK' && duration >= minDurationMs && duration <= maxDurationMs);
  const order = slots.isSlowest === true ? 'slowest' : 'newest';
  const shown = (order === 'slowest' ? slowestFirst(fine) : fine).slice(0, slots.limit ?? USUAL_ITEMS);
  const looked = totalCount > items.length ? `Of the newest ${items.length} of ${counted(totalCount, 'trace')}` : `Of ${counted(totalCount, 'trace')}`;
  const head = `${looked}${duringRange(range, inquiry.nowMs)} ${fine.length}${bounds(slots)} went through`;
  return { text: told(head, { items: shown, totalCount: fine.length, order }, inquiry.nowMs), followUps: [...(shown[0] === undefined ? [] : [`Show me trace ${shown[0].traceId}`]), 'Show me failed traces', 'Is anything broken?'], about: { status: 'OK' } };
}

async function search(inquiry: Inquiry, slots: Slots, range: Range): Promise<TracesInOrder> {
  const { limit = USUAL_ITEMS } = slots;
  if (slots.isSlowest !== true) return { ...(await find(inquiry, slots, range, limit)), order: 'newest' };
  return slowestOf(limit, inquiry.left, slots, (narrowed, pageSize) => find(inquiry, narrowed, range, pageSize));
}

/** Of one endpoint: the slots name it. */
function find(inquiry: Inquiry, { services: [serviceName], operation: operationName, minDurationMs: minDuration, maxDurationMs: maxDuration }: Slots, range: Range, pageSize: number): Promise<FoundTraces> {
  return inquiry.ask(getTraces, { ...spelled(range), serviceName, operationName, status: 'OK', ...(minDuration !== undefined && { minDuration }), ...(maxDuration !== undefined && { maxDuration }), page: 1, pageSize });
}

function bounds({ minDurationMs, maxDurationMs }: Slots): string {
  return `${minDurationMs === undefined ? '' : ` of ${ms(minDurationMs)} or more`}${maxDurationMs === undefined ? '' : ` of ${ms(maxDurationMs)} or less`}`;
}

function told(head: string, { items, totalCount, order }: TracesInOrder, nowMs: number): string {
  if (items.length === 0) return `${head}.`;
  return `${head}${totalCount > items.length ? `, the ${order} ${items.length === 1 ? 'one' : counted(items.length, 'of them', 'of them')}` : ''}:${listed(items.map((item) => traceLine(item, nowMs)), items.length)}`;
}
