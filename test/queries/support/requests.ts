import { LOG_RECORD, SCOPE_ITEMS, SPAN, SPAN_EVENT, STATUS } from '../../../src/telemetry/otlp/fields.js';
import { OtlpWriter, type Value } from '../../support/generator/otlp-writer.js';

export type Values = Readonly<Record<string, Value>>;

/** A span as a test tells it. */
export interface GivenSpan {
  /** 32 and 16 hex digits; no parent: a root. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly service: string;
  readonly operation: string;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  /** On the wire. */
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
  readonly attributes?: Values;
  readonly resource?: Values;
}

/** An export request with these spans, in this order; each has a resource of its own. */
export function traceRequest(spans: readonly GivenSpan[]): Buffer {
  const writer = new OtlpWriter();
  for (const span of spans) writer.resourceItems({ 'service.name': span.service, ...span.resource }, () => writeSpan(writer, span));
  return writer.finish();
}

export function logRequest(logs: readonly GivenLog[]): Buffer {
  const writer = new OtlpWriter();
  for (const log of logs) writer.resourceItems({ 'service.name': log.service, ...log.resource }, () => writeLog(writer, log));
  return writer.finish();
}

function writeSpan(writer: OtlpWriter, span: GivenSpan): void {
  const message = writer.begin(SCOPE_ITEMS.record);
  writer.blob(SPAN.traceId, Buffer.from(span.traceId, 'hex'));
  writer.blob(SPAN.spanId, Buffer.from(span.spanId, 'hex'));
  if (span.parentId !== undefined) writer.blob(SPAN.parentSpanId, Buffer.from(span.parentId, 'hex'));
  writer.text(SPAN.name, span.operation);
  writer.integer(SPAN.kind, span.kind ?? 1);
  writer.time(SPAN.start, span.start);
  writer.time(SPAN.end, span.end);
  writer.attributes(SPAN.attribute, span.attributes ?? {});
  for (const { name, time, attributes } of span.events ?? []) {
    const event = writer.begin(SPAN.event);
    writer.time(SPAN_EVENT.time, time);
    writer.text(SPAN_EVENT.name, name);
    writer.attributes(SPAN_EVENT.attribute, attributes);
    writer.end(event);
  }
  const status = writer.begin(SPAN.status);
  writer.text(STATUS.message, span.statusMessage ?? '');
  writer.integer(STATUS.code, span.status ?? 0);
  writer.end(status);
  writer.end(message);
}

function writeLog(writer: OtlpWriter, log: GivenLog): void {
  const message = writer.begin(SCOPE_ITEMS.record);
  writer.time(LOG_RECORD.time, log.time);
  writer.integer(LOG_RECORD.severityNumber, log.severity ?? 9);
  const body = writer.begin(LOG_RECORD.body);
  writer.value(log.body);
  writer.end(body);
  writer.attributes(LOG_RECORD.attribute, log.attributes ?? {});
  if (log.traceId !== undefined) writer.blob(LOG_RECORD.traceId, Buffer.from(log.traceId, 'hex'));
  if (log.spanId !== undefined) writer.blob(LOG_RECORD.spanId, Buffer.from(log.spanId, 'hex'));
  writer.end(message);
}
