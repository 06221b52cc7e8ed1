import type { Identity, Destination, Telemetry } from './telemetry.js';
import { startTelemetry } from './telemetry.js';
import type { ConnectionPool } from './connection-pool.js';

export interface InstanceOptions extends Identity {
  readonly pool?: ConnectionPool;
  readonly poolName?: string;
  /** Share of its CPU that it uses, 0 to 1. */
  readonly cpu: () => number;
}

const MB = 1024 * 1024;

/** One instance of a service: who it is, its SDK, and the metrics that its runtime reports. */
export class Instance {
  readonly telemetry: Telemetry;
  /** Of requests, in seconds, as the semantic conventions have it. */
  readonly requestDuration;

  constructor(
    destination: Destination,
    readonly options: InstanceOptions,
  ) {
    this.telemetry = startTelemetry(destination, options);
    const { meter } = this.telemetry;
    this.requestDuration = meter.createHistogram('http.server.request.duration', { unit: 's' });
    const { cpu, pool } = options;
    meter.createObservableGauge('process.cpu.utilization', { unit: '1' }).addCallback((result) => result.observe(cpu()));
    meter.createObservableGauge('nodejs.eventloop.utilization', { unit: '1' }).addCallback((result) => result.observe(Math.min(1, cpu() * 0.95)));
    meter.createObservableGauge('nodejs.eventloop.delay.p99', { unit: 's' }).addCallback((result) => result.observe(cpu() > 0.9 ? 0.12 : 0.003));
    meter.createObservableUpDownCounter('process.memory.usage', { unit: 'By' }).addCallback((result) => result.observe(Math.round((180 + 20 * cpu()) * MB)));
    if (pool !== undefined) this.reportPool(pool, options.poolName ?? 'main');
  }

  private reportPool(pool: ConnectionPool, name: string): void {
    const { meter } = this.telemetry;
    const of = { 'db.client.connection.pool.name': name };
    meter.createObservableUpDownCounter('db.client.connection.count', { unit: '{connection}' }).addCallback((result) => {
      result.observe(pool.used, { ...of, 'db.client.connection.state': 'used' });
      result.observe(pool.size - pool.used, { ...of, 'db.client.connection.state': 'idle' });
    });
    meter.createObservableUpDownCounter('db.client.connection.max', { unit: '{connection}' }).addCallback((result) => result.observe(pool.size, of));
    meter.createObservableUpDownCounter('db.client.connection.pending_requests', { unit: '{request}' }).addCallback((result) => result.observe(pool.waiting, of));
  }
}
