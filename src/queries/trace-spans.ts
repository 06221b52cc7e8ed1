import type { SpanSummary } from './answers.js';
import { hasLogs } from './logs/logs-of-trace.js';
import type { LogBlock } from './logs/log-conditions.js';
import type { SpanBlock } from './spans/span-conditions.js';
import { spansOfTrace } from './spans/spans-of-trace.js';
import { spanSummaries } from './spans/span-summary.js';

/** All spans of a trace, oldest first; undefined when neither a span nor a log record of it is known. */
export async function traceSpans(blocks: readonly SpanBlock[], logs: readonly LogBlock[], traceId: string): Promise<readonly SpanSummary[] | undefined> {
  const spans = await spansOfTrace(blocks, traceId);
  if (spans.length === 0 && !(await hasLogs(logs, traceId))) return undefined;
  return spanSummaries(spans);
}
