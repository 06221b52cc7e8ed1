import type { FoundTraces } from '../tools/get-traces.js';
import { getTrendAnalysis } from '../tools/get-trend-analysis.js';
import { detailOf } from './endpoints.js';
import type { Inquiry } from './inquiry.js';
import type { Slots } from './slots.js';
import { windowOf } from './when.js';

/** Percentiles are right to 1 %: what is looked for begins that much lower, or nothing might be above it. */
const SKETCHED = 0.99;
const MOST_ON_A_PAGE = 100;
/** Searches for the slowest: each finds about a hundredth of what the one before found. */
const MOST_SEARCHES = 3;

/** Slow traces without a figure are those above what 95 of 100 requests stay below: to the service where one is named. */
export async function withSlowness(inquiry: Inquiry, slots: Slots): Promise<Slots> {
  if (slots.isSlow !== true || slots.minDurationMs !== undefined || inquiry.left < 2) return slots;
  const minDurationMs = slots.services.length === 0 ? await slownessOfAll(inquiry, slots) : await slownessOf(inquiry, slots);
  return minDurationMs === undefined ? slots : { ...slots, minDurationMs };
}

async function slownessOfAll(inquiry: Inquiry, { time }: Slots): Promise<number> {
  return Math.ceil((await inquiry.ask(getTrendAnalysis, windowOf(time))).answer.latency.current.p95);
}

/** Of its endpoints the slowest; undefined where it had no requests. */
async function slownessOf(inquiry: Inquiry, slots: Slots): Promise<number | undefined> {
  const endpoints = (await detailOf(inquiry, slots.services[0], slots))?.endpoints ?? [];
  const asked = slots.operation === undefined ? endpoints : endpoints.filter(({ operation }) => operation === slots.operation);
  return asked.length === 0 ? undefined : Math.floor(SKETCHED * Math.max(...asked.map(({ p95LatencyMs }) => p95LatencyMs)));
}

export interface TracesInOrder extends Pick<FoundTraces, 'items' | 'totalCount'> {
  /** Where too many are equally slow to look at all of them, the newest come first as ever. */
  readonly order: 'slowest' | 'newest';
}

/** The slowest so many. Searches answer the newest first: as long as they find more than a page, only what is as slow as the slowest on it is looked for. */
export async function slowestOf(most: number, left: number, slots: Slots, find: (slots: Slots, pageSize: number) => Promise<FoundTraces>): Promise<TracesInOrder> {
  const { totalCount, items } = await find(slots, MOST_ON_A_PAGE);
  let [slowest, narrowed] = [items, totalCount];
  for (let searches = 1; narrowed > MOST_ON_A_PAGE && searches < Math.min(left, MOST_SEARCHES); searches++) {
    const found = await find({ ...slots, minDurationMs: slowestFirst(slowest)[most - 1].duration }, MOST_ON_A_PAGE);
    [slowest, narrowed] = [found.items, found.totalCount];
  }
  if (narrowed > MOST_ON_A_PAGE) return { items: slowest.slice(0, most), totalCount, order: 'newest' };
  return { items: slowestFirst(slowest).slice(0, most), totalCount, order: 'slowest' };
}

export function slowestFirst(items: FoundTraces['items']): FoundTraces['items'] {
  return [...items].sort((a, b) => b.duration - a.duration);
}
