import type { FindTraces, Page, SpanSummary } from './answers.js';
import { searchMatching } from './spans/matching-search.js';
import { searchRoots } from './spans/root-search.js';
import { conditionsOf } from './spans/span-conditions.js';
import type { SpanSearch } from './spans/span-search.js';
import { spanSummaries } from './spans/span-summary.js';
import { pageOf } from './spans/trace-page.js';

/** Traces, one item each, newest first. */
export async function findTraces(search: SpanSearch, question: FindTraces): Promise<Page<SpanSummary>> {
  const conditions = conditionsOf(question);
  const found = conditions === undefined ? await searchRoots(search, question.range) : await searchMatching(search, conditions);
  const places = await pageOf(found, (question.page - 1) * question.pageSize, question.pageSize, search.turn);
  return { items: await spanSummaries(places, search.turn), totalCount: found.count };
}
