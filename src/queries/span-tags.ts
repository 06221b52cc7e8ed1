import { PLACES } from '../read-models/blocks/span-columns.js';
import type { Attributes } from '../telemetry/attributes.js';
import { resourceAt } from '../telemetry/otlp/outline.js';
import { decodeSpan } from '../telemetry/otlp/span-record.js';
import { placeAt, type Records } from './records.js';
import type { SpanSnapshot } from './snapshot.js';
import { findSpan } from './spans/find-span.js';

/** Attributes of one span and of its resource, the span's own win; undefined when no span has this id. */
export async function spanTags(spans: SpanSnapshot, records: Records, spanId: string): Promise<Attributes | undefined> {
  const span = await findSpan(spans, spanId);
  if (span === undefined) return undefined;
  const place = placeAt(await span.block.read(PLACES), span.row);
  const [tags] = await records.read([place], (body, { offset, length }): Attributes => {
    const merged = Object.create(null) as Attributes;
    return Object.assign(merged, resourceAt(body, offset).attributes, decodeSpan(body, offset, length).attributes);
  });
  return tags ?? {};
}
