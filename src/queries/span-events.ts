import type { SpanEvent } from './answers.js';
import type { Records } from './records.js';
import { findSpan } from './spans/find-span.js';
import type { SpanBlock } from './spans/span-conditions.js';
import { spanRecords } from './spans/span-records.js';

/** Events of one span, as they were sent; undefined when no span has this id. */
export async function spanEvents(blocks: readonly SpanBlock[], records: Records, spanId: string): Promise<readonly SpanEvent[] | undefined> {
  const span = await findSpan(blocks, spanId);
  if (span === undefined) return undefined;
  const [record] = await spanRecords(records, [span]);
  return record?.events ?? [];
}
