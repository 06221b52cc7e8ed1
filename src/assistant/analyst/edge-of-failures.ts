import { getTraceErrors } from '../tools/get-trace-errors.js';
import { getTraces, type FoundTraces } from '../tools/get-traces.js';
import type { Edge } from './edges.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import type { Range, Slots } from './slots.js';
import { traceLine } from './trace-line.js';
import { duringRange, lastMinutes, searchRange, spelled } from './when.js';
import { listed, quote } from './wording.js';

/** Where no time was asked for. */
const DAY_MINUTES = 24 * 60;

/** The first failure of a time, or the last, as traces tell it. Searches answer the newest first: the oldest is the last page. */
export async function edgeOfFailures(inquiry: Inquiry, slots: Slots, edge: Edge): Promise<Draft> {
  const range: Range = slots.time === undefined ? { ...lastMinutes(DAY_MINUTES, inquiry.nowMs), last: '24 hours' } : searchRange(slots.time, inquiry.nowMs);
  const newest = await failed(inquiry, slots, range, 1);
  const isElsewhere = edge === 'first' && newest.totalCount > 1 && inquiry.left > 0;
  const { items: [found], totalCount } = isElsewhere ? await failed(inquiry, slots, range, newest.totalCount) : newest;
  const [name] = slots.services;
  const of = `${slots.operation === undefined ? '' : ` in ${slots.operation}`}${name === undefined ? '' : ` of ${name}`}${duringRange(range, inquiry.nowMs)}`;
  if (found === undefined) return { text: `No failed trace${of}.`, followUps: [name === undefined ? 'Is anything broken?' : `How is ${name} doing?`, 'What happened in the last 24 hours?'] };
  const which = totalCount === 1 ? 'The only failed trace' : `The ${edge === 'first' && isElsewhere ? 'first' : 'last'} of ${totalCount} failed traces`;
  return {
    text: `${which}${of}:${listed([traceLine(found, inquiry.nowMs)])}${await exceptionOf(inquiry, found.traceId)}`,
    followUps: [`Show me trace ${found.traceId}`, `Which errors does ${name ?? found.serviceName} have?`, name === undefined ? 'Which service has the most errors?' : `Has ${name} recovered?`],
  };
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
