import assert from 'node:assert/strict';
import { injectFault, removeFault, FAULTS } from '../../../demo/faults.js';
import { Shop } from '../../../demo/shop/shop.js';
import { ApiClient } from '../../support/api-client.js';
import { ServiceProcess } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

const SERVICES = ['cart', 'checkout', 'frontend', 'inventory', 'payment', 'shipping'];

interface Span {
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly serviceName: string;
  readonly spanKind: string;
  readonly operationName: string;
}

describe('shop of the demo', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let api: ApiClient;
  let grid: string;
  let shop: Shop;
  let running: Promise<void>;

  before(async () => {
    service = await ServiceProcess.start();
    const { gridId, apiKey } = await service.bootstrap();
    grid = gridId;
    api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
    shop = new Shop({ otlpUrl: service.otlpHttpUrl, apiKey }, 1);
    running = shop.run();
  });
  after(async () => {
    await shop.close();
    await running;
    await service.dispose();
  });

  const search = async (filter: object) => {
    const range = {
      rangeStart: new Date(Date.now() - 3_600_000).toISOString(),
      rangeEnd: new Date(Date.now() + 60_000).toISOString(),
    };
    return (
      await api.post<{ items: { traceId: string; spanId: string }[]; totalCount: number }>(`/apm/traces/${grid}`, {
        ...range,
        ...filter,
      })
    ).body;
  };

  it('sends traces that connect six services', async () => {
    await waitUntil(
      async () => (await search({ serviceName: 'shipping', operationName: 'process orders' })).totalCount > 2,
      'orders have reached shipping',
    );
    const { items } = await search({ serviceName: 'shipping', operationName: 'process orders' });
    const spansOf = async () =>
      (await api.get<{ spans: Span[] }>(`/apm/traces/${grid}/correlations/${items.at(-1)?.traceId}/spans`)).body.spans;
    await waitUntil(async () => (await spansOf()).length === 18, 'all spans of an order');
    const spans = await spansOf();
    const ids = new Set(spans.map(({ spanId }) => spanId));
    assert.deepEqual([...new Set(spans.map(({ serviceName }) => serviceName))].sort(), SERVICES);
    assert.deepEqual([...new Set(spans.map(({ spanKind }) => spanKind))].sort(), [
      'CLIENT',
      'CONSUMER',
      'PRODUCER',
      'SERVER',
    ]);
    assert.deepEqual(
      spans
        .filter(({ parentSpanId }) => parentSpanId === null || !ids.has(parentSpanId))
        .map(({ operationName }) => operationName),
      ['POST /checkout'],
    );
  });

  it('sends logs with trace context', async () => {
    const { items } = await search({ serviceName: 'shipping', operationName: 'process orders' });
    const { body } = await api.get<{ logs: { serviceName: string; spanId: string }[] }>(
      `/apm/traces/${grid}/correlations/${items.at(-1)?.traceId}/logs`,
    );
    assert.ok(body.logs.length >= 4 && body.logs.every(({ spanId }) => spanId !== ''));
  });

  it('fails during the error burst, and recovers', async () => {
    const burst = FAULTS.find(({ name }) => name === 'error-burst')!;
    injectFault(burst, shop);
    await waitUntil(
      async () => (await search({ serviceName: 'payment', status: 'ERROR' })).totalCount > 0,
      'charges fail',
    );
    removeFault(burst, shop);
    const { items } = await search({ serviceName: 'payment', status: 'ERROR' });
    const { body } = await api.get<{ errors: { serviceName: string; exceptionType: string }[] }>(
      `/apm/traces/${grid}/correlations/${items[0]?.traceId}/errors`,
    );
    assert.deepEqual(
      body.errors.map(({ serviceName, exceptionType }) => [serviceName, exceptionType]),
      [['payment', 'KeyRejectedError']],
    );
  });

  it('deploys another version as new instances', async () => {
    shop.deploy('cart', '9.9.9');
    await waitUntil(
      async () =>
        (
          await search({
            serviceName: 'cart',
            tags: { 'service.version': '9.9.9', 'service.instance.id': 'cart-9.9.9-2' },
          })
        ).totalCount > 0,
      'the new version serves',
    );
  });
});
