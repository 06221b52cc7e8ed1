import type { SpanEvent } from './answers.js';
import type { Records } from './records.js';
import type { SpanSnapshot } from './snapshot.js';
import { findSpan } from './spans/find-span.js';
import { readSpan } from './spans/span-records.js';

/** Events of one span, as they were sent; undefined when no span has this id. */
export async function spanEvents(spans: SpanSnapshot, records: Records, spanId: string): Promise<readonly SpanEvent[] | undefined> {
  const span = await findSpan(spans, spanId);
  if (span === undefined) return undefined;
  const record = await readSpan(records, span);
  return record?.events ?? [];
}
