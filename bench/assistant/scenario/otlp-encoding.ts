import { EXCEPTION_MESSAGE, EXCEPTION_TYPE } from '../../../src/telemetry/attributes.js';
import {
  LOG_RECORD,
  METRIC,
  METRIC_DATA,
  NUMBER_POINT,
  POINT,
  SCOPE_ITEMS,
  SPAN,
  SPAN_EVENT,
  STATUS,
} from '../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { STATUS_ERROR } from '../../../src/telemetry/columns/span-batch-columns.js';
import { OtlpWriter } from '../../../test/support/generator/otlp-writer.js';
import type { PlainLog, PlainPoint, PlainSpan } from './plain-telemetry-types.js';

const CUMULATIVE_TEMPORALITY = 2;

/** Encodes export requests in protobuf, one resource after the other. */
export function encodeSpans(spans: readonly PlainSpan[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const [, own] of groupBy(spans, ({ service, version, instance }) => `${service} ${version} ${instance}`)) {
    const { service, version, instance } = own[0];
    writer.resourceItems({ 'service.name': service, 'service.version': version, 'service.instance.id': instance }, () =>
      own.forEach((span) => writeSpan(writer, span)),
    );
  }
  return writer.finish();
}

export function encodeLogs(logs: readonly PlainLog[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const [service, own] of groupBy(logs, (log) => log.service))
    writer.resourceItems({ 'service.name': service }, () => own.forEach((log) => writeLog(writer, log)));
  return writer.finish();
}

/** `startUs` is the start time of the cumulative counters. */
export function encodePoints(points: readonly PlainPoint[], startUs: number): Uint8Array {
  const writer = new OtlpWriter();
  for (const [service, own] of groupBy(points, (point) => point.service)) {
    writer.resourceItems({ 'service.name': service, 'service.instance.id': `${service}-0` }, () =>
      own.forEach((point) => writePoint(writer, point, startUs)),
    );
  }
  return writer.finish();
}

function writeSpan(writer: OtlpWriter, span: PlainSpan): void {
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.writeBytesField(SPAN.traceId, Buffer.from(span.traceId, 'hex'));
  writer.writeBytesField(SPAN.spanId, Buffer.from(span.spanId, 'hex'));
  if (span.parentSpanId !== '') writer.writeBytesField(SPAN.parentSpanId, Buffer.from(span.parentSpanId, 'hex'));
  writer.writeTextField(SPAN.name, span.operation);
  writer.writeIntegerField(SPAN.kind, span.kind);
  writer.time(SPAN.start, toNanoseconds(span.startUs));
  writer.time(SPAN.end, toNanoseconds(span.endUs));
  writer.attributes(SPAN.attribute, span.attributes);
  if (span.exception !== undefined) writeException(writer, span.endUs, span.exception);
  const status = writer.beginField(SPAN.status);
  if (span.failed) writer.writeIntegerField(STATUS.code, STATUS_ERROR);
  writer.endField(status);
  writer.endField(message);
}

function writeException(
  writer: OtlpWriter,
  atUs: number,
  { type, message }: NonNullable<PlainSpan['exception']>,
): void {
  const event = writer.beginField(SPAN.event);
  writer.time(SPAN_EVENT.time, toNanoseconds(atUs));
  writer.writeTextField(SPAN_EVENT.name, 'exception');
  writer.attributes(SPAN_EVENT.attribute, { [EXCEPTION_TYPE]: type, [EXCEPTION_MESSAGE]: message });
  writer.endField(event);
}

function writeLog(writer: OtlpWriter, { atUs, severity, body, traceId, spanId, attributes }: PlainLog): void {
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.time(LOG_RECORD.time, toNanoseconds(atUs));
  writer.writeIntegerField(LOG_RECORD.severityNumber, severity);
  const value = writer.beginField(LOG_RECORD.body);
  writer.value(body);
  writer.endField(value);
  writer.attributes(LOG_RECORD.attribute, attributes);
  if (traceId !== '') writer.writeBytesField(LOG_RECORD.traceId, Buffer.from(traceId, 'hex'));
  if (spanId !== '') writer.writeBytesField(LOG_RECORD.spanId, Buffer.from(spanId, 'hex'));
  writer.endField(message);
}

function writePoint(
  writer: OtlpWriter,
  { metric, unit, kind, atUs, value, attributes }: PlainPoint,
  startUs: number,
): void {
  const record = writer.beginField(SCOPE_ITEMS.record);
  writer.writeTextField(METRIC.name, metric);
  writer.writeTextField(METRIC.unit, unit);
  const data = writer.beginField(METRIC[kind === 'gauge' ? 'gauge' : 'sum']);
  const point = writer.beginField(METRIC_DATA.point);
  writer.time(POINT.start, toNanoseconds(startUs));
  writer.time(POINT.time, toNanoseconds(atUs));
  writer.number(NUMBER_POINT.double, value);
  writer.attributes(NUMBER_POINT.attribute, attributes);
  writer.endField(point);
  if (kind !== 'gauge') writer.writeIntegerField(METRIC_DATA.temporality, CUMULATIVE_TEMPORALITY);
  if (kind === 'counter') writer.writeIntegerField(METRIC_DATA.monotonic, 1);
  writer.endField(data);
  writer.endField(record);
}

function toNanoseconds(us: number): bigint {
  return BigInt(us) * 1000n;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
