import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BlackBox } from '../../support/black-box.js';
import {
  METRIC_SHOP_EDGES,
  METRIC_SHOP_SERVICES,
  metricsOnlyShop,
  type ShopFault,
  type ShopStep,
} from '../../support/metrics-only-shop.js';
import { PastMinutes } from '../../support/past-requests.js';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../../bin/hindsight.js', import.meta.url));
const MINUTE_MS = 60_000;
const REQUESTS = 120;

interface Health {
  readonly overallStatus: string;
  readonly services: readonly {
    serviceName: string;
    status: string;
    requestCount: number;
    apdex: number;
    errorRate: number;
  }[];
}
interface ServiceMap {
  readonly services: readonly { name: string; type: string; requestCount: number }[];
  readonly edges: readonly { source: string; target: string; requestCount: number; avgLatencyMs: number }[];
}
interface Diagnoses {
  readonly diagnoses: readonly {
    serviceName: string | null;
    kind: string;
    severity: string;
    evidence: readonly string[];
  }[];
}

describe('a Grid that sends request metrics only', function () {
  this.timeout(180_000);
  let box: BlackBox;
  let past: PastMinutes;

  beforeEach(async () => {
    box = await BlackBox.start();
    past = new PastMinutes();
  });
  afterEach(() => box.dispose());

  const steps = (from: number, to: number, fault?: ShopFault): ShopStep[] =>
    Array.from({ length: from - to }, (_, i) => ({
      startMs: past.at(from - i),
      lengthMs: MINUTE_MS,
      requests: REQUESTS,
      fault,
    }));

  async function ask<Answer>(name: string): Promise<Answer> {
    const { status, body } = await box.api.get<Answer>(
      `/apm/diagnostics/${box.gridId}/${name}${name.includes('?') ? '&' : '?'}asOf=${past.iso(0)}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  it('has services, edges and figures, counts each request once, and says nothing of what it cannot judge', async () => {
    const memory = {
      name: 'process.memory.usage',
      unit: 'By',
      gauge: { dataPoints: [{ timeUnixNano: `${past.at(3)}000000`, asInt: '9' }] },
    };
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'frontend' } }] };
    await box.record('metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ metrics: [memory] }] }] });
    assert.deepEqual((await ask<Health>('health')).overallStatus, 'unknown', 'without request metrics');

    await box.record('metrics', ...metricsOnlyShop(steps(15, 0)));
    const health = await ask<Health>('health');
    assert.equal(health.overallStatus, 'healthy');
    assert.deepEqual(
      health.services.map(({ serviceName, status, requestCount }) => [serviceName, status, requestCount]),
      METRIC_SHOP_SERVICES.map((name) => [name, 'healthy', 15 * REQUESTS]),
    );
    const map = await ask<ServiceMap>('services');
    assert.deepEqual(
      map.services.map(({ name, type }) => [name, type]),
      METRIC_SHOP_SERVICES.map((name) => [name, 'SERVER']),
    );
    assert.deepEqual(
      map.edges.map(({ source, target }) => `${source} > ${target}`),
      METRIC_SHOP_EDGES,
    );
    for (const { requestCount } of map.edges) assert.equal(requestCount, 15 * REQUESTS);
    const trends = await ask<{ throughput: { currentRps: number } }>('trends');
    assert.equal(trends.throughput.currentRps, 8, '4 services with 120 requests a minute');
    assert.deepEqual(
      (await ask<Diagnoses>('diagnosis')).diagnoses.filter(({ severity }) => severity !== 'info'),
      [],
    );
  });

  for (const [fault, degraded] of [
    [{ service: 'payment', kind: 'slow' }, ['checkout', 'frontend', 'payment']],
    [{ service: 'inventory', kind: 'failing' }, ['checkout', 'frontend', 'inventory']],
    [{ service: 'orders-db', kind: 'slow' }, []],
  ] as const)
    it(`names ${fault.service} that is ${fault.kind}, also after a replay`, async () => {
      await box.record('metrics', ...metricsOnlyShop([...steps(75, 10), ...steps(10, 0, fault)]));
      const answers = async (): Promise<object[]> => [
        await ask('health'),
        await ask('services'),
        await ask('diagnosis'),
        await ask('alerts'),
      ];
      const before = await answers();
      const [health, , { diagnoses }] = before as [Health, ServiceMap, Diagnoses, object];
      assert.deepEqual(
        health.services.filter(({ status }) => status === 'degraded').map(({ serviceName }) => serviceName),
        degraded,
      );
      assert.deepEqual(
        [diagnoses[0].serviceName, diagnoses[0].severity],
        [fault.service, 'critical'],
        JSON.stringify(diagnoses),
      );
      const replay = [PROGRAM, 'replay', 'metrics', '--json'];
      await promisify(execFile)(process.execPath, replay, { env: { ...process.env, DATA_DIR: box.service.dataDir } });
      assert.deepEqual(await answers(), before);
    });

  it('counts a five-minute step in the minutes that it covers', async () => {
    await box.record('metrics', ...metricsOnlyShop([{ startMs: past.at(20), lengthMs: 5 * MINUTE_MS, requests: 500 }]));
    const during = (from: number, to: number): Promise<Health> =>
      box.api
        .get<Health>(`/apm/diagnostics/${box.gridId}/health?rangeStart=${past.iso(from)}&rangeEnd=${past.iso(to)}`)
        .then(({ body }) => body);
    const countOf = async (from: number, to: number): Promise<number> =>
      (await during(from, to)).services.find(({ serviceName }) => serviceName === 'frontend')?.requestCount ?? 0;
    assert.deepEqual(
      [
        await countOf(20, 15),
        await countOf(20, 19),
        await countOf(16, 15),
        await countOf(15, 14),
        await countOf(21, 20),
      ],
      [500, 100, 100, 0, 0],
    );
  });

  it('answers by spans alone where a service sends both', async () => {
    await box.record('metrics', ...metricsOnlyShop(steps(15, 0)));
    for (let minute = 15; minute > 0; minute--)
      await box.record('traces', past.requests('payment', minute, { count: 3 }));
    const { services } = await ask<Health>('health');
    assert.deepEqual(
      services.map(({ serviceName, requestCount }) => [serviceName, requestCount]),
      METRIC_SHOP_SERVICES.map((name) => [name, name === 'payment' ? 45 : 15 * REQUESTS]),
    );
  });
});
