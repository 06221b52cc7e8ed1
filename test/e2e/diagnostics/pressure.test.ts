import assert from 'node:assert/strict';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import type { Attributes, Meter } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BlackBox } from '../../support/black-box.js';
import { waitUntil } from '../../support/wait-until.js';

interface Point {
  readonly type: string;
  readonly serviceName: string;
  readonly resource: string;
  readonly utilization: number;
  readonly capacity: number;
  readonly queueDepth: number;
  readonly severity: string;
  readonly detectedAt: string;
}

describe('pressure from metrics of the OpenTelemetry SDK', function () {
  this.timeout(60_000);
  let box: BlackBox;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  /** Exports the instruments of a service once. */
  async function measure(service: string, instruments: (meter: Meter) => void): Promise<void> {
    const exporter = new OTLPMetricExporter({
      url: `${box.service.otlpHttpUrl}/v1/metrics`,
      headers: { 'api-key': box.apiKey },
    });
    const provider = new MeterProvider({
      resource: resourceFromAttributes({ 'service.name': service }),
      readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })],
    });
    instruments(provider.getMeter('pressure'));
    await provider.shutdown();
    await box.settled();
  }

  async function pressure(service: string): Promise<Point[]> {
    const { status, body } = await box.api.get<{ pressurePoints: Point[] }>(`/apm/diagnostics/${box.gridId}/pressure`);
    assert.equal(status, 200);
    return body.pressurePoints.filter(({ serviceName }) => serviceName === service);
  }

  /** All findings without their time, once there are `count`. */
  async function pressureOf(service: string, count = 1): Promise<unknown[]> {
    await waitUntil(async () => (await pressure(service)).length === count, `${count} pressure points of ${service}`);
    return (await pressure(service)).map(({ type, resource, utilization, capacity, queueDepth, severity }) => [
      type,
      resource,
      utilization,
      capacity,
      queueDepth,
      severity,
    ]);
  }

  const gauge = (meter: Meter, name: string, value: number, attributes: Attributes = {}, unit = '1'): void =>
    void meter.createObservableGauge(name, { unit }).addCallback((result) => result.observe(value, attributes));

  function pool(meter: Meter, used: number, idle: number, max?: number, waiting?: number): void {
    const count = meter.createUpDownCounter('db.client.connection.count', { unit: '{connection}' });
    const named = { 'db.client.connection.pool.name': 'orders' };
    count.add(used, { ...named, 'db.client.connection.state': 'used' });
    count.add(idle, { ...named, 'db.client.connection.state': 'idle' });
    if (max !== undefined) meter.createUpDownCounter('db.client.connection.max').add(max, named);
    if (waiting !== undefined) meter.createUpDownCounter('db.client.connection.pending_requests').add(waiting, named);
  }

  for (const [used, severity] of [
    [14, 'info'],
    [15.9, 'info'],
    [16, 'warning'],
    [17.9, 'warning'],
    [18, 'critical'],
    [20, 'critical'],
  ] as const) {
    it(`of a pool with ${used} of 20 connections in use is ${severity}`, async () => {
      const startedAt = Date.now();
      await measure(`pool-${used}`, (meter) => pool(meter, used, 20 - used, 20));
      assert.deepEqual(await pressureOf(`pool-${used}`), [['connection_pool', 'orders', used * 5, 20, 0, severity]]);
      const detectedAt = Date.parse((await pressure(`pool-${used}`))[0].detectedAt);
      assert.ok(
        detectedAt <= Date.now() && detectedAt > startedAt - 60_001 && detectedAt % 60_000 === 0,
        'detected in the minute of the first point',
      );
    });
  }

  it('warns about a queue even if the pool is free', async () => {
    await measure('queued', (meter) => pool(meter, 2, 18, 20, 3));
    assert.deepEqual(await pressureOf('queued'), [['connection_pool', 'orders', 10, 20, 3, 'warning']]);
  });

  it('uses the open connections if a pool reports no capacity, and supports older metric names', async () => {
    await measure('open', (meter) => pool(meter, 9, 1));
    assert.deepEqual(await pressureOf('open'), [['connection_pool', 'orders', 90, 10, 0, 'critical']]);
    await measure('older', (meter) => {
      const count = meter.createUpDownCounter('db.client.connections.usage');
      for (const [state, value] of [
        ['used', 15],
        ['idle', 5],
      ] as const)
        count.add(value, { state: state, 'pool.name': 'users' });
      meter.createUpDownCounter('db.client.connections.max').add(20, { 'pool.name': 'users' });
    });
    assert.deepEqual(await pressureOf('older'), [['connection_pool', 'users', 75, 20, 0, 'info']]);
  });

  it('covers thread pools, event loops, CPU and memory', async () => {
    await measure('machine', (meter) => {
      meter.createUpDownCounter('dotnet.thread_pool.thread.count').add(16);
      meter.createUpDownCounter('dotnet.thread_pool.queue.length').add(4);
      gauge(meter, 'nodejs.eventloop.utilization', 0.95);
      gauge(meter, 'jvm.cpu.recent_utilization', 0.85);
      gauge(meter, 'container.memory.usage', 768, {}, 'By');
      gauge(meter, 'container.memory.limit', 1024, {}, 'By');
    });
    assert.deepEqual(await pressureOf('machine', 4), [
      ['event_loop', 'event loop', 95, 0, 0, 'critical'],
      ['cpu', 'JVM CPU', 85, 0, 0, 'warning'],
      ['thread_pool', '.NET thread pool', 0, 16, 4, 'warning'],
      ['memory', 'container memory', 75, 1024, 0, 'info'],
    ]);
  });

  it('reports nothing below 70 %, without capacity, or for NaN', async () => {
    await measure('calm', (meter) => {
      pool(meter, 13.99, 6.01, 20);
      gauge(meter, 'nodejs.eventloop.utilization', NaN);
      gauge(meter, 'jvm.cpu.recent_utilization', 0.69);
      gauge(meter, 'container.memory.usage', 1024, {}, 'By');
    });
    await measure('after-calm', (meter) => pool(meter, 20, 0, 20));
    await pressureOf('after-calm');
    assert.deepEqual(await pressure('calm'), []);
  });

  it('is sorted by severity and ends with a newer data point', async () => {
    const { body } = await box.api.get<{ pressurePoints: Point[] }>(`/apm/diagnostics/${box.gridId}/pressure`);
    const rank = { info: 1, warning: 2, critical: 3 } as Record<string, number>;
    const order = body.pressurePoints.map(({ severity, utilization }) => rank[severity] * 1_000 + utilization);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => b - a),
    );
    await measure('queued', (meter) => pool(meter, 2, 18, 20, 0));
    await waitUntil(async () => (await pressure('queued')).length === 0, 'the queue is empty');
  });
});
