import { credentials, Metadata } from '@grpc/grpc-js';
import { SpanKind } from '@opentelemetry/api';
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
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
  type LogRecordExporter,
  type ReadableLogRecord,
} from '@opentelemetry/sdk-logs';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { API_KEY } from './fake-access.js';

/** What an exporter tells its SDK: 0 for a success, 1 for data that is lost. */
export type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];
export const EXPORTED: ExportResult['code'] = 0;
export const LOST: ExportResult['code'] = 1;

export type SdkProtocol = 'grpc' | 'http/protobuf' | 'http/json';

export interface SdkExporters {
  readonly traces: SpanExporter;
  readonly logs: LogRecordExporter;
  readonly metrics: PushMetricExporter;
}

/** The unmodified exporters of the OpenTelemetry SDK; with `ca`, over TLS to a server whose certificate that is. */
export function sdkExporters(protocol: SdkProtocol, port: number, gzip: boolean, ca?: string): SdkExporters {
  const scheme = ca === undefined ? 'http' : 'https';
  const common = { compression: gzip ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE, timeoutMillis: 8_000 };
  if (protocol === 'grpc') {
    const metadata = new Metadata();
    metadata.set('api-key', API_KEY);
    const options = {
      ...common,
      url: `${scheme}://127.0.0.1:${port}`,
      metadata,
      ...(ca !== undefined && { credentials: credentials.createSsl(Buffer.from(ca)) }),
    };
    return { traces: new GrpcTraces(options), logs: new GrpcLogs(options), metrics: new GrpcMetrics(options) };
  }
  const options = (signal: string) => ({
    ...common,
    url: `${scheme}://127.0.0.1:${port}/v1/${signal}`,
    headers: { 'api-key': API_KEY },
    ...(ca !== undefined && { httpAgentOptions: { ca } }),
  });
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

/** What an application has recorded: two spans, a log record, two data points. */
export interface Recorded {
  readonly spans: ReadableSpan[];
  readonly logs: ReadableLogRecord[];
  readonly metrics: ResourceMetrics;
}

export async function record(): Promise<Recorded> {
  const resource = resourceFromAttributes({ 'service.name': 'checkout' });
  const spans = new InMemorySpanExporter();
  const tracer = new NodeTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(spans)] }).getTracer(
    'test',
  );
  tracer.startSpan('POST /orders', { kind: SpanKind.SERVER, attributes: { 'http.route': '/orders' } }).end();
  tracer.startSpan('charge', { kind: SpanKind.CLIENT }).end();
  const logs = new InMemoryLogRecordExporter();
  new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter: logs })] })
    .getLogger('test')
    .emit({ severityNumber: SeverityNumber.WARN, body: { text: 'card declined', tries: [1, 2] } });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter('test');
  meter.createCounter('orders').add(1);
  meter.createHistogram('latency').record(12);
  await reader.forceFlush();
  return { spans: spans.getFinishedSpans(), logs: logs.getFinishedLogRecords(), metrics: metrics.getMetrics()[0] };
}

/** Exports all three and tells whether the SDK calls it a success. */
export async function exportAll(exporters: SdkExporters, recorded: Recorded): Promise<boolean> {
  const results = await Promise.all([
    exported((done) => exporters.traces.export(recorded.spans, done)),
    exported((done) => exporters.logs.export(recorded.logs, done)),
    exported((done) => exporters.metrics.export(recorded.metrics, done)),
  ]);
  await Promise.all(Object.values(exporters).map((exporter) => exporter.shutdown()));
  return results.every(({ code }) => code === EXPORTED);
}

export function exported(run: (done: (result: ExportResult) => void) => void): Promise<ExportResult> {
  return new Promise(run);
}
