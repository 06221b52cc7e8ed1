import type { GetLogsResult, GetLogsArguments } from '../../tools/log-tools.js';
import { getLogs } from '../../tools/log-tools.js';
import type { QueryContext } from '../query-context.js';
import type { Intent } from './intent.js';
import type { TimeInterval, Slots } from '../understanding/slots.js';
import {
  formatIsoClock,
  describeInterval,
  lastMinutes,
  resolveSearchInterval,
  toRangeArguments,
} from '../time/window-resolver.js';
import { formatList, quote } from '../answers/answer-formatting.js';

const WIDER_MINUTES = 24 * 60;
/** Traces are searched within the maximum diagnostics window. */
const TRACE_MINUTES = 7 * WIDER_MINUTES;
const DEFAULT_ITEMS = 5;

export const logsIntent: Intent = {
  name: 'logs',
  cues: { logs: 5, asksWhatIsSaid: 5, level: 4.5, quoted: 3, traceId: 4, spanId: 4 },
  forms: ['Show me error logs of {service}', 'Search logs containing "timeout" in the last hour'],
  async answer(context, slots) {
    const usual = resolveLogInterval(slots, context.nowMs);
    const first = await searchLogs(context, slots, usual);
    const isWider =
      first.totalCount === 0 && slots.time === undefined && slots.traceId === undefined && context.sourcesLeft > 0;
    const range = isWider ? { ...lastMinutes(WIDER_MINUTES, context.nowMs), last: '24 hours' } : usual;
    const found = isWider ? await searchLogs(context, slots, range) : first;
    const note = isWider ? `None${describeInterval(usual, context.nowMs)}. ` : '';
    const [name] = slots.services;
    const traceId = found.items.find((item) => item.traceId !== '')?.traceId;
    return {
      text: `${note}${describeLogs(found, slots, range, context.nowMs)}`,
      followUps: [
        ...(traceId === undefined ? [] : [`Show me trace ${traceId}`]),
        ...(name === undefined
          ? ['Show me failed traces', 'Which service has the most errors?']
          : [`Show me failed traces of ${name}`, `Which errors does ${name} have?`]),
      ],
    };
  },
};

function resolveLogInterval({ time, traceId }: Slots, nowMs: number): TimeInterval {
  return time === undefined && traceId !== undefined
    ? { ...lastMinutes(TRACE_MINUTES, nowMs), last: '7 days' }
    : resolveSearchInterval(time, nowMs);
}

async function searchLogs(context: QueryContext, slots: Slots, range: TimeInterval): Promise<GetLogsResult> {
  const {
    services: [serviceName],
    severity: severityLevel,
    words: body,
    traceId,
    spanId,
    limit = DEFAULT_ITEMS,
  } = slots;
  const conditions: Omit<GetLogsArguments, 'rangeStart' | 'rangeEnd'> = {
    ...(serviceName !== undefined && { serviceName }),
    ...(severityLevel !== undefined && { severityLevel }),
    ...(body !== undefined && { body }),
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId }),
  };
  const ask = (page: number, pageSize: number): Promise<GetLogsResult> =>
    context.callTool(getLogs, { ...toRangeArguments(range), ...conditions, page, pageSize });
  const newest = await ask(1, limit);
  if (slots.edge !== 'first' || context.sourcesLeft === 0 || newest.totalCount <= limit) return newest;
  // The oldest entries are on the last page, which may have fewer items.
  return ask(Math.ceil(newest.totalCount / limit), limit);
}

/** False if the newest entries are shown because energy did not permit a second search. */
function isOldestFirst({ edge }: Slots, { page, items, totalCount }: GetLogsResult): boolean {
  return edge === 'first' && (page > 1 || items.length === totalCount);
}

function describeLogs(found: GetLogsResult, slots: Slots, range: TimeInterval, nowMs: number): string {
  const { items, totalCount } = found;
  const {
    services: [name],
    severity,
    words,
    traceId,
  } = slots;
  const level = severity === undefined ? '' : `${severity} `;
  const what = `${level}log ${totalCount === 1 ? 'entry' : 'entries'}${name === undefined ? '' : ` of ${name}`}${words === undefined ? '' : ` with ${quote(words)}`}${traceId === undefined ? '' : ` of trace ${traceId}`}`;
  const head = `${totalCount === 0 ? 'No' : totalCount} ${what}${describeInterval(range, nowMs)}`;
  // A search for words ignores their order: "order 7 could not be placed" contains those of "orders placed".
  const each =
    slots.isCounted !== true || !words!.includes(' ')
      ? ''
      : '\nCounted is every entry that has all of these words, whatever else it says.';
  if (totalCount === 0) return `${head}.${each}`;
  const isOldest = isOldestFirst(slots, found);
  const listed = isOldest ? [...items].reverse() : items;
  const which =
    totalCount > items.length
      ? `, the ${isOldest ? 'first' : 'newest'} ${items.length === 1 ? 'one' : `${items.length}`}`
      : '';
  return `${head}${which}:${formatList(
    listed.map(
      (item) =>
        `${formatIsoClock(item.timestamp, nowMs)} ${item.severityLevel} ${item.serviceName}: ${quote(item.body)}`,
    ),
    items.length,
  )}${each}`;
}
