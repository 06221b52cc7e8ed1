import assert from 'node:assert/strict';
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
import { Metadata } from '@grpc/grpc-js';
import { ApiClient } from '../support/api-client.js';
import { ServiceProcess, until } from '../support/service.js';

interface Exporters {
  readonly traces: SpanExporter;
  readonly logs: LogRecordExporter;
  readonly metrics: PushMetricExporter;
}

type Protocol = 'grpc' | 'http/protobuf' | 'http/json';

function exporters(protocol: Protocol, address: string, apiKey: string, gzip: boolean): Exporters {
  const compression = gzip ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE;
  if (protocol === 'grpc') {
    const metadata = new Metadata();
    metadata.set('api-key', apiKey);
    const options = { url: address, metadata, compression };
    return { traces: new GrpcTraces(options), logs: new GrpcLogs(options), metrics: new GrpcMetrics(options) };
  }
  const options = (signal: string) => ({ url: `${address}/v1/${signal}`, headers: { 'api-key': apiKey }, compression });
  return protocol === 'http/json'
    ? { traces: new JsonTraces(options('traces')), logs: new JsonLogs(options('logs')), metrics: new JsonMetrics(options('metrics')) }
    : { traces: new ProtobufTraces(options('traces')), logs: new ProtobufLogs(options('logs')), metrics: new ProtobufMetrics(options('metrics')) };
}

/** A checkout that fails while it charges a card: three spans in two layers, a log record in one of them, a counter. */
async function failingCheckout(serviceName: string, { traces, logs, metrics }: Exporters): Promise<string> {
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.version': '1.4.2' });
  const tracing = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(traces)] });
  const logging = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter: logs })] });
  const metering = new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 })] });
  const tracer = tracing.getTracer('e2e');
  const checkout = tracer.startSpan('POST /checkout', { kind: SpanKind.SERVER, attributes: { 'customer.tier': 'gold', 'cart.items': 3 } });
  const context = trace.setSpan(ROOT_CONTEXT, checkout);
  const charge = tracer.startSpan('charge card', { kind: SpanKind.CLIENT, startTime: new Date(Date.now() - 250) }, context);
  charge.recordException(new TypeError('card declined'));
  charge.setStatus({ code: SpanStatusCode.ERROR, message: 'declined' });
  logging.getLogger('e2e').emit({ severityNumber: SeverityNumber.ERROR, body: 'Payment of order 4711 declined', attributes: { 'order.id': 4711 }, context: trace.setSpan(ROOT_CONTEXT, charge) });
  charge.end();
  tracer.startSpan('reserve stock', { kind: SpanKind.INTERNAL }, context).end();
  checkout.end();
  metering.getMeter('e2e').createCounter('orders').add(1);
  await Promise.all([tracing.shutdown(), logging.shutdown(), metering.shutdown()]);
  return checkout.spanContext().traceId;
}

describe('an application with the OpenTelemetry SDK', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let api: ApiClient;
  let grid: string;
  let apiKey: string;

  before(async () => {
    service = await ServiceProcess.start();
    ({ gridId: grid, apiKey } = await service.bootstrap());
    api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
  });
  after(() => service.dispose());

  const range = () => ({ rangeStart: new Date(Date.now() - 60_000).toISOString(), rangeEnd: new Date(Date.now() + 60_000).toISOString() });
  const search = (filter: object) => api.post<{ items: { traceId: string }[]; totalCount: number }>(`/apm/traces/${grid}`, { ...range(), ...filter });

  for (const protocol of ['grpc', 'http/protobuf', 'http/json'] as const) {
    for (const gzip of [false, true]) {
      for (const port of ['grpc port', 'http port'] as const) {
        it(`is found within a second: ${protocol}, ${gzip ? 'gzip' : 'plain'}, ${port}`, async () => {
          const serviceName = `shop-${protocol}-${gzip}-${port}`.replace(/\W/g, '-');
          const address = port === 'grpc port' ? service.otlpGrpcUrl : service.otlpHttpUrl;
          const traceId = await failingCheckout(serviceName, exporters(protocol, address, apiKey, gzip));
          await until(async () => (await search({ serviceName })).body.totalCount === 1, 'the trace is found by its service', 1000);
          for (const filter of [
            { serviceName, operationName: 'charge card' },
            { serviceName, status: 'ERROR' },
            { serviceName, minDuration: 200 },
            { serviceName, tags: { 'customer.tier': 'gold', 'cart.items': 3 } },
            { serviceName, tags: { 'service.version': '1.4.2' } },
          ]) {
            assert.deepEqual((await search(filter)).body.items.map((item) => item.traceId), [traceId], JSON.stringify(filter));
          }
          assert.equal((await search({ serviceName, status: 'ERROR', operationName: 'POST /checkout' })).body.totalCount, 0);
          const trace = `/apm/traces/${grid}/correlations/${traceId}`;
          const { body: spans } = await api.get<{ spans: { operationName: string }[] }>(`${trace}/spans`);
          assert.deepEqual(spans.spans.map((span) => span.operationName).sort(), ['POST /checkout', 'charge card', 'reserve stock']);
          await until(async () => (await api.get<{ logs: unknown[] }>(`${trace}/logs`)).body.logs.length === 1, 'its log is correlated', 1000);
          const { body: errors } = await api.get<{ errors: { exceptionType: string; message: string }[] }>(`${trace}/errors`);
          assert.deepEqual(errors.errors.map((error) => [error.exceptionType, error.message]), [['TypeError', 'card declined']]);
          const { body: logs } = await api.post<{ items: { traceId: string }[]; totalCount: number }>(`/apm/logs/${grid}`, { ...range(), serviceName, body: 'DECLINED pay*', severityLevel: 'Error' });
          assert.deepEqual([logs.totalCount, logs.items[0].traceId], [1, traceId]);
        });
      }
    }
  }

  it('is counted once: every record was accepted, none refused', async () => {
    const metrics = await (await fetch(`${service.apiUrl}/metrics`)).text();
    const sum = (name: string) => [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'gm'))].reduce((total, [, value]) => total + Number(value), 0);
    assert.equal(sum('hindsight_records_accepted_total'), 12 * (3 + 1 + 1));
    assert.equal(sum('hindsight_records_rejected_total'), 0);
    assert.ok(!metrics.includes(grid), 'no Grid is named in the metrics');
  });
});
