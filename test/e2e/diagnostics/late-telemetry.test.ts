import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { KIND, logsOf, spanId, spansOf, traceId } from '../../support/otlp-requests.js';
import { PastMinutes } from '../../support/past-requests.js';
import { saturatedPoolRequest } from '../../support/saturated-pool.js';

const NAMES = ['health', 'trends', 'services', 'service/shop', 'slowest-endpoints', 'changes', 'timeline', 'pressure'];

describe('late, early, repeated and out-of-order telemetry', function () {
  this.timeout(60_000);
  let box: BlackBox;
  let past: PastMinutes;

  before(async () => {
    box = await BlackBox.start();
    past = new PastMinutes();
  });
  after(() => box.dispose());

  async function ask<T = Record<string, unknown>>(path: string): Promise<T> {
    const { status, body } = await box.api.get<T>(`/apm/diagnostics/${box.gridId}/${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  const window = (from: number, to: number): string => `rangeStart=${past.iso(from)}&rangeEnd=${past.iso(to)}`;

  async function figures(service: string, query: string): Promise<unknown> {
    const { services } = await ask<{ services: { serviceName: string; requestCount: number; avgLatencyMs: number }[] }>(
      `health?${query}`,
    );
    const found = services.find(({ serviceName }) => serviceName === service);
    return found && [found.requestCount, found.avgLatencyMs];
  }

  it('counts at its own time: telemetry an hour late changes the past, not the present', async () => {
    await box.record('traces', past.requests('shop', 5, { count: 30 }), past.requests('shop', 70, { count: 10 }));
    assert.deepEqual(
      [
        await figures('shop', window(15, 0)),
        await figures('shop', window(75, 60)),
        await figures('shop', `asOf=${past.iso(60)}`),
      ],
      [
        [30, 20],
        [10, 20],
        [10, 20],
      ],
    );
    await box.record('traces', past.requests('shop', 70, { count: 30, ms: 40 }));
    assert.deepEqual(
      [
        await figures('shop', window(15, 0)),
        await figures('shop', window(75, 60)),
        await figures('shop', `asOf=${past.iso(60)}`),
      ],
      [
        [30, 20],
        [40, 35],
        [40, 35],
      ],
    );
    const compared = await ask<{ baseline: { avgLatencyMs: number; throughputRps: number } }>(
      `compare?currentStart=${past.iso(15)}&currentEnd=${past.iso(0)}&baselineStart=${past.iso(75)}&baselineEnd=${past.iso(60)}`,
    );
    assert.deepEqual([compared.baseline.avgLatencyMs, compared.baseline.throughputRps], [35, 0.04]);
  });

  it('counts up to ten minutes ahead when its minute comes; further ahead or older than retention it is rejected', async () => {
    await box.record('traces', past.requests('early', 5, { count: 3 }), past.requests('early', -5, { count: 4 }));
    assert.deepEqual(await figures('early', `asOf=${past.iso(0)}`), [3, 20]);
    for (const [ago, reason] of [
      [-12, 'too far in the future'],
      [7 * 1440 + 5, 'older than retention'],
    ] as const) {
      const { status, bytes } = await box.send('traces', past.requests('refused', ago, { count: 2 }));
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()), {
        partialSuccess: { rejectedSpans: '2', errorMessage: `2 spans rejected: 2 ${reason}` },
      });
    }
    assert.equal((await box.api.get(`/apm/diagnostics/${box.gridId}/service/refused`)).status, 404);
  });

  it('counts once in every diagnostic if exported repeatedly', async () => {
    const spans = [past.requests('shop', 4, { count: 25 }), past.requests('shop', 30, { count: 25 })];
    const logs = logsOf('shop', {
      time: BigInt(past.at(4)) * 1_000_000n,
      severityNumber: 17,
      attributes: [
        ['exception.type', 'Boom'],
        ['exception.message', ''],
      ],
    });
    const metrics = saturatedPoolRequest('shop', past.at(2));
    await box.record('traces', ...spans);
    await box.record('logs', logs);
    await box.record('metrics', metrics);
    // Two past windows, whose results do not depend on the time of the query.
    const answers = async (): Promise<unknown[]> =>
      Promise.all(
        [...NAMES, ...NAMES].map((name, i) => ask(`${name}?${i < NAMES.length ? window(15, 0) : window(90, 20)}`)),
      );
    const before = await answers();
    for (const request of spans) assert.equal((await box.send('traces', request)).status, 200);
    assert.equal((await box.send('traces', merged(spans))).status, 200, 'the same spans in another request');
    assert.equal((await box.send('logs', logs)).status, 200);
    assert.equal((await box.send('metrics', metrics)).status, 200);
    await box.record('traces', past.requests('marker', 4, { count: 1 }));
    assert.deepEqual(await figures('marker', window(15, 0)), [1, 20]);
    assert.deepEqual(await figures('shop', window(15, 0)), [55, 20]);
    const withoutMarker = JSON.parse(
      JSON.stringify(await answers(), (_, value: unknown) =>
        Array.isArray(value) ? value.filter((item) => !isOfMarker(item)) : value,
      ),
    ) as unknown[];
    for (const [i, name] of [...NAMES, ...NAMES].entries())
      if (!/trends|slowest/.test(name)) assert.deepEqual(withoutMarker[i], before[i], name);
  });

  it('links client and server spans in either order and minutes apart', async () => {
    const at = (ms: number): bigint => BigInt(past.at(6) + ms) * 1_000_000n;
    const call = {
      traceId: traceId(9_001),
      spanId: spanId(9_001),
      parentSpanId: spanId(9_000),
      name: 'call',
      kind: KIND.client,
      start: at(0),
      end: at(50),
      attributes: [['peer.service', 'somewhere']] as const,
    };
    const answer = {
      traceId: traceId(9_001),
      spanId: spanId(9_002),
      parentSpanId: spanId(9_001),
      name: 'GET /',
      kind: KIND.server,
      start: at(10),
      end: at(40),
    };
    const edges = async (source: string): Promise<unknown[]> =>
      (
        await ask<{ edges: { source: string; target: string; requestCount: number; avgLatencyMs: number }[] }>(
          `services?${window(15, 0)}`,
        )
      ).edges
        .filter((edge) => edge.source === source)
        .map(({ target, requestCount, avgLatencyMs }) => [target, requestCount, avgLatencyMs]);
    await box.record('traces', spansOf('caller', call));
    assert.deepEqual(await edges('caller'), [['somewhere', 1, 50]]);
    await box.record('traces', spansOf('callee', answer));
    assert.deepEqual(await edges('caller'), [['callee', 1, 50]]);
    const other = { traceId: traceId(9_003) };
    await box.record('traces', spansOf('callee', { ...answer, ...other }), spansOf('reversed', { ...call, ...other }));
    assert.deepEqual(await edges('reversed'), [['callee', 1, 50]]);
  });
});

/** Merges several requests into one. */
function merged(requests: readonly object[]): object {
  return { resourceSpans: requests.flatMap((request) => (request as { resourceSpans: object[] }).resourceSpans) };
}

function isOfMarker(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Object.values(item).includes('marker');
}
