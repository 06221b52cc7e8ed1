import { createHash, randomUUID } from 'node:crypto';
import type { NewEvent } from '../../../src/streams/event-store.js';
import { RECEIVED_TYPES, type TelemetryReceived } from '../../../src/streams/events/telemetry-events.js';
import { LOG_RECORD, SCOPE_ITEMS, SPAN } from '../../../src/telemetry/otlp/fields.js';
import type { Signal } from '../../../src/telemetry/signals.js';
import { OtlpWriter } from '../../support/generator/otlp-writer.js';

/** A span as tests speak of it. */
export interface TestSpan {
  /** Small numbers stand for ids. */
  readonly trace: number;
  readonly span: number;
  /** ms since 1970. */
  readonly start: number;
  readonly service?: string;
  readonly operation?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface TestLog {
  readonly time: number;
  readonly body: string;
  readonly service?: string;
  readonly severity?: number;
  /** Small numbers stand for ids. */
  readonly span?: number;
  readonly attributes?: Readonly<Record<string, string>>;
}

export const GRID = '0f0c4b2a-1111-4222-8333-444455556666';

/** An export request as the ingestion would append it. */
export function spansReceived(spans: readonly TestSpan[], gridId = GRID): NewEvent {
  return received(gridId, 'traces', spans.length, spanBody(spans));
}

export function logsReceived(logs: readonly TestLog[], gridId = GRID): NewEvent {
  return received(gridId, 'logs', logs.length, logBody(logs));
}

export function received(gridId: string, signal: Signal, accepted: number, body: Uint8Array, receivedAt = 0): NewEvent {
  const data: TelemetryReceived = {
    gridId,
    signal,
    accepted,
    rejected: [],
    keyId: 'key',
    receivedAt,
    identity: createHash('sha256').update(gridId).update(signal).update(body).digest('hex'),
    encoding: 'identity',
    inflatedBytes: body.byteLength,
  };
  return { id: randomUUID(), type: RECEIVED_TYPES[signal], data, body };
}

function spanBody(spans: readonly TestSpan[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const span of spans) writer.resourceItems({ 'service.name': span.service ?? 'shop' }, () => writeSpan(writer, span));
  return writer.finish();
}

function writeSpan(writer: OtlpWriter, { trace, span, start, operation = 'buy', attributes = {} }: TestSpan): void {
  const message = writer.begin(SCOPE_ITEMS.record);
  writer.blob(SPAN.traceId, idOf(trace, 16));
  writer.blob(SPAN.spanId, idOf(span, 8));
  writer.text(SPAN.name, operation);
  writer.time(SPAN.start, BigInt(start) * 1_000_000n);
  writer.time(SPAN.end, BigInt(start) * 1_000_000n + 5_000_000n);
  writer.attributes(SPAN.attribute, attributes);
  writer.end(message);
}

function logBody(logs: readonly TestLog[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const log of logs) writer.resourceItems({ 'service.name': log.service ?? 'shop' }, () => writeLog(writer, log));
  return writer.finish();
}

function writeLog(writer: OtlpWriter, { time, body: text, severity = 9, span, attributes = {} }: TestLog): void {
  const message = writer.begin(SCOPE_ITEMS.record);
  writer.time(LOG_RECORD.time, BigInt(time) * 1_000_000n);
  writer.integer(LOG_RECORD.severityNumber, severity);
  const body = writer.begin(LOG_RECORD.body);
  writer.value(text);
  writer.end(body);
  writer.attributes(LOG_RECORD.attribute, attributes);
  if (span !== undefined) {
    writer.blob(LOG_RECORD.traceId, idOf(1, 16));
    writer.blob(LOG_RECORD.spanId, idOf(span, 8));
  }
  writer.end(message);
}

function idOf(number: number, size: number): Buffer {
  const id = Buffer.alloc(size, 0xa5);
  id.writeUInt32BE(number, size - 4);
  return id;
}
