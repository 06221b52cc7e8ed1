import type { Meter, Tracer } from '@opentelemetry/api';
import type { Logger } from '@opentelemetry/api-logs';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** Where telemetry goes. */
export interface Destination {
  /** Such as `http://127.0.0.1:4318`. */
  readonly otlpUrl: string;
  readonly apiKey: string;
}

/** The OpenTelemetry SDK of one instance of a service, as its process would have it. */
export interface Telemetry {
  readonly tracer: Tracer;
  readonly logger: Logger;
  readonly meter: Meter;
  /** Sends what is left. Never rejects. */
  shutdown(): Promise<void>;
}

export interface Identity {
  readonly service: string;
  readonly version: string;
  readonly instanceId: string;
}

/** A demonstration wants to be seen at once. */
const EXPORT_MS = 1_000;
const QUEUE = { maxQueueSize: 8_192, maxExportBatchSize: 512, scheduledDelayMillis: EXPORT_MS };

export function startTelemetry({ otlpUrl, apiKey }: Destination, { service, version, instanceId }: Identity): Telemetry {
  const resource = resourceFromAttributes({
    'service.name': service,
    'service.namespace': 'shop',
    'service.version': version,
    'service.instance.id': instanceId,
    'deployment.environment.name': 'demo',
    'host.name': `node-${instanceId.slice(-1)}`,
  });
  const to = (signal: string) => ({ url: `${otlpUrl}/v1/${signal}`, headers: { 'api-key': apiKey } });
  const tracing = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(to('traces')), QUEUE)] });
  const logging = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(to('logs')), ...QUEUE })] });
  const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(to('metrics')), exportIntervalMillis: EXPORT_MS, exportTimeoutMillis: EXPORT_MS });
  const metering = new MeterProvider({ resource, readers: [reader] });
  return {
    tracer: tracing.getTracer('shop'),
    logger: logging.getLogger('shop'),
    meter: metering.getMeter('shop'),
    shutdown: async () => void (await Promise.allSettled([tracing.shutdown(), logging.shutdown(), metering.shutdown()])),
  };
}
