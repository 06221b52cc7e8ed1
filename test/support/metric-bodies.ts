import assert from 'node:assert/strict';
import { createMetricColumns, type MetricColumns } from '../../src/telemetry/columns/metric-batch-columns.js';
import { decodeMetrics } from '../../src/telemetry/otlp/decoding/metric-decoder.js';
import { validateRecords } from '../../src/telemetry/otlp/validation/validate-export-request.js';
import { officialEncode } from './official-otlp.js';
import { NOW_NS } from './otlp-model.js';

export const BOUNDS = { oldestMs: 1, newestMs: Number(NOW_NS / 1_000_000n) };

export function requestOf(...metrics: object[]): object {
  return { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] };
}

export function decodedBody(body: Uint8Array, rejected: readonly number[] = []): MetricColumns {
  const columns = createMetricColumns();
  decodeMetrics(body, 0, rejected, columns);
  return columns;
}

/** Decodes metrics that were encoded by the official encoder and accepted by validation. */
export function decoded(...metrics: object[]): MetricColumns {
  const body = officialEncode('metrics', requestOf(...metrics));
  assert.deepEqual(validateRecords('metrics', body, BOUNDS).rejected, []);
  return decodedBody(body);
}

/** Metrics with these points; the time is added. */
export const histogram = (...points: object[]): object => ({ name: 'm', histogram: { dataPoints: timed(points) } });
export const exponential = (...points: object[]): object => ({
  name: 'm',
  exponentialHistogram: { dataPoints: timed(points) },
});
export const summary = (...points: object[]): object => ({ name: 'm', summary: { dataPoints: timed(points) } });
export const gauge = (...points: object[]): object => ({ name: 'm', gauge: { dataPoints: timed(points) } });

function timed(points: readonly object[]): object[] {
  return points.map((point) => ({ timeUnixNano: NOW_NS, ...point }));
}

/** Encodes a message field manually, for input that official encoders cannot write. */
export function nest(field: number, ...parts: readonly Uint8Array[]): Buffer {
  const payload = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([field * 8 + 2]), varint(payload.length), payload]);
}

function varint(value: number): Buffer {
  return value < 128
    ? Buffer.from([value])
    : Buffer.concat([Buffer.from([(value % 128) + 128]), varint(Math.floor(value / 128))]);
}

export function fixed(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(9, field * 8 + 1);
  bytes.writeBigUInt64LE(value, 1);
  return bytes;
}

export function real(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(9, field * 8 + 1);
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

export const TIME = fixed(3, NOW_NS);
/** Field numbers of the points of a metric. */
export const GAUGE = 5;
export const HISTOGRAM = 9;
export const EXPONENTIAL = 10;
export const SUMMARY = 11;

/** A request with one metric and one point of these fields. */
export function bodyOf(kind: number, ...fields: readonly Uint8Array[]): Buffer {
  return nest(1, nest(2, nest(2, nest(1, Buffer.from('m')), nest(kind, nest(1, TIME, ...fields)))));
}
