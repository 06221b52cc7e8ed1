import assert from 'node:assert/strict';
import { ApiClient } from '../support/api-client.js';
import { exporters, emitFailedCheckout, LINKED_SPAN } from '../support/opentelemetry-application.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { elapsedMs } from '../support/measurement.js';

interface ListedSpan {
  readonly operationName: string;
  readonly spanId: string;
  readonly durationNs: number;
  readonly startTimeUnixNano: string;
}

describe('an application with the OpenTelemetry SDK', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let api: ApiClient;
  let grid: string;
  let apiKey: string;
  /** Time (ms) until each trace and each log record was found. */
  const found: number[] = [];

  before(async () => {
    service = await ServiceProcess.start();
    ({ gridId: grid, apiKey } = await service.bootstrap());
    api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
  });
  after(() => service.dispose());

  const range = () => ({
    rangeStart: new Date(Date.now() - 60_000).toISOString(),
    rangeEnd: new Date(Date.now() + 60_000).toISOString(),
  });
  const search = (filter: object) =>
    api.post<{ items: { traceId: string }[]; totalCount: number }>(`/apm/traces/${grid}`, { ...range(), ...filter });

  /** Everything that the SDK sent of the span, whatever the encoding. */
  const assertChargeAsSent = async ({ spanId, durationNs, startTimeUnixNano }: ListedSpan): Promise<void> => {
    const { body } = await api.get<Record<string, unknown>>(`/apm/traces/${grid}/details/${spanId}`);
    assert.deepEqual(
      [body['statusCode'], body['statusMessage'], body['scope'], body['traceState']],
      ['ERROR', 'declined', { name: 'e2e', version: '1.0.3', attributes: {} }, ''],
    );
    assert.deepEqual([body['durationNs'], body['startTimeUnixNano']], [durationNs, startTimeUnixNano]);
    assert.ok(
      durationNs >= 250e6 && BigInt(startTimeUnixNano) + BigInt(durationNs) === BigInt(String(body['endTimeUnixNano'])),
    );
    const { traceId, spanId: linked } = LINKED_SPAN;
    const [link, ...others] = body['links'] as Record<string, unknown>[];
    assert.deepEqual(
      [link['traceId'], link['spanId'], link['attributes'], others],
      [traceId, linked, { reason: 'retry' }, []],
    );
    assert.equal(Number(link['flags']) & 1, 1, 'sampled');
    assert.equal(Number(body['flags']) & 1, 1, 'sampled');
  };
  const assertLogAsSent = async (id: string): Promise<void> => {
    const { body } = await api.get<Record<string, unknown>>(`/apm/logs/${grid}/details/${id}`);
    assert.deepEqual([body['eventName'], body['severityText'], body['flags']], ['payment.declined', 'ERROR', 1]);
    assert.ok(Math.abs(Date.parse(String(body['observedTime'])) - Date.now()) < 60_000);
    assert.equal((body['scope'] as { name: string }).name, 'e2e');
  };

  for (const protocol of ['grpc', 'http/protobuf', 'http/json'] as const) {
    for (const gzip of [false, true]) {
      for (const port of ['grpc port', 'http port'] as const) {
        it(`is found: ${protocol}, ${gzip ? 'gzip' : 'plain'}, ${port}`, async () => {
          const serviceName = `shop-${protocol}-${gzip}-${port}`.replace(/\W/g, '-');
          const address = port === 'grpc port' ? service.otlpGrpcUrl : service.otlpHttpUrl;
          const traceId = await emitFailedCheckout(serviceName, exporters(protocol, address, apiKey, gzip));
          found.push(
            await elapsedMs(() =>
              waitUntil(
                async () => (await search({ serviceName })).body.totalCount === 1,
                'the trace is found by its service',
              ),
            ),
          );
          for (const filter of [
            { serviceName, operationName: 'charge card' },
            { serviceName, status: 'ERROR' },
            { serviceName, minDuration: 200 },
            { serviceName, tags: { 'customer.tier': 'gold', 'cart.items': 3 } },
            { serviceName, tags: { 'service.version': '1.4.2' } },
          ]) {
            assert.deepEqual(
              (await search(filter)).body.items.map((item) => item.traceId),
              [traceId],
              JSON.stringify(filter),
            );
          }
          assert.equal(
            (await search({ serviceName, status: 'ERROR', operationName: 'POST /checkout' })).body.totalCount,
            0,
          );
          const trace = `/apm/traces/${grid}/correlations/${traceId}`;
          const { body: spans } = await api.get<{ spans: ListedSpan[] }>(`${trace}/spans`);
          assert.deepEqual(spans.spans.map((span) => span.operationName).sort(), [
            'POST /checkout',
            'charge card',
            'reserve stock',
          ]);
          found.push(
            await elapsedMs(() =>
              waitUntil(
                async () => (await api.get<{ logs: unknown[] }>(`${trace}/logs`)).body.logs.length === 1,
                'its log is correlated',
              ),
            ),
          );
          const { body: errors } = await api.get<{ errors: { exceptionType: string; message: string }[] }>(
            `${trace}/errors`,
          );
          assert.deepEqual(
            errors.errors.map((error) => [error.exceptionType, error.message]),
            [['TypeError', 'card declined']],
          );
          await assertChargeAsSent(spans.spans.find((span) => span.operationName === 'charge card')!);
          const { body: logs } = await api.post<{ items: { id: string; traceId: string }[]; totalCount: number }>(
            `/apm/logs/${grid}`,
            { ...range(), serviceName, body: 'DECLINED pay*', severityLevel: 'Error' },
          );
          assert.deepEqual([logs.totalCount, logs.items[0].traceId], [1, traceId]);
          await assertLogAsSent(logs.items[0].id);
        });
      }
    }
  }

  it('is found within a second', () => {
    // One outlier is accepted, since the machine may stall.
    const late = found.filter((ms) => ms >= 1_000);
    assert.ok(found.length > 0 && late.length <= 1, late.join());
  });

  it('is counted once: every record was accepted, none rejected', async () => {
    const metrics = await (await fetch(`${service.apiUrl}/metrics`)).text();
    const sum = (name: string) =>
      [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'gm'))].reduce(
        (total, [, value]) => total + Number(value),
        0,
      );
    assert.equal(sum('hindsight_records_accepted_total'), 12 * (3 + 1 + 1));
    assert.equal(sum('hindsight_records_rejected_total'), 0);
    assert.ok(!metrics.includes(grid), 'no Grid is named in the metrics');
  });
});
