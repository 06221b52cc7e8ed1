import type { FoundLogs, LogArguments } from '../../tools/get-logs.js';
import { getLogs } from '../../tools/get-logs.js';
import type { Inquiry } from '../inquiry.js';
import type { Intent } from '../intent.js';
import type { Range, Slots } from '../slots.js';
import { clockOf, duringRange, lastMinutes, searchRange, spelled } from '../when.js';
import { listed, quote } from '../wording.js';

const WIDER_MINUTES = 24 * 60;
/** A trace is looked for as far back as diagnostics go. */
const TRACE_MINUTES = 7 * WIDER_MINUTES;
const USUAL_ITEMS = 5;

export const logs: Intent = {
  name: 'logs',
  cues: { logs: 5, asksWhatIsSaid: 5, level: 4.5, quoted: 3, traceId: 4, spanId: 4 },
  forms: ['Show me error logs of {service}', 'Search logs containing "timeout" in the last hour'],
  async answer(inquiry, slots) {
    const usual = usualRange(slots, inquiry.nowMs);
    const first = await search(inquiry, slots, usual);
    const isWider = first.totalCount === 0 && slots.time === undefined && slots.traceId === undefined && inquiry.left > 0;
    const range = isWider ? { ...lastMinutes(WIDER_MINUTES, inquiry.nowMs), last: '24 hours' } : usual;
    const found = isWider ? await search(inquiry, slots, range) : first;
    const before = isWider ? `None${duringRange(usual, inquiry.nowMs)}. ` : '';
    const [name] = slots.services;
    const traceId = found.items.find((item) => item.traceId !== '')?.traceId;
    return {
      text: `${before}${sentence(found, slots, range, inquiry.nowMs)}`,
      followUps: [...(traceId === undefined ? [] : [`Show me trace ${traceId}`]), ...(name === undefined ? ['Show me failed traces', 'Which service has the most errors?'] : [`Show me failed traces of ${name}`, `Which errors does ${name} have?`])],
    };
  },
};

function usualRange({ time, traceId }: Slots, nowMs: number): Range {
  return time === undefined && traceId !== undefined ? { ...lastMinutes(TRACE_MINUTES, nowMs), last: '7 days' } : searchRange(time, nowMs);
}

async function search(inquiry: Inquiry, slots: Slots, range: Range): Promise<FoundLogs> {
  const { services: [serviceName], severity: severityLevel, words: body, traceId, spanId, limit = USUAL_ITEMS } = slots;
  const conditions: Omit<LogArguments, 'rangeStart' | 'rangeEnd'> = {
    ...(serviceName !== undefined && { serviceName }), ...(severityLevel !== undefined && { severityLevel }), ...(body !== undefined && { body }),
    ...(traceId !== undefined && { traceId }), ...(spanId !== undefined && { spanId }),
  };
  const ask = (page: number, pageSize: number): Promise<FoundLogs> => inquiry.ask(getLogs, { ...spelled(range), ...conditions, page, pageSize });
  const newest = await ask(1, limit);
  if (slots.edge !== 'first' || inquiry.left === 0 || newest.totalCount <= limit) return newest;
  // The oldest are on the last page, on which there may be fewer.
  return ask(Math.ceil(newest.totalCount / limit), limit);
}

/** Where energy pays for no second search, the newest are told. */
function isOldestFirst({ edge }: Slots, { page, items, totalCount }: FoundLogs): boolean {
  return edge === 'first' && (page > 1 || items.length === totalCount);
}

function sentence(found: FoundLogs, slots: Slots, range: Range, nowMs: number): string {
  const { items, totalCount } = found;
  const { services: [name], severity, words, traceId } = slots;
  const level = severity === undefined ? '' : `${severity} `;
  const what = `${level}log ${totalCount === 1 ? 'entry' : 'entries'}${name === undefined ? '' : ` of ${name}`}${words === undefined ? '' : ` with ${quote(words)}`}${traceId === undefined ? '' : ` of trace ${traceId}`}`;
  const head = `${totalCount === 0 ? 'No' : totalCount} ${what}${duringRange(range, nowMs)}`;
  // Words say nothing of how they belong together: "order 7 could not be placed" has those of "orders placed".
  const each = slots.isCounted !== true || !words!.includes(' ') ? '' : '\nCounted is every entry that has all of these words, whatever else it says.';
  if (totalCount === 0) return `${head}.${each}`;
  const isOldest = isOldestFirst(slots, found);
  const shown = isOldest ? [...items].reverse() : items;
  const which = totalCount > items.length ? `, the ${isOldest ? 'first' : 'newest'} ${items.length === 1 ? 'one' : `${items.length}`}` : '';
  return `${head}${which}:${listed(shown.map((item) => `${clockOf(item.timestamp, nowMs)} ${item.severityLevel} ${item.serviceName}: ${quote(item.body)}`), items.length)}${each}`;
}
