import { LOG_PLACES, TIMES } from '../../read-models/blocks/log-columns.js';
import type { TextQuery } from '../../telemetry/words.js';
import type { Records } from '../records.js';
import { RowFilter } from '../row-filter.js';
import type { LogSnapshot } from '../snapshot.js';
import { filterLogs, type LogBlock, type LogConditions } from './log-conditions.js';
import { logPlace, type LogPlace } from './log-place.js';
import { NewestLogs, type LogMoment } from './newest-logs.js';
import { rowsWithPhrases } from './phrase-check.js';

/** What is looked for, and where. */
export interface LogSearch extends LogSnapshot {
  readonly records: Records;
  readonly conditions: LogConditions;
  readonly text: TextQuery;
}

export interface FoundLogs {
  readonly places: readonly LogPlace[];
  /** Exact, of all pages. */
  readonly totalCount: number;
}

/** Records kept at a time, 30 bytes each: a page that lies deeper is reached in steps of so many. */
const MAX_KEPT = 2 ** 18;

/** Log records `skip` to `skip + size` of all that are found, newest first. Memory does not grow with the depth of the page. */
export async function searchLogs(search: LogSearch, skip: number, size: number, maxKept = MAX_KEPT): Promise<FoundLogs> {
  const blocks = [...search.blocks].sort((a, b) => b.document.maxTimeUs - a.document.maxTimeUs);
  const newestFirst = { ...search, blocks };
  const isDeep = skip + size > maxKept;
  const newest = new NewestLogs(isDeep ? 0 : skip + size);
  const totalCount = await offerAll(newestFirst, newest);
  if (skip >= totalCount) return { places: [], totalCount };
  return { places: isDeep ? await deepPage(newestFirst, skip, size, maxKept) : await placesOf(blocks, newest.takeAfter(skip)), totalCount };
}

/** Each step starts where the one before ended. */
async function deepPage(search: LogSearch, skip: number, size: number, maxKept: number): Promise<LogPlace[]> {
  let bound: LogMoment | undefined;
  let left = skip;
  for (; left >= maxKept; left -= maxKept) {
    const passed = new NewestLogs(maxKept, bound);
    await offerAll(search, passed);
    bound = passed.oldest;
  }
  const newest = new NewestLogs(left + size, bound);
  await offerAll(search, newest);
  return placesOf(search.blocks, newest.takeAfter(left));
}

/** Offers every record that is found, and answers how many there are. */
async function offerAll(search: LogSearch, newest: NewestLogs): Promise<number> {
  const { blocks, turn, conditions } = search;
  const filter = new RowFilter();
  let totalCount = 0;
  for (const [index, block] of blocks.entries()) {
    await turn.giveWay();
    await filterLogs(block, conditions, filter, turn);
    if (filter.isEmpty) continue;
    await filterPhrases(search, block, filter);
    totalCount += filter.size;
    if (!filter.isEmpty && newest.wants(block.document.maxTimeUs)) await offerRows(newest, index, block, filter.take());
  }
  return totalCount;
}

/** Only rows that meet all the rest are worth the reading of their bodies. */
async function filterPhrases({ text, records }: LogSearch, block: LogBlock, filter: RowFilter): Promise<void> {
  if (text.phrases.length > 0) filter.startWith(await rowsWithPhrases(block, filter.take(), records, text));
}

async function offerRows(newest: NewestLogs, index: number, block: LogBlock, rows: Uint16Array): Promise<void> {
  const { timeNs, revision, ordinal } = await block.read(LOG_PLACES);
  newest.offer(rows, { block: index, times: await block.read(TIMES), baseUs: block.document.minTimeUs, timeNs, revision, ordinal });
}

async function placesOf(blocks: readonly LogBlock[], found: readonly { block: number; row: number }[]): Promise<LogPlace[]> {
  const places: LogPlace[] = [];
  for (const { block, row } of found) places.push(await logPlace(blocks[block], row));
  return places;
}
