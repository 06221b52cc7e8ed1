import assert from 'node:assert/strict';
import { ExportValidatorPool } from '../../../../../src/http/otlp/export-validator-pool.js';
import { PrometheusMetrics } from '../../../../../src/self-telemetry/prometheus-metrics.js';
import { decompress } from '../../../../../src/telemetry/compression/decompress.js';
import {
  createOpenTelemetryTracer,
  type OpenTelemetryOptions,
} from '../../../../../src/self-telemetry/adapters/opentelemetry/opentelemetry-tracer.js';
import { createMetricProducer } from '../../../../../src/self-telemetry/adapters/opentelemetry/metric-producer.js';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { API_KEY } from '../../../http/otlp/support/fake-access.js';
import { startServer, type TestServer } from '../../../http/otlp/support/otlp-server.js';
import { waitUntil } from '../../../../support/wait-until.js';

describe('own telemetry by the SDK', () => {
  const validator = new ExportValidatorPool({ threads: 1, maxWaiting: 10 });
  const warnings: string[] = [];
  const metrics = new PrometheusMetrics();
  let running: TestServer;
  beforeEach(async () => {
    warnings.length = 0;
    running = await startServer({ validator });
  });
  afterEach(() => running.server.close());
  after(() => validator.close());

  const options = (changes: Partial<OpenTelemetryOptions> = {}): OpenTelemetryOptions => ({
    endpoint: `http://127.0.0.1:${running.ports.http}`,
    apiKey: API_KEY,
    version: '1.2.3',
    instanceId: 'here',
    log: { warn: (message, fields) => warnings.push(`${message} ${JSON.stringify(fields)}`) },
    metrics: () => metrics.readSnapshot(),
    spanDelayMs: 10,
    metricIntervalMs: 50,
    ...changes,
  });

  it('arrives as spans and metrics of the service hindsight', async () => {
    const tracer = createOpenTelemetryTracer(options());
    tracer.start('searchTraces', 'server').end({ 'http.response.status_code': 200 }, false);
    tracer.recordCompleted('commit telemetry', 5, { records: 3 });
    await waitUntil(
      () => running.meters.records.traces === 2 && running.meters.records.metrics > 0,
      'both have arrived',
    );
    await tracer.close();
    await tracer.close();
    const bodies = (await running.store.received())
      .map(({ data, body }) => decompress(body!, data.encoding, 10_000_000))
      .map((inflated) => (inflated.ok ? Buffer.from(inflated.bytes) : Buffer.alloc(0)));
    for (const word of ['hindsight', '1.2.3', 'searchTraces', 'commit telemetry', 'hindsight_append_seconds'])
      assert.ok(
        bodies.some((body) => body.includes(word)),
        word,
      );
  });

  it('sends what is left when it is closed', async () => {
    const tracer = createOpenTelemetryTracer(options({ spanDelayMs: 60_000, metricIntervalMs: 60_000 }));
    tracer.start('last', 'server').end({}, true);
    await tracer.close();
    assert.equal(running.meters.records.traces, 1);
  });

  it('that is refused or cannot be sent is said once, without the key, and disturbs nobody', async () => {
    running.access.keys.clear();
    const tracer = createOpenTelemetryTracer(options());
    for (let n = 0; n < 3; n++) {
      tracer.start(`lost ${n}`, 'server').end({}, false);
      const before = running.meters.refusals.length;
      await waitUntil(() => running.meters.refusals.length > before, 'it was refused');
    }
    await waitUntil(() => warnings.length > 0, 'it was said');
    await tracer.close();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^Failed to export Hindsight.s own telemetry/);
    assert.doesNotMatch(warnings[0] ?? '', new RegExp(API_KEY));
  });

  it('has the counts of a histogram between its bounds', async () => {
    const counted = new PrometheusMetrics();
    for (const seconds of [0.0004, 0.002, 0.002, 99]) counted.recordAppend(seconds, 'appended');
    const { resourceMetrics } = await createMetricProducer(
      () => counted.readSnapshot(),
      resourceFromAttributes({}),
    ).collect();
    const found = resourceMetrics.scopeMetrics[0]?.metrics.find(
      ({ descriptor }) => descriptor.name === 'hindsight_append_seconds',
    );
    const point = found?.dataPoints[0];
    assert.ok(point !== undefined && typeof point.value === 'object' && 'buckets' in point.value);
    const { boundaries, counts } = point.value.buckets;
    assert.equal(counts.length, boundaries.length + 1);
    assert.deepEqual([counts[0], counts[2], counts.at(-1), point.value.count], [1, 2, 1, 4]);
    assert.deepEqual(point.attributes, { outcome: 'appended' });
  });
});
