import { LOG_LOCATIONS, LOG_TIMES } from '../../read-models/blocks/log-block-columns.js';
import { matchesTextQuery, type TextQuery } from '../../telemetry/full-text.js';
import { recordLocation, type RecordReader } from '../telemetry/record-reader.js';
import { RowFilter } from '../telemetry/row-filter.js';
import type { LogSnapshot } from '../telemetry/block-snapshots.js';
import { applyLogConditions, type LogBlock, type LogConditions, selectUnordered } from './log-conditions.js';
import { locateLog, type LogLocation } from './log-location.js';
import { type LogSortKey, NewestLogHeap } from './newest-log-heap.js';
import { decodeLogRecord } from '../../telemetry/otlp/decoding/record-decoder.js';

/** What to search for, and in which snapshot. */
export interface LogSearch extends LogSnapshot {
  readonly records: RecordReader;
  readonly conditions: LogConditions;
  readonly text: TextQuery;
}

export interface LogSearchResult {
  readonly places: readonly LogLocation[];
  /** Exact, over all pages. */
  readonly totalCount: number;
  /** Records that could not be compared with a phrase, because they are damaged; not in `totalCount`. */
  readonly damagedRecords: number;
}

type MatchCounts = Pick<LogSearchResult, 'totalCount' | 'damagedRecords'>;

/** Maximum heap size, 30 bytes per record: deeper pages are reached in several passes. */
const MAX_HEAP_SIZE = 2 ** 18;

/** Matching log records `skip` to `skip + size`, newest first. Memory does not grow with the depth of the page. */
export async function searchLogs(
  search: LogSearch,
  skip: number,
  size: number,
  maxKept = MAX_HEAP_SIZE,
): Promise<LogSearchResult> {
  const blocks = [...search.blocks].sort((a, b) => b.document.maxTimeUs - a.document.maxTimeUs);
  const newestFirst = { ...search, blocks };
  const isDeep = skip + size > maxKept;
  const newest = new NewestLogHeap(isDeep ? 0 : skip + size);
  const counts = await offerAll(newestFirst, newest);
  if (skip >= counts.totalCount) return { places: [], ...counts };
  return {
    places: isDeep
      ? await findDeepPage(newestFirst, skip, size, maxKept)
      : await locateLogs(blocks, newest.drainAfter(skip)),
    ...counts,
  };
}

/** Each pass continues below the oldest record of the previous one. */
async function findDeepPage(search: LogSearch, skip: number, size: number, maxKept: number): Promise<LogLocation[]> {
  let bound: LogSortKey | undefined;
  let remaining = skip;
  for (; remaining >= maxKept; remaining -= maxKept) {
    const offset = new NewestLogHeap(maxKept, bound);
    await offerAll(search, offset);
    bound = offset.oldest;
  }
  const newest = new NewestLogHeap(remaining + size, bound);
  await offerAll(search, newest);
  return locateLogs(search.blocks, newest.drainAfter(remaining));
}

/** Offers every matching record to the heap and returns their number. */
async function offerAll(search: LogSearch, newest: NewestLogHeap): Promise<MatchCounts> {
  const { blocks, timeSlice, conditions } = search;
  const filter = new RowFilter();
  let totalCount = 0;
  let damagedRecords = 0;
  for (const [index, block] of blocks.entries()) {
    await timeSlice.yieldIfDue();
    await applyLogConditions(block, conditions, filter, timeSlice);
    if (filter.isEmpty) continue;
    damagedRecords += await filterPhrases(search, block, filter);
    totalCount += filter.size;
    if (!filter.isEmpty && newest.accepts(block.document.maxTimeUs))
      await offerRows(newest, index, block, filter.take());
  }
  return { totalCount, damagedRecords };
}

/**
 * Compares phrases with bodies where the block does not have the order of words, and only of rows that meet all other
 * conditions. Returns how many could not be read: they are left out.
 */
async function filterPhrases({ text, records }: LogSearch, block: LogBlock, filter: RowFilter): Promise<number> {
  if (text.phrases.length === 0) return 0;
  const rows = filter.take();
  const unordered = await selectUnordered(block, rows);
  if (unordered.length === 0) return 0;
  const { others, damaged } = await findRowsWithoutPhrases(block, unordered, records, text);
  filter.startWith(rows.filter((row) => !others.has(row)));
  return damaged;
}

async function offerRows(newest: NewestLogHeap, index: number, block: LogBlock, rows: Uint16Array): Promise<void> {
  const { timeNs, revision, ordinal } = await block.read(LOG_LOCATIONS);
  newest.offer(rows, {
    block: index,
    times: await block.read(LOG_TIMES),
    baseUs: block.document.minTimeUs,
    timeNs,
    revision,
    ordinal,
  });
}

async function locateLogs(
  blocks: readonly LogBlock[],
  found: readonly { block: number; row: number }[],
): Promise<LogLocation[]> {
  const places: LogLocation[] = [];
  for (const { block, row } of found) places.push(await locateLog(blocks[block], row));
  return places;
}

/** Rows whose body does not contain the phrases, or cannot be read. */
async function findRowsWithoutPhrases(
  block: LogBlock,
  rows: Uint16Array,
  records: RecordReader,
  text: TextQuery,
): Promise<{ others: ReadonlySet<number>; damaged: number }> {
  const columns = await block.read(LOG_LOCATIONS);
  const locations = Array.from(rows, (row) => recordLocation(columns, row));
  const matches = await records.read(locations, (body, { offset, length }) =>
    matchesTextQuery(text, decodeLogRecord(body, offset, length).body),
  );
  return {
    others: new Set(rows.filter((_, index) => matches[index] !== true)),
    damaged: matches.filter((match) => match === 'damaged').length,
  };
}
