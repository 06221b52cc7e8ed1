import { randomBytes } from 'node:crypto';
import { SCOPE_ITEMS, SPAN } from '../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { OtlpWriter } from '../generator/otlp-writer.js';
import type { Batch } from './batches.js';

const HOURS = 167;
const SERVICES = 30;
const MINUTES_APART = 4;
const MINUTE_MS = 60_000;

/** Spans of 30 services over the last seven days, one request for each hour: what comparisons of a week have to read. */
export function* createWeekOfSpans(nowMs = Date.now()): Generator<Batch> {
  for (let hour = 0; hour < HOURS; hour++) yield createHour(nowMs - (HOURS - hour) * 60 * MINUTE_MS);
}

function createHour(fromMs: number): Batch {
  const writer = new OtlpWriter();
  let records = 0;
  for (let service = 0; service < SERVICES; service++)
    writer.resourceItems({ 'service.name': `service ${service}` }, () => {
      for (let minute = 0; minute < 60; minute += MINUTES_APART, records++)
        writeSpan(writer, fromMs + minute * MINUTE_MS, 1 + ((service * minute) % 900));
    });
  return { signal: 'traces', body: writer.finish(), records };
}

function writeSpan(writer: OtlpWriter, startMs: number, durationMs: number): void {
  const span = writer.beginField(SCOPE_ITEMS.record);
  writer.writeBytesField(SPAN.traceId, randomBytes(16));
  writer.writeBytesField(SPAN.spanId, randomBytes(8));
  writer.writeTextField(SPAN.name, 'GET /');
  writer.writeIntegerField(SPAN.kind, 2);
  writer.time(SPAN.start, BigInt(startMs) * 1_000_000n);
  writer.time(SPAN.end, BigInt(startMs + durationMs) * 1_000_000n);
  writer.endField(span);
}
