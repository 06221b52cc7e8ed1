import type { SpanDetail } from './answers.js';
import type { Records } from './records.js';
import { findSpan } from './spans/find-span.js';
import type { SpanBlock } from './spans/span-conditions.js';
import { spanRecords } from './spans/span-records.js';
import { spanSummary } from './spans/span-summary.js';

/** One span with its own attributes; undefined when no span has this id. */
export async function spanDetail(blocks: readonly SpanBlock[], records: Records, spanId: string): Promise<SpanDetail | undefined> {
  const span = await findSpan(blocks, spanId);
  if (span === undefined) return undefined;
  const [record] = await spanRecords(records, [span]);
  return { ...(await spanSummary(span)), statusMessage: record?.statusMessage ?? '', attributes: record?.attributes ?? {} };
}
