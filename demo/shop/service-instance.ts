import type { ConnectionPool } from './connection-pool.js';
import type { Meter, Tracer } from '@opentelemetry/api';
import type { Logger } from '@opentelemetry/api-logs';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export interface InstanceOptions extends InstanceIdentity {
  readonly pool?: ConnectionPool;
  readonly poolName?: string;
  /** CPU utilization, 0 to 1. */
  readonly cpu: () => number;
}

const MEBIBYTE = 1024 * 1024;

/** One instance of a service: its identity, its SDK and its runtime metrics. */
export class ServiceInstance {
  readonly telemetry: InstanceTelemetry;
  /** Duration of requests in seconds, following the semantic conventions. */
  readonly requestDuration;

  constructor(
    destination: OtlpDestination,
    readonly options: InstanceOptions,
  ) {
    this.telemetry = startInstanceTelemetry(destination, options);
    const { meter } = this.telemetry;
    this.requestDuration = meter.createHistogram('http.server.request.duration', { unit: 's' });
    const { cpu, pool } = options;
    meter
      .createObservableGauge('process.cpu.utilization', { unit: '1' })
      .addCallback((result) => result.observe(cpu()));
    meter
      .createObservableGauge('nodejs.eventloop.utilization', { unit: '1' })
      .addCallback((result) => result.observe(Math.min(1, cpu() * 0.95)));
    meter
      .createObservableGauge('nodejs.eventloop.delay.p99', { unit: 's' })
      .addCallback((result) => result.observe(cpu() > 0.9 ? 0.12 : 0.003));
    meter
      .createObservableUpDownCounter('process.memory.usage', { unit: 'By' })
      .addCallback((result) => result.observe(Math.round((180 + 20 * cpu()) * MEBIBYTE)));
    if (pool !== undefined) this.registerPoolMetrics(pool, options.poolName ?? 'main');
  }

  private registerPoolMetrics(pool: ConnectionPool, name: string): void {
    const { meter } = this.telemetry;
    const of = { 'db.client.connection.pool.name': name };
    meter
      .createObservableUpDownCounter('db.client.connection.count', { unit: '{connection}' })
      .addCallback((result) => {
        result.observe(pool.used, { ...of, 'db.client.connection.state': 'used' });
        result.observe(pool.size - pool.used, { ...of, 'db.client.connection.state': 'idle' });
      });
    meter
      .createObservableUpDownCounter('db.client.connection.max', { unit: '{connection}' })
      .addCallback((result) => result.observe(pool.size, of));
    meter
      .createObservableUpDownCounter('db.client.connection.pending_requests', { unit: '{request}' })
      .addCallback((result) => result.observe(pool.waiting, of));
  }
}

/** Destination of telemetry. */
export interface OtlpDestination {
  /** Base URL, such as `http://127.0.0.1:4318`. */
  readonly otlpUrl: string;
  readonly apiKey: string;
}

/** The OpenTelemetry SDK of one instance, as in a process of its own. */
interface InstanceTelemetry {
  readonly tracer: Tracer;
  readonly logger: Logger;
  readonly meter: Meter;
  /** Sends pending telemetry. Never rejects. */
  shutdown(): Promise<void>;
}

interface InstanceIdentity {
  readonly service: string;
  readonly version: string;
  readonly instanceId: string;
}

/** Short, so that telemetry is visible at once. */
const EXPORT_INTERVAL_MS = 1_000;

const BATCH_OPTIONS = { maxQueueSize: 8_192, maxExportBatchSize: 512, scheduledDelayMillis: EXPORT_INTERVAL_MS };

function startInstanceTelemetry(
  { otlpUrl, apiKey }: OtlpDestination,
  { service, version, instanceId }: InstanceIdentity,
): InstanceTelemetry {
  const resource = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'shop',
    'service.version': version,
    'service.instance.id': instanceId,
    'deployment.environment.name': 'demo',
    'host.name': `node-${instanceId.slice(-1)}`,
  });
  const to = (signal: string) => ({ url: `${otlpUrl}/v1/${signal}`, headers: { 'api-key': apiKey } });
  const tracing = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(to('traces')), BATCH_OPTIONS)],
  });
  const logging = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(to('logs')), ...BATCH_OPTIONS })],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(to('metrics')),
    exportIntervalMillis: EXPORT_INTERVAL_MS,
    exportTimeoutMillis: EXPORT_INTERVAL_MS,
  });
  const metering = new MeterProvider({ resource, readers: [reader] });
  return {
    tracer: tracing.getTracer('shop'),
    logger: logging.getLogger('shop'),
    meter: metering.getMeter('shop'),
    shutdown: async () =>
      void (await Promise.allSettled([tracing.shutdown(), logging.shutdown(), metering.shutdown()])),
  };
}
