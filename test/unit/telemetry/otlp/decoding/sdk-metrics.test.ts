import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  AggregationType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type ExponentialHistogram,
  type Histogram,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { BucketCounts } from '../../../../../src/telemetry/metric-distributions.js';
import type { MetricColumns } from '../../../../../src/telemetry/columns/metric-batch-columns.js';
import { translateJsonToProtobuf } from '../../../../../src/telemetry/otlp/json/json-to-protobuf.js';
import { validateRecords } from '../../../../../src/telemetry/otlp/validation/validate-export-request.js';
import { decodedBody } from '../../../../support/metric-bodies.js';

const VALUES = [0, 0.0004, 0.003, 0.7, 1, 1.5, 22, 22, 480, 99_000];
const BOUNDARIES = [0.001, 1, 10, 500];

/** What the SDK has made of the values: a histogram with bounds of its own choice, one with those of a view, and two exponential ones. */
async function recorded(): Promise<ResourceMetrics> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'checkout' }),
    readers: [reader],
    views: [
      {
        instrumentName: 'explicit',
        aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: BOUNDARIES } },
      },
      { instrumentName: 'exponential', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } },
      {
        instrumentName: 'coarse',
        aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM, options: { maxSize: 4 } },
      },
    ],
  });
  const meter = provider.getMeter('test');
  for (const name of ['usual', 'explicit', 'exponential', 'coarse'])
    for (const value of VALUES) meter.createHistogram(name).record(value);
  await reader.forceFlush();
  await provider.shutdown();
  return exporter.getMetrics()[0];
}

/** Body that an exporter of the SDK sends. */
async function sent(metrics: ResourceMetrics, exporterTo: (url: string) => PushMetricExporter): Promise<Buffer> {
  const bodies: Buffer[] = [];
  const server = createServer(
    (request, response) => void buffer(request).then((body) => response.end(bodies.push(body) && '')),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const exporter = exporterTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`);
  try {
    await new Promise<void>((done, failed) =>
      exporter.export(metrics, ({ error }) => (error === undefined ? done() : failed(error))),
    );
  } finally {
    await exporter.shutdown();
    await closed(server);
  }
  return bodies[0];
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

function rowOf({ count, metric, strings }: MetricColumns, name: string): number {
  return metric.subarray(0, count).findIndex((id) => strings.text(id) === name);
}

/** By index, as far as they hold anything. */
function filled({ offset, counts }: BucketCounts): (readonly [number, number])[] {
  return counts.flatMap((count, i) => (count === 0 ? [] : [[offset + i, count] as const]));
}

function assertDecoded(columns: MetricColumns, { scopeMetrics: [{ metrics }] }: ResourceMetrics): void {
  for (const {
    descriptor: { name },
    dataPoints: [{ value }],
  } of metrics) {
    const row = rowOf(columns, name);
    assert.deepEqual(
      [columns.observations[row], columns.value[row], columns.min[row], columns.max[row]],
      [VALUES.length, (value as Histogram).sum, 0, 99_000],
    );
    const buckets = columns.buckets[row];
    if (buckets?.kind === 'explicit') {
      const { boundaries, counts } = (value as Histogram).buckets;
      assert.deepEqual([buckets.bounds, buckets.counts], [boundaries, counts]);
    } else {
      const { scale, positive, zeroCount } = value as ExponentialHistogram;
      assert.deepEqual([buckets?.scale, buckets?.zeroCount], [scale, zeroCount]);
      assert.deepEqual(filled(buckets!.positive), filled({ offset: positive.offset, counts: positive.bucketCounts }));
    }
  }
}

describe('histograms of the OpenTelemetry SDK', () => {
  let metrics: ResourceMetrics;

  before(async () => {
    metrics = await recorded();
  });

  it('are of both sorts, and of scales that differ', () => {
    const exponential = metrics.scopeMetrics[0].metrics.flatMap(({ dataPoints: [{ value }] }) =>
      typeof value === 'object' && 'scale' in value ? [value.scale] : [],
    );
    assert.equal(new Set(exponential).size, 2);
  });

  it('come through protobuf', async () => {
    const body = await sent(metrics, (url) => new ProtobufMetrics({ url }));
    const { total, rejected } = validateRecords('metrics', body, { oldestMs: 1, newestMs: Date.now() + 60_000 });
    assert.deepEqual([total, rejected], [4, []]);
    assertDecoded(decodedBody(body), metrics);
  });

  it('come through JSON', async () => {
    assertDecoded(
      decodedBody(translateJsonToProtobuf('metrics', await sent(metrics, (url) => new JsonMetrics({ url })))),
      metrics,
    );
  });
});
