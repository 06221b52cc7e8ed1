import { PLACES } from '../../read-models/blocks/span-columns.js';
import { decodeSpan, type SpanRecord } from '../../telemetry/otlp/span-record.js';
import { placeAt, type RecordPlace, type Records } from '../records.js';
import type { SpanPlace } from './span-place.js';

/** The spans in full, in the order of `spans`; undefined where the log has let go of one. */
export async function spanRecords(records: Records, spans: readonly SpanPlace[]): Promise<(SpanRecord | undefined)[]> {
  const places: RecordPlace[] = [];
  for (const { block, row } of spans) places.push(placeAt(await block.read(PLACES), row));
  return records.read(places, (body, { offset, length }) => decodeSpan(body, offset, length));
}
