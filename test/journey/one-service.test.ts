import assert from 'node:assert/strict';
import type { ApiClient } from '../support/api-client.js';
import { BlackBox } from '../support/black-box.js';
import { exporters, emitFailedCheckout } from '../support/opentelemetry-application.js';
import { runCli } from '../support/run-cli.js';
import { waitUntil } from '../support/wait-until.js';
import { signIn } from '../support/sign-in.js';

const SERVICE = 'checkout';
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

interface Named {
  readonly id: string;
}

/** One telemetry request through every layer of one service, from the view of an application, an engineer and an operator. */
describe('one service, from the first span to a restart', function () {
  let box: BlackBox;
  let owner: ApiClient;
  let traceId: string;

  before(async () => {
    box = await BlackBox.start();
    owner = await signIn(box.service.apiUrl, 'owner');
    traceId = await emitFailedCheckout(SERVICE, exporters('grpc', box.service.otlpGrpcUrl, box.apiKey, true));
    await box.settled();
  });
  after(() => box.dispose());

  const range = () => ({
    rangeStart: new Date(Date.now() - 3_600_000).toISOString(),
    rangeEnd: new Date(Date.now() + 60_000).toISOString(),
  });

  async function get<T>(path: string): Promise<T> {
    const { status, body } = await box.api.get<T>(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  it('finds the trace, its spans, their log record and the error', async () => {
    const found = await box.traces<{ traceId: string }>({ ...range(), serviceName: SERVICE, status: 'ERROR' });
    assert.deepEqual(
      found.body.items.map((item) => item.traceId),
      [traceId],
    );
    const trace = `/apm/traces/${box.gridId}/correlations/${traceId}`;
    assert.equal((await get<{ spans: object[] }>(`${trace}/spans`)).spans.length, 3);
    assert.equal((await get<{ logs: object[] }>(`${trace}/logs`)).logs.length, 1);
    const logs = await box.logs({ ...range(), traceId });
    assert.equal(logs.body.totalCount, 1);
  });

  it('counts it in health, service map and service detail, but not in results about earlier times', async () => {
    const diagnostic = (suffix: string) => get<never>(`/apm/diagnostics/${box.gridId}/${suffix}`);
    const services = async (suffix: string): Promise<[string, number][]> =>
      ((await diagnostic(suffix)) as { services: { serviceName: string; requestCount: number }[] }).services.map(
        ({ serviceName, requestCount }) => [serviceName, requestCount],
      );
    await waitUntil(async () => (await services('health')).length === 1, 'health counts the request');
    assert.deepEqual(await services('health'), [[SERVICE, 1]]);
    assert.deepEqual(await services(`health?asOf=${new Date(Date.now() - 3_600_000).toISOString()}`), []);
    const map = (await diagnostic('services')) as { services: { name: string }[] };
    assert.ok(map.services.some(({ name }) => name === SERVICE));
    const detail = (await diagnostic(`service/${SERVICE}`)) as { endpoints: { operation: string }[] };
    assert.deepEqual(
      detail.endpoints.map(({ operation }) => operation),
      ['POST /checkout'],
    );
  });

  it('draws a chart and shows a dashboard', async () => {
    const { charts } = await get<{ charts: Named[] }>(`/apm/charts/${box.gridId}/charts`);
    const chart = `/apm/charts/${box.gridId}/charts/${charts[0].id}`;
    const picture = await box.api.bytes('GET', `${chart}/render?width=400&height=200`);
    assert.deepEqual([picture.status, Buffer.from(picture.body.subarray(0, 8))], [200, PNG]);
    assert.equal((await get<{ chartId: string }>(`${chart}/range-data`)).chartId, charts[0].id);
    const { dashboards } = await get<{ dashboards: Named[] }>(`/apm/dashboards/${box.gridId}/dashboards`);
    await get(`/apm/dashboards/${box.gridId}/dashboards/${dashboards[0].id}`);
  });

  it('creates an alert rule, backtests it, and records who created it', async () => {
    const rules = `/admin/grids/${box.gridId}/alert-rules`;
    const rule = {
      name: 'Checkout fails',
      metric: 'error_rate',
      operator: '>',
      threshold: 10,
      severity: 'critical',
      minRequests: 1,
    };
    const created = await owner.post<Named>(rules, rule);
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { rangeStart, rangeEnd } = { ...range(), rangeEnd: new Date().toISOString() };
    const backtest = await owner.post<{ firings: { serviceName: string }[] }>(`${rules}/backtest`, {
      rule,
      rangeStart,
      rangeEnd,
    });
    assert.equal(backtest.status, 200, JSON.stringify(backtest.body));
    const audit = await owner.get<{ entries: { actor: string; target: string }[] }>(`/admin/grids/${box.gridId}/audit`);
    assert.equal(audit.body.entries[0].actor, 'owner');
  });

  it('answers a question in words, with its sources', async () => {
    const session = await owner.post<{ instanceSecondaryId: string }>(`/assistant/sessions/${box.gridId}`, {});
    assert.equal(session.status, 201);
    const reply = await owner.post<{ response: string; sources: object[] }>(
      `/assistant/chat/${session.body.instanceSecondaryId}`,
      { prompt: 'Which services are there?' },
    );
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.match(reply.body.response, new RegExp(SERVICE));
    assert.ok(reply.body.sources.length > 0);
  });

  it('supports operations while it runs, and serves its pages', async () => {
    const verified = await runCli(box.service.dataDir, 'verify', '--json');
    assert.equal(verified.code, 0, verified.stderr);
    assert.ok((JSON.parse(verified.stdout) as { equal: boolean }[]).every(({ equal }) => equal));
    for (const path of ['/live', '/ready', '/metrics', '/docs', '/openapi.json', '/portal/']) {
      assert.equal((await fetch(box.service.apiUrl + path)).status, 200, path);
    }
  });

  it('stops gracefully and has everything after a restart', async () => {
    assert.equal(await box.service.signal('SIGTERM'), 0);
    await box.service.start();
    assert.equal((await box.traces({ ...range(), serviceName: SERVICE })).body.totalCount, 1);
  });
});
