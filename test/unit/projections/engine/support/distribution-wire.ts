import type {
  BucketCounts,
  HistogramBuckets,
  Exemplar,
  QuantileValue,
} from '../../../../../src/telemetry/metric-distributions.js';
import {
  BUCKETS,
  EXEMPLAR,
  EXPONENTIAL_POINT,
  HISTOGRAM_POINT,
  QUANTILE,
  SUMMARY_POINT,
} from '../../../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import type { OtlpWriter } from '../../../../support/generator/otlp-writer.js';

/** Fields of a histogram point, repeated ones one by one. */
export function writeBuckets(writer: OtlpWriter, buckets: HistogramBuckets): void {
  if (buckets.kind === 'explicit') {
    for (const count of buckets.counts) writeCount(writer, HISTOGRAM_POINT.bucketCount, count);
    for (const bound of buckets.bounds) writer.number(HISTOGRAM_POINT.bound, bound);
    return;
  }
  writer.writeIntegerField(EXPONENTIAL_POINT.scale, zigzag(buckets.scale));
  writeCount(writer, EXPONENTIAL_POINT.zeroCount, buckets.zeroCount);
  writer.number(EXPONENTIAL_POINT.zeroThreshold, buckets.zeroThreshold);
  writeRun(writer, EXPONENTIAL_POINT.positive, buckets.positive);
  writeRun(writer, EXPONENTIAL_POINT.negative, buckets.negative);
}

export function writeQuantile(writer: OtlpWriter, [quantile, value]: QuantileValue): void {
  const message = writer.beginField(SUMMARY_POINT.quantile);
  writer.number(QUANTILE.quantile, quantile);
  writer.number(QUANTILE.value, value);
  writer.endField(message);
}

export function writeExemplar(writer: OtlpWriter, tag: number, { timeUs, value, traceId, spanId }: Exemplar): void {
  const message = writer.beginField(tag);
  writer.time(EXEMPLAR.time, BigInt(timeUs) * 1_000n);
  writer.number(EXEMPLAR.double, value);
  if (spanId !== '') writer.writeBytesField(EXEMPLAR.spanId, Buffer.from(spanId, 'hex'));
  if (traceId !== '') writer.writeBytesField(EXEMPLAR.traceId, Buffer.from(traceId, 'hex'));
  writer.endField(message);
}

function writeRun(writer: OtlpWriter, tag: number, { offset, counts }: BucketCounts): void {
  const message = writer.beginField(tag);
  writer.writeIntegerField(BUCKETS.offset, zigzag(offset));
  for (const count of counts) writer.writeIntegerField(BUCKETS.count, count);
  writer.endField(message);
}

function writeCount(writer: OtlpWriter, tag: number, count: number): void {
  writer.writeVarint(tag);
  writer.writeFixed64(0, count);
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
