import type { FindTraces, Page, SpanSummary } from './answers.js';
import { searchMatching } from './spans/matching-search.js';
import { searchRoots } from './spans/root-search.js';
import { conditionsOf, type SpanBlock } from './spans/span-conditions.js';
import { spanSummaries } from './spans/span-summary.js';
import { pageOf } from './spans/trace-page.js';

/** Traces, one item each, newest first. */
export async function findTraces(blocks: readonly SpanBlock[], question: FindTraces): Promise<Page<SpanSummary>> {
  const conditions = conditionsOf(question);
  const found = conditions === undefined ? await searchRoots(blocks, question.range) : await searchMatching(blocks, conditions);
  const places = await pageOf(found, (question.page - 1) * question.pageSize, question.pageSize);
  return { items: await spanSummaries(places), totalCount: found.count };
}
