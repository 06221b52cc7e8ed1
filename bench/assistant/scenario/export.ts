import { EXCEPTION_MESSAGE, EXCEPTION_TYPE } from '../../../src/telemetry/exceptions.js';
import { LOG_RECORD, METRIC, METRIC_DATA, NUMBER_POINT, POINT, SCOPE_ITEMS, SPAN, SPAN_EVENT, STATUS } from '../../../src/telemetry/otlp/fields.js';
import { STATUS_ERROR } from '../../../src/telemetry/span-columns.js';
import { OtlpWriter } from '../../../test/support/generator/otlp-writer.js';
import type { PlainLog, PlainPoint, PlainSpan } from './telemetry.js';

const CUMULATIVE = 2;

/** Export requests in protobuf, one resource after the other. */
export function spansBody(spans: readonly PlainSpan[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const [, own] of groupBy(spans, ({ service, version, instance }) => `${service} ${version} ${instance}`)) {
    const { service, version, instance } = own[0];
    writer.resourceItems({ 'service.name': service, 'service.version': version, 'service.instance.id': instance }, () => own.forEach((span) => writeSpan(writer, span)));
  }
  return writer.finish();
}

export function logsBody(logs: readonly PlainLog[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const [service, own] of groupBy(logs, (log) => log.service)) writer.resourceItems({ 'service.name': service }, () => own.forEach((log) => writeLog(writer, log)));
  return writer.finish();
}

/** `startUs`: when the processes began to count. */
export function pointsBody(points: readonly PlainPoint[], startUs: number): Uint8Array {
  const writer = new OtlpWriter();
  for (const [service, own] of groupBy(points, (point) => point.service)) {
    writer.resourceItems({ 'service.name': service, 'service.instance.id': `${service}-0` }, () => own.forEach((point) => writePoint(writer, point, startUs)));
  }
  return writer.finish();
}

function writeSpan(writer: OtlpWriter, span: PlainSpan): void {
  const message = writer.begin(SCOPE_ITEMS.record);
  writer.blob(SPAN.traceId, Buffer.from(span.traceId, 'hex'));
  writer.blob(SPAN.spanId, Buffer.from(span.spanId, 'hex'));
  if (span.parentSpanId !== '') writer.blob(SPAN.parentSpanId, Buffer.from(span.parentSpanId, 'hex'));
  writer.text(SPAN.name, span.operation);
  writer.integer(SPAN.kind, span.kind);
  writer.time(SPAN.start, nanos(span.startUs));
  writer.time(SPAN.end, nanos(span.endUs));
  writer.attributes(SPAN.attribute, span.attributes);
  if (span.exception !== undefined) writeException(writer, span.endUs, span.exception);
  const status = writer.begin(SPAN.status);
  if (span.failed) writer.integer(STATUS.code, STATUS_ERROR);
  writer.end(status);
  writer.end(message);
}

function writeException(writer: OtlpWriter, atUs: number, { type, message }: NonNullable<PlainSpan['exception']>): void {
  const event = writer.begin(SPAN.event);
  writer.time(SPAN_EVENT.time, nanos(atUs));
  writer.text(SPAN_EVENT.name, 'exception');
  writer.attributes(SPAN_EVENT.attribute, { [EXCEPTION_TYPE]: type, [EXCEPTION_MESSAGE]: message });
  writer.end(event);
}

function writeLog(writer: OtlpWriter, { atUs, severity, body, traceId, spanId }: PlainLog): void {
  const message = writer.begin(SCOPE_ITEMS.record);
  writer.time(LOG_RECORD.time, nanos(atUs));
  writer.integer(LOG_RECORD.severityNumber, severity);
  const value = writer.begin(LOG_RECORD.body);
  writer.value(body);
  writer.end(value);
  if (traceId !== '') writer.blob(LOG_RECORD.traceId, Buffer.from(traceId, 'hex'));
  if (spanId !== '') writer.blob(LOG_RECORD.spanId, Buffer.from(spanId, 'hex'));
  writer.end(message);
}

function writePoint(writer: OtlpWriter, { metric, unit, kind, atUs, value, attributes }: PlainPoint, startUs: number): void {
  const record = writer.begin(SCOPE_ITEMS.record);
  writer.text(METRIC.name, metric);
  writer.text(METRIC.unit, unit);
  const data = writer.begin(METRIC[kind === 'gauge' ? 'gauge' : 'sum']);
  const point = writer.begin(METRIC_DATA.point);
  writer.time(POINT.start, nanos(startUs));
  writer.time(POINT.time, nanos(atUs));
  writer.number(NUMBER_POINT.double, value);
  writer.attributes(NUMBER_POINT.attribute, attributes);
  writer.end(point);
  if (kind !== 'gauge') writer.integer(METRIC_DATA.temporality, CUMULATIVE);
  if (kind === 'counter') writer.integer(METRIC_DATA.monotonic, 1);
  writer.end(data);
  writer.end(record);
}

function nanos(us: number): bigint {
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
