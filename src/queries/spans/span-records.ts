import { PLACES } from '../../read-models/blocks/span-columns.js';
import { decodeSpan, type SpanRecord } from '../../telemetry/otlp/span-record.js';
import { placeAt, type RecordPlace, type Records } from '../records.js';
import type { SpanPlace } from './span-place.js';

/** What `take` picks from each span in full, in the order of `spans`; undefined where the log has let go of one. */
export async function readSpans<T>(records: Records, spans: readonly SpanPlace[], take: (span: SpanRecord) => T): Promise<(T | undefined)[]> {
  const places: RecordPlace[] = [];
  for (const { block, row } of spans) {
    await records.turn.giveWay();
    places.push(placeAt(await block.read(PLACES), row));
  }
  return records.read(places, (body, { offset, length }) => take(decodeSpan(body, offset, length)));
}

/** One span in full. */
export async function readSpan(records: Records, span: SpanPlace): Promise<SpanRecord | undefined> {
  const [record] = await readSpans(records, [span], (full) => full);
  return record;
}
