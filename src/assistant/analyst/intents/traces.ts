import type { TraceArguments, FoundTraces } from '../../tools/get-traces.js';
import { getTraces } from '../../tools/get-traces.js';
import { edgeOfFailures } from '../edge-of-failures.js';
import { withEndpoint } from '../endpoints-about.js';
import { healthOf } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { quotedName } from '../quoted-names.js';
import { slowestOf, withSlowness, type TracesInOrder } from '../slow-traces.js';
import { successfulTraces } from '../successful-traces.js';
import type { Range, Slots } from '../slots.js';
import { traceLine } from '../trace-line.js';
import { duringRange, lastMinutes, searchRange, spelled } from '../when.js';
import { and, counted, listed, ms, percent, quote } from '../wording.js';

/** Where nothing was found in the usual window, and none was asked for. */
const WIDER_MINUTES = 24 * 60;
const USUAL_ITEMS = 5;

export const traces: Intent = {
  name: 'traces',
  cues: { traces: 5, failed: 3, succeeded: 3, noFailure: 3, requests: 0.5, oneSlowest: 5, show: 1, duration: 3 },
  forms: ['Show me failed traces of {service}', 'Show me traces slower than 500 ms in the last hour'],
  async answer(inquiry, slots) {
    if (slots.subject !== undefined) return cannotSearch(slots.subject);
    if (slots.edge !== undefined) return edgeOfFailures(inquiry, slots, slots.edge);
    if (slots.status === 'OK') return successfulTraces(inquiry, slots);
    const meant = await withEndpoint(inquiry, slots);
    if (meant.draft !== undefined) return meant.draft;
    const searched = await withSlowness(inquiry, meant.slots);
    const usual = searchRange(slots.time, inquiry.nowMs);
    const first = await search(inquiry, searched, usual);
    const isWider = first.totalCount === 0 && slots.time === undefined && inquiry.left > 0;
    const range = isWider ? { ...lastMinutes(WIDER_MINUTES, inquiry.nowMs), last: '24 hours' } : usual;
    const found = isWider ? await search(inquiry, searched, range) : first;
    const before = isWider ? `None${duringRange(usual, inquiry.nowMs)}. ` : '';
    const [name] = searched.services;
    return {
      text: `${before}${sentence(found, searched, range, inquiry.nowMs)}${await shareOf(inquiry, searched, range)}`,
      followUps: [...(found.items[0] === undefined ? [] : [`Show me trace ${found.items[0].traceId}`]), ...(name === undefined ? ['What is the root cause?', 'Which service has the most errors?'] : [`Why is ${name} slow?`, `Which errors does ${name} have?`, `Show me the logs of ${name}`])],
      ...(searched.status !== undefined && { about: { status: searched.status } }),
    };
  },
};

/** Rather than traces of everybody. */
function cannotSearch(subject: string): Draft {
  const words = subject.replace(/^.*[\s#:=]/, '');
  return {
    text: `I cannot search traces for ${quote(subject)}: only by service, operation, status, duration and time. I can search the logs for it, which name their traces.`,
    followUps: [`Search logs containing "${words}"`, 'Show me failed traces'],
  };
}

/** Whoever asks how many requests failed wants to know of how many. */
async function shareOf(inquiry: Inquiry, { services: [name], status, measure, operation, minDurationMs }: Slots, range: Range): Promise<string> {
  if (name === undefined || status !== 'ERROR' || measure !== 'requests' || operation !== undefined || minDurationMs !== undefined || inquiry.left === 0) return '';
  const service = (await healthOf(inquiry, { time: range })).find(({ serviceName }) => serviceName === name);
  return service === undefined ? '' : `\n${name} had ${counted(service.requestCount, 'request')} in all, ${percent(service.errorRate)} of them failed.`;
}

async function search(inquiry: Inquiry, slots: Slots, range: Range): Promise<TracesInOrder> {
  const { limit = USUAL_ITEMS } = slots;
  if (slots.isSlowest !== true) return { ...(await find(inquiry, slots, range, limit)), order: 'newest' };
  return slowestOf(limit, inquiry.left, slots, (narrowed, pageSize) => find(inquiry, narrowed, range, pageSize));
}

function find(inquiry: Inquiry, slots: Slots, range: Range, pageSize: number): Promise<FoundTraces> {
  const { services: [serviceName], operation: operationName, status, minDurationMs: minDuration, maxDurationMs: maxDuration } = slots;
  const conditions: Omit<TraceArguments, 'rangeStart' | 'rangeEnd'> = {
    ...(serviceName !== undefined && { serviceName }), ...(operationName !== undefined && { operationName }), ...(status !== undefined && { status }),
    ...(minDuration !== undefined && { minDuration }), ...(maxDuration !== undefined && { maxDuration }),
  };
  return inquiry.ask(getTraces, { ...spelled(range), ...conditions, page: 1, pageSize });
}

function sentence({ items, totalCount, order }: TracesInOrder, slots: Slots, range: Range, nowMs: number): string {
  const what = `${slots.status === 'ERROR' ? 'failed ' : ''}${totalCount === 1 ? 'trace' : 'traces'}`;
  const { services: [name], operation, minDurationMs, maxDurationMs } = slots;
  const conditions = [
    name === undefined ? '' : `of ${name}`, operation === undefined ? '' : `in ${quotedName(operation)}`,
    minDurationMs === undefined ? '' : `of ${ms(minDurationMs)} or more`, maxDurationMs === undefined ? '' : `of ${ms(maxDurationMs)} or less`,
  ].filter((condition) => condition !== '');
  const head = `${totalCount === 0 ? 'No' : totalCount} ${what}${conditions.length === 0 ? '' : ` ${and(conditions)}`}${duringRange(range, nowMs)}`;
  if (totalCount === 0) return `${head}.`;
  const lines = items.map((item) => traceLine(item, nowMs));
  return `${head}${totalCount > items.length ? `, the ${order} ${items.length === 1 ? 'one' : counted(items.length, 'of them', 'of them')}` : ''}:${listed(lines, items.length)}`;
}
