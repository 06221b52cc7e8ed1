import { getTraceErrors } from '../tools/get-trace-errors.js';
import { getTraces, type FoundTraces } from '../tools/get-traces.js';
import type { Edge } from './edges.js';
import { withEndpoint } from './endpoints-about.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import { quotedName } from './quoted-names.js';
import type { Range, Slots } from './slots.js';
import { traceLine } from './trace-line.js';
import { duringRange, lastMinutes, searchRange, spelled } from './when.js';
import { and, listed, quote } from './wording.js';

/** Where no time was asked for. */
const DAY_MINUTES = 24 * 60;

/** The first failure of a time, or the last, as traces tell it: of each of the services that were named. Searches answer the newest first: the oldest is the last page. */
export async function edgeOfFailures(inquiry: Inquiry, asked: Slots, edge: Edge): Promise<Draft> {
  const { slots, draft } = await withEndpoint(inquiry, asked.time === undefined ? { ...asked, time: lastDay(inquiry) } : asked);
  if (draft !== undefined) return draft;
  if (slots.services.length < 2) return edgeOfOne(inquiry, slots, edge);
  const drafts: Draft[] = [];
  for (const name of slots.services) if (inquiry.left > 0) drafts.push(await edgeOfOne(inquiry, { ...slots, services: [name] }, edge));
  if (drafts.length === 0) return edgeOfOne(inquiry, slots, edge);
  const left = slots.services.slice(drafts.length);
  const unpaid = left.length === 0 ? '' : `\nThe energy that is left does not pay for looking at ${and(left)}.`;
  return { text: `${drafts.map(({ text }) => text).join('\n')}${unpaid}`, followUps: drafts.flatMap(({ followUps }) => followUps.slice(0, 2)) };
}

async function edgeOfOne(inquiry: Inquiry, slots: Slots, edge: Edge): Promise<Draft> {
  const range = searchRange(slots.time, inquiry.nowMs);
  const { found, totalCount, isFirst } = await edgeOfTraces(inquiry, slots, range, edge);
  const [name] = slots.services;
  const of = `${slots.operation === undefined ? '' : ` in ${quotedName(slots.operation)}`}${name === undefined ? '' : ` of ${name}`}${duringRange(range, inquiry.nowMs)}`;
  if (found === undefined) return { text: `No failed trace${of}.`, followUps: [name === undefined ? 'Is anything broken?' : `How is ${name} doing?`, 'What happened in the last 24 hours?'] };
  const which = totalCount === 1 ? 'The only failed trace' : `The ${isFirst ? 'first' : 'last'} of ${totalCount} failed traces`;
  return {
    text: `${which}${of}:${listed([traceLine(found, inquiry.nowMs)])}${await exceptionOf(inquiry, found.traceId)}`,
    followUps: [`Show me trace ${found.traceId}`, `Which errors does ${name ?? found.serviceName} have?`, name === undefined ? 'Which service has the most errors?' : `Has ${name} recovered?`],
  };
}

interface EdgeTrace {
  readonly found: FoundTraces['items'][number] | undefined;
  readonly totalCount: number;
  /** The last one is told of the first where energy pays for no second search. */
  readonly isFirst: boolean;
}

/** At the edge of all failed traces. */
async function edgeOfTraces(inquiry: Inquiry, slots: Slots, range: Range, edge: Edge): Promise<EdgeTrace> {
  const newest = await failed(inquiry, slots, range, 1);
  const isElsewhere = edge === 'first' && newest.totalCount > 1 && inquiry.left > 0;
  const { items: [found], totalCount } = isElsewhere ? await failed(inquiry, slots, range, newest.totalCount) : newest;
  return { found, totalCount, isFirst: isElsewhere };
}

function lastDay({ nowMs }: Inquiry): Range {
  return { ...lastMinutes(DAY_MINUTES, nowMs), last: '24 hours' };
}

function failed(inquiry: Inquiry, { services: [serviceName], operation: operationName }: Slots, range: Range, page: number): Promise<FoundTraces> {
  const conditions = { ...(serviceName !== undefined && { serviceName }), ...(operationName !== undefined && { operationName }) };
  return inquiry.ask(getTraces, { ...spelled(range), ...conditions, status: 'ERROR', page, pageSize: 1 });
}

async function exceptionOf(inquiry: Inquiry, traceId: string): Promise<string> {
  if (inquiry.left === 0) return '';
  const [first] = (await inquiry.ask(getTraceErrors, { traceId })).errors;
  return first === undefined ? '' : `\nIt recorded ${quote(first.exceptionType).slice(1, -1)}${first.message === '' ? '' : ` ${quote(first.message)}`} in ${first.serviceName}.`;
}
