import { createHash, randomUUID } from 'node:crypto';
import type { NewEvent } from '../../../../../src/streams/event-store.js';
import {
  TELEMETRY_RECEIVED_TYPES,
  type TelemetryReceived,
} from '../../../../../src/streams/events/telemetry-events.js';
import type { HistogramBuckets, Exemplar, QuantileValue } from '../../../../../src/telemetry/metric-distributions.js';
import {
  EXPONENTIAL_POINT,
  HISTOGRAM_POINT,
  LOG_RECORD,
  METRIC,
  METRIC_DATA,
  NUMBER_POINT,
  POINT,
  SCOPE_ITEMS,
  SPAN,
  SUMMARY_POINT,
} from '../../../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import type { Signal } from '../../../../../src/telemetry/signals.js';
import { OtlpWriter } from '../../../../support/generator/otlp-writer.js';
import { writeBuckets, writeExemplar, writeQuantile } from './distribution-wire.js';

/** A span as tests speak of it. */
export interface TestSpan {
  /** Small numbers stand for ids. */
  readonly trace: number;
  readonly span: number;
  /** ms since 1970. */
  readonly start: number;
  readonly service?: string;
  readonly operation?: string;
  /** "" for none. */
  readonly version?: string;
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

/** A data point as tests speak of it: a gauge, unless it says otherwise. Times in ms since 1970. */
export interface TestPoint {
  readonly time: number;
  /** Nanoseconds after `time`. */
  readonly nanos?: number;
  readonly value: number;
  readonly kind?: 'gauge' | 'sum' | 'histogram' | 'exponentialHistogram' | 'summary';
  /** AggregationTemporality on the wire; cumulative, unless it says otherwise. */
  readonly temporality?: number;
  readonly monotonic?: boolean;
  readonly start?: number;
  /** Observations of histograms and summaries. */
  readonly count?: number;
  readonly min?: number;
  readonly max?: number;
  readonly buckets?: HistogramBuckets;
  /** Of summaries. */
  readonly quantiles?: readonly QuantileValue[];
  readonly exemplars?: readonly Exemplar[];
  readonly metric?: string;
  readonly unit?: string;
  readonly service?: string;
  readonly instance?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Of the resource, beside its service and instance. */
  readonly resource?: Readonly<Record<string, string>>;
}

export const GRID = '0f0c4b2a-1111-4222-8333-444455556666';

/** An export request as the ingestion would append it. */
export function spansReceived(spans: readonly TestSpan[], gridId = GRID): NewEvent {
  return received(gridId, 'traces', spans.length, spanBody(spans));
}

export function logsReceived(logs: readonly TestLog[], gridId = GRID): NewEvent {
  return received(gridId, 'logs', logs.length, logBody(logs));
}

/** `receivedAt`: arrival (ms); later than all points unless it says otherwise. */
export function metricsReceived(
  points: readonly TestPoint[],
  gridId = GRID,
  receivedAt = Date.UTC(2100, 0, 1),
): NewEvent {
  return received(gridId, 'metrics', points.length, metricBody(points), receivedAt);
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
  return { id: randomUUID(), type: TELEMETRY_RECEIVED_TYPES[signal], data, body };
}

function spanBody(spans: readonly TestSpan[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const span of spans) {
    const { service = 'shop', version = '' } = span;
    writer.resourceItems({ 'service.name': service, ...(version !== '' && { 'service.version': version }) }, () =>
      writeSpan(writer, span),
    );
  }
  return writer.finish();
}

function writeSpan(writer: OtlpWriter, { trace, span, start, operation = 'buy', attributes = {} }: TestSpan): void {
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.writeBytesField(SPAN.traceId, idOf(trace, 16));
  writer.writeBytesField(SPAN.spanId, idOf(span, 8));
  writer.writeTextField(SPAN.name, operation);
  writer.time(SPAN.start, BigInt(start) * 1_000_000n);
  writer.time(SPAN.end, BigInt(start) * 1_000_000n + 5_000_000n);
  writer.attributes(SPAN.attribute, attributes);
  writer.endField(message);
}

function logBody(logs: readonly TestLog[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const log of logs) writer.resourceItems({ 'service.name': log.service ?? 'shop' }, () => writeLog(writer, log));
  return writer.finish();
}

function writeLog(writer: OtlpWriter, { time, body: text, severity = 9, span, attributes = {} }: TestLog): void {
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.time(LOG_RECORD.time, BigInt(time) * 1_000_000n);
  writer.writeIntegerField(LOG_RECORD.severityNumber, severity);
  const body = writer.beginField(LOG_RECORD.body);
  writer.value(text);
  writer.endField(body);
  writer.attributes(LOG_RECORD.attribute, attributes);
  if (span !== undefined) {
    writer.writeBytesField(LOG_RECORD.traceId, idOf(1, 16));
    writer.writeBytesField(LOG_RECORD.spanId, idOf(span, 8));
  }
  writer.endField(message);
}

function metricBody(points: readonly TestPoint[]): Uint8Array {
  const writer = new OtlpWriter();
  for (const point of points) {
    const { service = 'shop', instance = '', resource = {} } = point;
    const named: Record<string, string> = instance === '' ? {} : { 'service.instance.id': instance };
    writer.resourceItems({ 'service.name': service, ...named, ...resource }, () => writePoint(writer, point));
  }
  return writer.finish();
}

function writePoint(writer: OtlpWriter, point: TestPoint): void {
  const { kind = 'gauge', temporality = 2, monotonic = true, metric = 'm', unit = '' } = point;
  const record = writer.beginField(SCOPE_ITEMS.record);
  writer.writeTextField(METRIC.name, metric);
  writer.writeTextField(METRIC.unit, unit);
  const data = writer.beginField(METRIC[kind]);
  const message = writer.beginField(METRIC_DATA.point);
  if (point.start !== undefined) writer.time(POINT.start, BigInt(point.start) * 1_000_000n);
  writer.time(POINT.time, BigInt(point.time) * 1_000_000n + BigInt(point.nanos ?? 0));
  writeValue(writer, kind, point);
  writer.endField(message);
  if (kind !== 'gauge' && kind !== 'summary') writer.writeIntegerField(METRIC_DATA.temporality, temporality);
  if (kind === 'sum' && monotonic) writer.writeIntegerField(METRIC_DATA.monotonic, 1);
  writer.endField(data);
  writer.endField(record);
}

const DISTRIBUTIONS = { histogram: HISTOGRAM_POINT, exponentialHistogram: EXPONENTIAL_POINT, summary: SUMMARY_POINT };

function writeValue(
  writer: OtlpWriter,
  kind: NonNullable<TestPoint['kind']>,
  { value, count = 1, min, max, buckets, quantiles = [], exemplars = [], attributes = {} }: TestPoint,
): void {
  if (kind === 'gauge' || kind === 'sum') {
    writer.number(NUMBER_POINT.double, value);
    for (const exemplar of exemplars) writeExemplar(writer, NUMBER_POINT.exemplar, exemplar);
    return writer.attributes(NUMBER_POINT.attribute, attributes);
  }
  const tags = DISTRIBUTIONS[kind];
  writer.writeVarint(tags.count);
  writer.writeFixed64(0, count);
  writer.number(tags.sum, value);
  if (min !== undefined && 'min' in tags) writer.number(tags.min, min);
  if (max !== undefined && 'max' in tags) writer.number(tags.max, max);
  if (buckets !== undefined) writeBuckets(writer, buckets);
  for (const quantile of quantiles) writeQuantile(writer, quantile);
  if ('exemplar' in tags) for (const exemplar of exemplars) writeExemplar(writer, tags.exemplar, exemplar);
  writer.attributes(tags.attribute, attributes);
}

function idOf(number: number, size: number): Buffer {
  const id = Buffer.alloc(size, 0xa5);
  id.writeUInt32BE(number, size - 4);
  return id;
}
