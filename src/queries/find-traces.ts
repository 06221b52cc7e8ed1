import type { FindTraces, Page, SpanSummary } from './answers.js';
import { searchMatching } from './spans/matching-search.js';
import { searchRoots } from './spans/root-search.js';
import { conditionsOf, type SpanBlock } from './spans/span-conditions.js';
import { spanSummaries } from './spans/span-summary.js';
import type { TraceNumbers } from './spans/trace-numbers.js';
import { pageOf } from './spans/trace-page.js';

/** The blocks of a Grid, and the numbers of their traces as far as they are known. */
export interface SpanSearch {
  readonly blocks: readonly SpanBlock[];
  readonly traces: TraceNumbers;
}

/** Traces, one item each, newest first. */
export async function findTraces({ blocks, traces }: SpanSearch, question: FindTraces): Promise<Page<SpanSummary>> {
  const conditions = conditionsOf(question);
  const found = conditions === undefined ? await searchRoots(blocks, traces, question.range) : await searchMatching(blocks, traces, conditions);
  const places = await pageOf(found, (question.page - 1) * question.pageSize, question.pageSize);
  return { items: await spanSummaries(places), totalCount: found.count };
}
