import { getTraces, type FoundTraces } from '../tools/get-traces.js';
import type { Edge } from './edges.js';
import { detailOf } from './endpoints.js';
import { narrowed, nextLook, type Bracket } from './first-minute.js';
import type { Inquiry } from './inquiry.js';
import type { Range } from './slots.js';
import { clock, spelled } from './when.js';
import { and } from './wording.js';

const MINUTE_MS = 60_000;
const MOST_ON_A_PAGE = 100;

/** One type of exception in one service, seen so often in a time. */
export interface SeenException {
  readonly serviceName: string;
  readonly type: string;
  readonly count: number;
  readonly range: Range;
}

/**
 * The minutes of the first or the last exception of a type. No search tells them: the detail of the service counts exceptions
 * in any window, so that the window is narrowed, by the times at which requests failed, as far as energy pays for it.
 */
export async function edgesOfExceptions(inquiry: Inquiry, seen: SeenException, edges: readonly Edge[]): Promise<string> {
  if (inquiry.left < 2) return `\nThe energy that is left does not pay for finding out when the ${and(edges)} of them was.`;
  const failed = await inquiry.ask(getTraces, { ...spelled(seen.range), serviceName: seen.serviceName, status: 'ERROR', page: 1, pageSize: MOST_ON_A_PAGE });
  let told = '';
  for (const edge of edges) told += await edgeOf(inquiry, seen, edge, failed);
  return told;
}

async function edgeOf(inquiry: Inquiry, { serviceName, type, count, range }: SeenException, edge: Edge, { items, totalCount }: FoundTraces): Promise<string> {
  const time = inTime(range, edge);
  const minutes = items.map(({ endTime }) => time.minuteOf(Date.parse(endTime))).sort((a, b) => a - b);
  // Those of a fault that has come, or has gone, are the newest failures, or the oldest; else the first failure may be one of them.
  const likeliest = totalCount === items.length ? [minutes[minutes.length - count], minutes[0]] : [];
  const candidates = [...new Set(minutes)];
  let bracket: Bracket = time.bracket;
  for (let look = nextLook(bracket, candidates, likeliest); look !== undefined && inquiry.left > 0; look = nextLook(bracket, candidates, likeliest)) {
    const detail = await detailOf(inquiry, serviceName, { time: time.upTo(look) });
    bracket = narrowed(bracket, look, detail?.topErrors.some(({ exceptionType }) => exceptionType === type) ?? false);
  }
  return inWords(bracket, time, edge, inquiry.nowMs);
}

/** Time as it passes, or backwards for the last of something: minutes count up from the far end either way. */
interface Direction {
  readonly bracket: Bracket;
  minuteOf(this: void, ms: number): number;
  /** When the minute begins, ms since 1970. */
  beginOf(this: void, minute: number): number;
  /** From the far end to the end of the minute. */
  upTo(this: void, minute: number): Range;
}

function inTime({ fromMs, toMs }: Range, edge: Edge): Direction {
  const [first, end] = [Math.floor(fromMs / MINUTE_MS), Math.ceil(toMs / MINUTE_MS)];
  const sign = edge === 'first' ? 1 : -1;
  const beginOf = (minute: number): number => sign * minute * MINUTE_MS;
  return {
    bracket: edge === 'first' ? { after: first - 1, by: end - 1 } : { after: -end, by: -first },
    minuteOf: (ms) => sign * Math.floor(ms / MINUTE_MS),
    beginOf,
    upTo: (minute) => ({ kind: 'range', ...(edge === 'first' ? { fromMs: first * MINUTE_MS, toMs: beginOf(minute) + MINUTE_MS } : { fromMs: beginOf(minute), toMs: end * MINUTE_MS }) }),
  };
}

function inWords({ after, by }: Bracket, { beginOf }: Direction, edge: Edge, nowMs: number): string {
  if (by - after <= 1) return `\nThe ${edge} of them was at ${clock(beginOf(by), nowMs)}, in that minute.`;
  const [fromMs, toMs] = [beginOf(after + 1), beginOf(by)].sort((a, b) => a - b);
  return `\nThe ${edge} of them was between ${clock(fromMs, nowMs)} and ${clock(toMs + MINUTE_MS, nowMs)}: the energy that is left does not pay for looking closer.`;
}
