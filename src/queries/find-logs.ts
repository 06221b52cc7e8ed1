import { parseTextQuery } from '../telemetry/words.js';
import type { FindLogs, LogEntry, Page } from './answers.js';
import { logConditions } from './logs/log-conditions.js';
import { logEntries } from './logs/log-entries.js';
import { searchLogs } from './logs/log-search.js';
import type { Records } from './records.js';
import type { LogSnapshot } from './snapshot.js';

/** Log records, newest first; of equal times the one that arrived last goes first. */
export async function findLogs(snapshot: LogSnapshot, records: Records, question: FindLogs): Promise<Page<LogEntry>> {
  const text = parseTextQuery(question.body ?? '');
  const conditions = logConditions(question, text);
  if (conditions === undefined) return { items: [], totalCount: 0 };
  const { places, totalCount } = await searchLogs({ ...snapshot, records, conditions, text }, (question.page - 1) * question.pageSize, question.pageSize);
  return { items: await logEntries(records, places), totalCount };
}
