import { randomBytes } from 'node:crypto';
import { SCOPE_ITEMS, SPAN } from '../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { OtlpWriter, type Value } from '../generator/otlp-writer.js';
import type { Batch } from './batches.js';

const SPANS_A_REQUEST = 1_000;
/** New attribute keys per span. */
export const KEYS_A_SPAN = 10;

/** The dimension with too many values. */
export type Dimension = 'services' | 'operations' | 'keys';

/** Requests of root spans with this many new names. */
export function* highCardinalityBatches(wide: Dimension, names: number): Generator<Batch> {
  const spans = wide === 'keys' ? Math.ceil(names / KEYS_A_SPAN) : names;
  for (let from = 0; from < spans; from += SPANS_A_REQUEST)
    yield request(wide, from, Math.min(spans, from + SPANS_A_REQUEST));
}

function request(wide: Dimension, from: number, to: number): Batch {
  const writer = new OtlpWriter();
  const one = (n: number): void => {
    if (wide === 'services')
      writer.resourceItems({ 'service.name': `service ${n}` }, () => writeSpan(writer, 'GET /', {}));
    else if (wide === 'operations') writeSpan(writer, `GET /user/${n}`, {});
    else
      writeSpan(
        writer,
        'GET /',
        Object.fromEntries(Array.from({ length: KEYS_A_SPAN }, (_, k) => [`key ${n * KEYS_A_SPAN + k}`, k])),
      );
  };
  const all = (): void => {
    for (let n = from; n < to; n++) one(n);
  };
  if (wide === 'services') all();
  else writer.resourceItems({ 'service.name': `many ${wide}` }, all);
  return { signal: 'traces', records: to - from, body: writer.finish() };
}

function writeSpan(writer: OtlpWriter, name: string, attributes: Readonly<Record<string, Value>>): void {
  const end = BigInt(Date.now()) * 1_000_000n;
  const span = writer.beginField(SCOPE_ITEMS.record);
  writer.writeBytesField(SPAN.traceId, randomBytes(16));
  writer.writeBytesField(SPAN.spanId, randomBytes(8));
  writer.writeTextField(SPAN.name, name);
  writer.writeIntegerField(SPAN.kind, 2);
  writer.time(SPAN.start, end - 1_000_000n);
  writer.time(SPAN.end, end);
  writer.attributes(SPAN.attribute, attributes);
  writer.endField(span);
}
