import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { OTLPLogExporter as GrpcLogs } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as GrpcMetrics } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as GrpcTraces } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { Metadata, status } from '@grpc/grpc-js';

export interface Exporters {
  readonly traces: SpanExporter;
  readonly logs: LogRecordExporter;
  readonly metrics: PushMetricExporter;
}

export type Protocol = 'grpc' | 'http/protobuf' | 'http/json';

/** Exporters of the OpenTelemetry SDK to an ingestion address. */
export function exporters(protocol: Protocol, address: string, apiKey: string, gzip: boolean): Exporters {
  const compression = gzip ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE;
  if (protocol === 'grpc') {
    const metadata = new Metadata();
    metadata.set('api-key', apiKey);
    const options = { url: address, metadata, compression };
    return {
      traces: retryWhileUnavailable(new GrpcTraces(options)),
      logs: retryWhileUnavailable(new GrpcLogs(options)),
      metrics: retryWhileUnavailable(new GrpcMetrics(options)),
    };
  }
  const options = (signal: string) => ({ url: `${address}/v1/${signal}`, headers: { 'api-key': apiKey }, compression });
  return protocol === 'http/json'
    ? {
        traces: new JsonTraces(options('traces')),
        logs: new JsonLogs(options('logs')),
        metrics: new JsonMetrics(options('metrics')),
      }
    : {
        traces: new ProtobufTraces(options('traces')),
        logs: new ProtobufLogs(options('logs')),
        metrics: new ProtobufMetrics(options('metrics')),
      };
}

const MAX_ATTEMPTS = 30;
const RETRY_MS = 500;

/**
 * The gRPC exporters of the SDK do not retry, those over HTTP do: a service on a busy machine responds 503 (UNAVAILABLE) after
 * two seconds, and counts what is sent again once.
 */
function retryWhileUnavailable<Items, Exporter extends { export(items: Items, done: Done): void }>(
  exporter: Exporter,
): Exporter {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) => {
    const attempt = (number: number): void =>
      send(items, (result) => {
        const isUnavailable = (result.error as { code?: unknown } | undefined)?.code === status.UNAVAILABLE;
        if (isUnavailable && number < MAX_ATTEMPTS) setTimeout(attempt, RETRY_MS, number + 1);
        else done(result);
      });
    attempt(1);
  };
  return exporter;
}

type Done = (result: { readonly code: number; readonly error?: Error }) => void;

/** The span that the failed charge links to. */
export const LINKED_SPAN = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 1 };

/** Emits a failed checkout: three spans in two layers, a log record in one of them, and a counter. Returns the trace id. */
export async function emitFailedCheckout(serviceName: string, { traces, logs, metrics }: Exporters): Promise<string> {
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.version': '1.4.2' });
  const tracing = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(traces)] });
  const logging = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter: logs })] });
  const metering = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 })],
  });
  const tracer = tracing.getTracer('e2e', '1.0.3');
  const checkout = tracer.startSpan('POST /checkout', {
    kind: SpanKind.SERVER,
    attributes: { 'customer.tier': 'gold', 'cart.items': 3 },
  });
  const context = trace.setSpan(ROOT_CONTEXT, checkout);
  const charge = tracer.startSpan(
    'charge card',
    {
      kind: SpanKind.CLIENT,
      startTime: new Date(Date.now() - 250),
      links: [{ context: LINKED_SPAN, attributes: { reason: 'retry' } }],
    },
    context,
  );
  charge.recordException(new TypeError('card declined'));
  charge.setStatus({ code: SpanStatusCode.ERROR, message: 'declined' });
  logging.getLogger('e2e').emit({
    severityNumber: SeverityNumber.ERROR,
    severityText: 'ERROR',
    eventName: 'payment.declined',
    body: 'Payment of order 4711 declined',
    attributes: { 'order.id': 4711 },
    context: trace.setSpan(ROOT_CONTEXT, charge),
  });
  charge.end();
  tracer.startSpan('reserve stock', { kind: SpanKind.INTERNAL }, context).end();
  checkout.end();
  metering.getMeter('e2e').createCounter('orders').add(1);
  await Promise.all([tracing.shutdown(), logging.shutdown(), metering.shutdown()]);
  return checkout.spanContext().traceId;
}
