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
import { describeTags } from '../answers/answer-sentences.js';
import { formatList, quote } from '../answers/answer-formatting.js';

const WIDER_MINUTES = 24 * 60;
/** Traces are searched within the maximum diagnostics window. */
const TRACE_MINUTES = 7 * WIDER_MINUTES;
const DEFAULT_ITEMS = 5;

export const logsIntent: Intent = {
  name: 'logs',
  cues: { logs: 5, asksWhatIsWritten: 5, level: 4.5, quoted: 3, traceId: 4, spanId: 4 },
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
    tags: attributes,
    limit = DEFAULT_ITEMS,
  } = slots;
  const conditions: Omit<GetLogsArguments, 'rangeStart' | 'rangeEnd'> = {
    ...(serviceName !== undefined && { serviceName }),
    ...(severityLevel !== undefined && { severityLevel }),
    ...(body !== undefined && { body }),
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId }),
    ...(attributes !== undefined && { attributes }),
  };
  if (slots.excluded !== undefined)
    return searchOtherLogs(context, slots.excluded, { ...toRangeArguments(range), ...conditions }, limit);
  const ask = (page: number, pageSize: number): Promise<GetLogsResult> =>
    context.callTool(getLogs, { ...toRangeArguments(range), ...conditions, page, pageSize });
  const newest = await ask(1, limit);
  if (slots.edge !== 'first' || context.sourcesLeft === 0 || newest.totalCount <= limit) return newest;
  // The oldest entries are on the last page, which may have fewer items.
  return ask(Math.ceil(newest.totalCount / limit), limit);
}

/** Largest page of a search. */
const MAX_PAGE_SIZE = 100;

/**
 * Entries of all but these services. Searches have no such condition: theirs are counted and subtracted, since every
 * entry belongs to one service. Lists the newest of them that are among the newest entries of all.
 */
async function searchOtherLogs(
  context: QueryContext,
  excluded: readonly string[],
  conditions: GetLogsArguments,
  limit: number,
): Promise<GetLogsResult> {
  const all = await context.callTool(getLogs, { ...conditions, page: 1, pageSize: MAX_PAGE_SIZE });
  let totalCount = all.totalCount;
  for (const serviceName of excluded)
    totalCount -= (await context.callTool(getLogs, { ...conditions, serviceName, page: 1, pageSize: 1 })).totalCount;
  const items = all.items.filter(({ serviceName }) => !excluded.includes(serviceName));
  return { ...all, items: items.slice(0, limit), totalCount };
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
  const without = slots.excluded === undefined ? '' : ` not of ${slots.excluded.join(' or ')}`;
  const where = slots.tags === undefined ? '' : ` ${describeTags(slots)}`;
  const what = `${level}log ${totalCount === 1 ? 'entry' : 'entries'}${name === undefined ? '' : ` of ${name}`}${words === undefined ? '' : ` with ${quote(words)}`}${traceId === undefined ? '' : ` of trace ${traceId}`}${without}${where}`;
  const head = `${totalCount === 0 ? 'No' : totalCount} ${what}${describeInterval(range, nowMs)}`;
  // A search for words ignores their order: "order 7 could not be placed" contains those of "orders placed".
  const each =
    slots.isCounted !== true || !words!.includes(' ')
      ? ''
      : '\nCounted is every entry that has all of these words, whatever else it says.';
  if (items.length === 0) return `${head}.${each}`;
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
