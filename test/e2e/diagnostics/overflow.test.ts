import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { KIND, spanId, spansOf, traceId } from '../../support/otlp-requests.js';
import { waitUntil } from '../../support/wait-until.js';

const OPERATIONS = 2_000;
const SERVICES = 1_000;
const BEYOND = 25;

describe('more names than the rollup limits', function () {
  this.timeout(120_000);
  let box: BlackBox;
  let endMs: number;
  let spans = 0;

  before(async () => {
    box = await BlackBox.start();
    endMs = Date.now() - 3 * 60_000;
  });
  after(() => box.dispose());

  const spanOf = (name: string, ms = 10): Parameters<typeof spansOf>[1] => ({
    traceId: traceId(++spans),
    spanId: spanId(spans),
    name,
    kind: KIND.server,
    start: BigInt(endMs - ms) * 1_000_000n,
    end: BigInt(endMs) * 1_000_000n,
  });

  async function ask<T>(path: string): Promise<T> {
    const { status, body } = await box.api.get<T>(`/apm/diagnostics/${box.gridId}/${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  async function overflows(): Promise<string[]> {
    const { events } = await ask<{ events: { type: string; serviceName: string; description: string }[] }>(
      `timeline?rangeStart=${new Date(endMs - 60_000).toISOString()}&rangeEnd=${new Date().toISOString()}`,
    );
    return events
      .filter(({ type }) => type === 'overflow')
      .map(({ serviceName, description }) => `${serviceName}: ${description}`);
  }

  interface Detail {
    readonly requestCount: number;
    readonly endpoints: { operation: string; requestCount: number; avgLatencyMs: number }[];
  }

  it('counts operations beyond the limit exactly, as one group, and reports it', async () => {
    const names = Array.from({ length: OPERATIONS }, (_, i) => `GET /${i}`);
    await box.record('traces', spansOf('wide', ...names.map((name) => spanOf(name))));
    assert.deepEqual(await overflows(), []);
    const beyond = Array.from({ length: BEYOND }, (_, i) => spanOf(`GET /beyond/${i}`, i + 1));
    await box.record('traces', spansOf('wide', ...beyond, spanOf('GET /0'), spanOf('GET /beyond/0', 1)));
    const { requestCount, endpoints } = await ask<Detail>(`service/wide`);
    const known = new Map(endpoints.map((endpoint) => [endpoint.operation, endpoint]));
    assert.deepEqual([requestCount, endpoints.length], [OPERATIONS + BEYOND + 2, OPERATIONS + 1]);
    assert.deepEqual(
      [known.get('GET /0')?.requestCount, known.get('GET /1')?.requestCount, known.get('__other__')?.requestCount],
      [2, 1, BEYOND + 1],
    );
    assert.equal(
      known.get('__other__')?.avgLatencyMs,
      Math.round((100 * ((BEYOND * (BEYOND + 1)) / 2 + 1)) / (BEYOND + 1)) / 100,
    );
    assert.deepEqual(await overflows(), [
      'wide: Operations of wide beyond the limits (2,000 names of up to 1,024 characters) are counted under __other__',
    ]);
    const range = { rangeStart: new Date(endMs - 60_000).toISOString(), rangeEnd: new Date().toISOString() };
    assert.equal(
      (await box.traces({ ...range, operationName: 'GET /beyond/7' })).body.totalCount,
      1,
      'spans stay findable',
    );
  });

  it('counts services beyond the limit exactly, as one group, and reports it', async () => {
    const services = Array.from({ length: SERVICES + BEYOND }, (_, i) => `service ${i}`);
    const request = { resourceSpans: services.flatMap((service) => spansOf(service, spanOf('GET /')).resourceSpans) };
    await box.record('traces', request);
    let listed: readonly { readonly serviceName: string; readonly requestCount: number }[] = [];
    // A live result may be half a second old.
    await waitUntil(async () => {
      ({ services: listed } = await ask<{ services: typeof listed }>('health'));
      return listed.length > 1;
    }, 'the new services show');
    assert.equal(listed.length, SERVICES + 1);
    assert.equal(listed.find(({ serviceName }) => serviceName === '__other__')?.requestCount, BEYOND + 1);
    assert.equal(
      listed.reduce((sum, { requestCount }) => sum + requestCount, 0),
      OPERATIONS + BEYOND + 2 + SERVICES + BEYOND,
    );
    assert.deepEqual(
      (await overflows()).filter((text) => text.includes('Services')),
      ['__other__: Services beyond the limits (1,000 names of up to 1,024 characters) are counted under __other__'],
    );
  });
});
