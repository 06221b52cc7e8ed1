import type { SpanSummary } from './answers.js';
import { hasLogs } from './logs/logs-of-trace.js';
import type { LogSnapshot, SpanSnapshot } from './snapshot.js';
import { spansOfTrace } from './spans/spans-of-trace.js';
import { spanSummaries } from './spans/span-summary.js';

/** All spans of a trace, oldest first; undefined when neither a span nor a log record of it is known. */
export async function traceSpans(spans: SpanSnapshot, logs: LogSnapshot, traceId: string): Promise<readonly SpanSummary[] | undefined> {
  const found = await spansOfTrace(spans, traceId);
  if (found.length === 0 && !(await hasLogs(logs, traceId))) return undefined;
  return spanSummaries(found, spans.turn);
}
