import type { SpanDetail } from './answers.js';
import type { Records } from './records.js';
import type { SpanSnapshot } from './snapshot.js';
import { findSpan } from './spans/find-span.js';
import { readSpan } from './spans/span-records.js';
import { spanSummary } from './spans/span-summary.js';

/** One span with its own attributes; undefined when no span has this id. */
export async function spanDetail(spans: SpanSnapshot, records: Records, spanId: string): Promise<SpanDetail | undefined> {
  const span = await findSpan(spans, spanId);
  if (span === undefined) return undefined;
  const record = await readSpan(records, span);
  return { ...(await spanSummary(span)), statusMessage: record?.statusMessage ?? '', attributes: record?.attributes ?? {} };
}
