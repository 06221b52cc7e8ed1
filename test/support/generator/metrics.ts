import {
  HISTOGRAM_POINT,
  METRIC,
  METRIC_DATA,
  NUMBER_POINT,
  POINT,
  SCOPE_ITEMS,
} from '../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import type { OtlpWriter } from './otlp-writer.js';
import type { Random } from './random.js';

const CUMULATIVE = 2;
const BOUNDS = [5, 10, 25, 50, 100, 250, 500, 1000];
const STARTED_NS = 60_000_000_000n;

interface Shape {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
}

const SHAPES: readonly Shape[] = [
  { name: 'db.client.connection.count', unit: '{connection}', kind: 'sum' },
  { name: 'jvm.thread.count', unit: '{thread}', kind: 'sum' },
  { name: 'system.cpu.utilization', unit: '1', kind: 'gauge' },
  { name: 'nodejs.eventloop.utilization', unit: '1', kind: 'gauge' },
  { name: 'http.server.request.duration', unit: 's', kind: 'histogram' },
];

/** One metric with one data point. */
export function writeMetric(writer: OtlpWriter, timeNs: bigint, random: Random): void {
  const shape = random.pick(SHAPES);
  const metric = writer.beginField(SCOPE_ITEMS.record);
  writer.writeTextField(METRIC.name, shape.name);
  writer.writeTextField(METRIC.unit, shape.unit);
  const data = writer.beginField(METRIC[shape.kind]);
  const point = writer.beginField(METRIC_DATA.point);
  writer.time(POINT.start, timeNs - STARTED_NS);
  writer.time(POINT.time, timeNs);
  if (shape.kind === 'histogram') writeBuckets(writer, random);
  else {
    writer.number(NUMBER_POINT.double, shape.kind === 'sum' ? random.below(500) : random.unit());
    writer.attribute(NUMBER_POINT.attribute, 'state', random.pick(['idle', 'used']));
  }
  writer.endField(point);
  if (shape.kind !== 'gauge') writer.writeIntegerField(METRIC_DATA.temporality, CUMULATIVE);
  writer.endField(data);
  writer.endField(metric);
}

function writeBuckets(writer: OtlpWriter, random: Random): void {
  const counts = Array.from({ length: BOUNDS.length + 1 }, () => random.below(100));
  const count = counts.reduce((sum, each) => sum + each, 0);
  writer.writeVarint(HISTOGRAM_POINT.count);
  writer.writeFixed64(0, count);
  writer.number(HISTOGRAM_POINT.sum, count * 40);
  const buckets = writer.beginField(HISTOGRAM_POINT.bucketCounts);
  for (const each of counts) writer.writeFixed64(0, each);
  writer.endField(buckets);
  const bounds = writer.beginField(HISTOGRAM_POINT.bounds);
  for (const bound of BOUNDS) writer.writeDouble(bound);
  writer.endField(bounds);
  writer.attribute(HISTOGRAM_POINT.attribute, 'http.route', '/api/v1/orders');
}
