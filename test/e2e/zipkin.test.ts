import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ZipkinExporter } from '@opentelemetry/exporter-zipkin';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { BlackBox } from '../support/black-box.js';

describe('reporters of Zipkin', function () {
  this.timeout(60_000);
  let box: BlackBox;
  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  const report = (spans: object[], headers: Readonly<Record<string, string>> = {}): Promise<number> =>
    fetch(`${box.service.otlpHttpUrl}/api/v2/spans`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': box.apiKey, ...headers },
      body: headers['content-encoding'] === 'gzip' ? gzipSync(JSON.stringify(spans)) : JSON.stringify(spans),
    }).then(({ status }) => status);
  const readSpan = async (spanId: string): Promise<Record<string, unknown>> =>
    (await box.api.get<Record<string, unknown>>(`/apm/traces/${box.gridId}/details/${spanId}`)).body;
  const readTrace = async (traceId: string) =>
    (
      await box.api.get<{ spans: { spanId: string; parentSpanId: string | null; serviceName: string }[] }>(
        `/apm/traces/${box.gridId}/correlations/${traceId}/spans`,
      )
    ).body.spans;

  it('of the OpenTelemetry SDK are found with everything that they send', async () => {
    const exporter = new ZipkinExporter({
      url: `${box.service.otlpHttpUrl}/api/v2/spans`,
      headers: { 'api-key': box.apiKey },
    });
    const tracing = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'till' }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    const span = tracing.getTracer('e2e').startSpan('pay', { kind: SpanKind.CLIENT, attributes: { tier: 'gold' } });
    span.addEvent('retry').setStatus({ code: SpanStatusCode.ERROR, message: 'declined' }).end();
    await tracing.shutdown();
    trace.disable();
    await box.settled();
    const found = await readSpan(span.spanContext().spanId);
    assert.deepEqual(
      [found['serviceName'], found['operationName'], found['spanKind'], found['status'], found['statusMessage']],
      ['till', 'pay', 'CLIENT', 'ERROR', 'declined'],
    );
    assert.equal((found['attributes'] as Record<string, string>)['tier'], 'gold');
  });

  it('have client and server of a shared span apart, each counted once however often it is sent', async () => {
    const shared = {
      traceId: '5982fe77008310cc80f1da5e10147519',
      id: '67fae42571535f60',
      timestamp: Date.now() * 1000,
      duration: 1_500,
      name: 'get',
    };
    const spans = [
      { ...shared, kind: 'CLIENT', localEndpoint: { serviceName: 'web' } },
      { ...shared, kind: 'SERVER', shared: true, localEndpoint: { serviceName: 'api' }, duration: 1_000 },
    ];
    assert.equal(await report(spans), 202);
    assert.equal(await report(spans.toReversed(), { 'content-encoding': 'gzip' }), 202);
    await box.settled();
    const found = await readTrace(shared.traceId);
    assert.deepEqual(found.map(({ serviceName, parentSpanId }) => [serviceName, parentSpanId]).sort(), [
      ['api', shared.id],
      ['web', null],
    ]);
  });

  it('get 202 although spans are invalid, which are counted as rejected', async () => {
    const rejected = async (): Promise<number> =>
      (await box.counters()).sum('records_rejected_total', 'signal="traces"');
    const before = await rejected();
    assert.equal(await report([{ traceId: 'no id', id: '67fae42571535f60', timestamp: Date.now() * 1000 }]), 202);
    assert.equal(await report([{ traceId: 'a'.repeat(32), id: 'b'.repeat(16) }]), 202);
    assert.equal((await rejected()) - before, 2);
  });
});
