import type { LogEntry } from './answers.js';
import { logEntries } from './logs/log-entries.js';
import { logsOfTrace } from './logs/logs-of-trace.js';
import type { Records } from './records.js';
import type { LogSnapshot, SpanSnapshot } from './snapshot.js';
import { hasSpans } from './spans/spans-of-trace.js';

/** Log records of a trace, oldest first; undefined when neither a span nor a log record of it is known. */
export async function traceLogs(spans: SpanSnapshot, logs: LogSnapshot, records: Records, traceId: string): Promise<readonly LogEntry[] | undefined> {
  const found = await logsOfTrace(logs, traceId);
  if (found.length === 0 && !(await hasSpans(spans, traceId))) return undefined;
  return logEntries(records, found);
}
