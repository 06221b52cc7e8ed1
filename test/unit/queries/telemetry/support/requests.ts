import {
  LOG_RECORD,
  SCOPE_ITEMS,
  SPAN,
  SPAN_EVENT,
  STATUS,
} from '../../../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { OtlpWriter, type Value } from '../../../../support/generator/otlp-writer.js';

export type Values = Readonly<Record<string, Value>>;

/** A span as specified by a test. */
export interface GivenSpan {
  /** 32 and 16 hex digits; no parent means root. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly service: string;
  readonly operation: string;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  /** OTLP enum values. */
  readonly kind?: number;
  readonly status?: number;
  readonly statusMessage?: string;
  readonly attributes?: Values;
  readonly resource?: Values;
  readonly events?: readonly { readonly name: string; readonly time: bigint; readonly attributes: Values }[];
}

export interface GivenLog {
  readonly time: bigint;
  readonly body: string;
  readonly service: string;
  readonly severity?: number;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly eventName?: string;
  readonly attributes?: Values;
  readonly resource?: Values;
}

/** An export request with these spans, in this order; each has a resource of its own. */
export function traceRequest(spans: readonly GivenSpan[]): Buffer {
  const writer = new OtlpWriter();
  for (const span of spans)
    writer.resourceItems({ 'service.name': span.service, ...span.resource }, () => writeSpan(writer, span));
  return writer.finish();
}

export function logRequest(logs: readonly GivenLog[]): Buffer {
  const writer = new OtlpWriter();
  for (const log of logs)
    writer.resourceItems({ 'service.name': log.service, ...log.resource }, () => writeLog(writer, log));
  return writer.finish();
}

function writeSpan(writer: OtlpWriter, span: GivenSpan): void {
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.writeBytesField(SPAN.traceId, Buffer.from(span.traceId, 'hex'));
  writer.writeBytesField(SPAN.spanId, Buffer.from(span.spanId, 'hex'));
  if (span.parentId !== undefined) writer.writeBytesField(SPAN.parentSpanId, Buffer.from(span.parentId, 'hex'));
  writer.writeTextField(SPAN.name, span.operation);
  writer.writeIntegerField(SPAN.kind, span.kind ?? 1);
  writer.time(SPAN.start, span.start);
  writer.time(SPAN.end, span.end);
  writer.attributes(SPAN.attribute, span.attributes ?? {});
  for (const { name, time, attributes } of span.events ?? []) {
    const event = writer.beginField(SPAN.event);
    writer.time(SPAN_EVENT.time, time);
    writer.writeTextField(SPAN_EVENT.name, name);
    writer.attributes(SPAN_EVENT.attribute, attributes);
    writer.endField(event);
  }
  const status = writer.beginField(SPAN.status);
  writer.writeTextField(STATUS.message, span.statusMessage ?? '');
  writer.writeIntegerField(STATUS.code, span.status ?? 0);
  writer.endField(status);
  writer.endField(message);
}

function writeLog(writer: OtlpWriter, log: GivenLog): void {
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.time(LOG_RECORD.time, log.time);
  writer.writeIntegerField(LOG_RECORD.severityNumber, log.severity ?? 9);
  const body = writer.beginField(LOG_RECORD.body);
  writer.value(log.body);
  writer.endField(body);
  if (log.eventName !== undefined) writer.writeBytesField(LOG_RECORD.eventName, Buffer.from(log.eventName));
  writer.attributes(LOG_RECORD.attribute, log.attributes ?? {});
  if (log.traceId !== undefined) writer.writeBytesField(LOG_RECORD.traceId, Buffer.from(log.traceId, 'hex'));
  if (log.spanId !== undefined) writer.writeBytesField(LOG_RECORD.spanId, Buffer.from(log.spanId, 'hex'));
  writer.endField(message);
}
