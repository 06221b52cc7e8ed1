import { LOG_PLACES, TIMES } from '../read-models/blocks/log-columns.js';
import { parseTextQuery } from '../telemetry/words.js';
import type { FindLogs, LogEntry, Page } from './answers.js';
import { filterLogs, logConditions, type LogBlock } from './logs/log-conditions.js';
import { logEntries } from './logs/log-entries.js';
import { logPlace, type LogPlace } from './logs/log-place.js';
import { NewestLogs } from './logs/newest-logs.js';
import { rowsWithPhrases } from './logs/phrase-check.js';
import type { Records } from './records.js';
import { RowFilter } from './row-filter.js';

/** Log records, newest first; of equal times the one that arrived last goes first. */
export async function findLogs(blocks: readonly LogBlock[], records: Records, question: FindLogs): Promise<Page<LogEntry>> {
  const text = parseTextQuery(question.body ?? '');
  const conditions = logConditions(question, text);
  if (conditions === undefined) return { items: [], totalCount: 0 };
  const skip = (question.page - 1) * question.pageSize;
  const newest = new NewestLogs(skip + question.pageSize);
  const filter = new RowFilter();
  const newestFirst = [...blocks].sort((a, b) => b.document.maxTimeUs - a.document.maxTimeUs);
  let totalCount = 0;
  for (const [index, block] of newestFirst.entries()) {
    await filterLogs(block, conditions, filter);
    if (text.phrases.length > 0 && !filter.isEmpty) filter.startWith(await rowsWithPhrases(block, filter.take(), records, text));
    totalCount += filter.size;
    if (!filter.isEmpty && newest.wants(block.document.maxTimeUs)) await offerRows(newest, index, block, filter);
  }
  const places = await pageOf(newestFirst, newest, skip);
  return { items: await logEntries(records, places), totalCount };
}

async function offerRows(newest: NewestLogs, index: number, block: LogBlock, filter: RowFilter): Promise<void> {
  const times = await block.read(TIMES);
  const { timeNs, revision, ordinal } = await block.read(LOG_PLACES);
  const rows = filter.take();
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    const timeUs = block.document.minTimeUs + times[row];
    if (newest.wants(timeUs)) newest.offer(index, row, timeUs, timeNs[row], revision[row], ordinal[row]);
  }
}

async function pageOf(blocks: readonly LogBlock[], newest: NewestLogs, skip: number): Promise<LogPlace[]> {
  const places: LogPlace[] = [];
  for (const { block, row } of newest.newestFirst(skip)) places.push(await logPlace(blocks[block], row));
  return places;
}
