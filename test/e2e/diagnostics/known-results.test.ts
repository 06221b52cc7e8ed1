import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import {
  apdex,
  average,
  durationMs,
  errorRate,
  isEntry,
  isError,
  named,
  omitMembers,
  percentile,
  round2,
  round3,
  within,
  type Window,
} from '../../support/diagnostics-oracle.js';
import { KIND } from '../../support/otlp-requests.js';
import { exportRequests, shopTraffic, type PlainSpan } from '../../support/shop-traffic.js';

const MINUTE_MS = 60_000;
const NOW = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** A past window, and the preceding hour with which the service compares it. */
const CURRENT: Window = { fromMs: NOW - 35 * MINUTE_MS, toMs: NOW - 20 * MINUTE_MS };
const BASELINE: Window = { fromMs: NOW - 95 * MINUTE_MS, toMs: NOW - 35 * MINUTE_MS };

const iso = (ms: number): string => new Date(ms).toISOString();
const rangeOf = ({ fromMs, toMs }: Window): string => `rangeStart=${iso(fromMs)}&rangeEnd=${iso(toMs)}`;
const seconds = ({ fromMs, toMs }: Window): number => (toMs - fromMs) / 1000;

/** Percentiles are computed from sketches with an error of up to 1 %. */
function assertNear(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= 0.01 * expected + 0.005, `${what}: ${actual} is not ${expected}`);
}

describe('diagnostics of thousands of spans with known results', function () {
  this.timeout(120_000);
  const spans = shopTraffic({
    seed: 20,
    traces: 1_500,
    fromMs: BASELINE.fromMs - 5 * MINUTE_MS,
    toMs: NOW - 10 * MINUTE_MS,
  });
  const current = within(spans, CURRENT);
  const baseline = within(spans, BASELINE);
  const services = [...new Set(spans.map(({ service }) => service))].sort();
  const entries = current.filter(isEntry);
  let box: BlackBox;

  const ask = async <T>(path: string): Promise<T> => {
    const { status, body } = await box.api.get<T>(`/apm/diagnostics/${box.gridId}/${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  before(async () => {
    assert.ok(
      current.some(isError) && current.some((span) => durationMs(span) > 1000),
      'the traffic has something to tell',
    );
    box = await BlackBox.start();
    const requests = exportRequests(spans, 4);
    // Parents and children in any order, and some twice: repeated requests, and spans in other batches.
    await box.record('traces', ...requests, ...requests.slice(0, 5), ...exportRequests(spans.slice(0, 400), 9, 77));
  });
  after(() => box.dispose());

  it('health counts the entry spans of each service', async () => {
    const { overallStatus, services: found } = await ask<{ overallStatus: string; services: object[] }>(
      `health?${rangeOf(CURRENT)}`,
    );
    assert.deepEqual(
      omitMembers(found, 'recentStatus', 'causeOf'),
      services.map((serviceName) => {
        const own = named(entries, serviceName);
        const figures = {
          errorRate: round2(errorRate(own)),
          apdex: round3(apdex(own)),
          requestCount: own.length,
          avgLatencyMs: round2(average(own)),
        };
        return {
          serviceName,
          status: figures.errorRate >= 5 || figures.apdex < 0.7 ? 'degraded' : 'healthy',
          ...figures,
        };
      }),
    );
    assert.equal(overallStatus, 'degraded');
  });

  it('trends compare with the preceding hour', async () => {
    interface Trends {
      readonly latency: { readonly current: Record<string, number>; readonly baseline: Record<string, number> };
      readonly errorRate: { readonly current: number; readonly baseline: number; readonly changePercent: number };
      readonly throughput: { readonly currentRps: number; readonly baselineRps: number };
    }
    const trends = await ask<Trends>(`trends?${rangeOf(CURRENT)}`);
    const before = baseline.filter(isEntry);
    for (const p of [50, 95, 99]) {
      assertNear(trends.latency.current[`p${p}`], percentile(entries, p), `current p${p}`);
      assertNear(trends.latency.baseline[`p${p}`], percentile(before, p), `baseline p${p}`);
    }
    const [now, then] = [errorRate(entries), errorRate(before)];
    assert.deepEqual(
      [trends.errorRate.current, trends.errorRate.baseline, trends.errorRate.changePercent],
      [round2(now), round2(then), round2((100 * (now - then)) / then)],
    );
    assert.equal(trends.throughput.currentRps, round2(entries.length / seconds(CURRENT)));
    assert.equal(trends.throughput.baselineRps, round2(before.length / seconds(BASELINE)));
  });

  it('the service map counts every call once, at its target', async () => {
    const map = await ask<{ services: object[]; edges: { source: string; target: string }[] }>(
      `services?${rangeOf(CURRENT)}`,
    );
    const types: Record<string, string> = { cron: 'INTERNAL', mailer: 'CONSUMER', probe: 'CLIENT' };
    assert.deepEqual(
      omitMembers(map.services, 'status', 'recentStatus', 'causeOf'),
      services.map((name) => {
        const own = named(entries, name);
        return { name, type: types[name] ?? 'SERVER', requestCount: own.length, errorRate: round2(errorRate(own)) };
      }),
    );
    const calls = (source: string, target: string, chosen: readonly PlainSpan[]): object => ({
      source,
      target,
      requestCount: chosen.length,
      errorRate: round2(errorRate(chosen)),
      avgLatencyMs: round2(average(chosen)),
    });
    const spansNamed = (service: string, name: string): PlainSpan[] =>
      named(current, service).filter((span) => span.name === name);
    const edges = [...map.edges].sort((a, b) => `${a.source} ${a.target}`.localeCompare(`${b.source} ${b.target}`));
    assert.deepEqual(edges, [
      calls('gateway', 'orders', spansNamed('gateway', 'call orders')),
      calls('gateway', 'payments', spansNamed('gateway', 'call payments')),
      calls('orders', 'audits', spansNamed('orders', 'audit')),
      calls('orders', 'mailer', spansNamed('mailer', 'process mails')),
      calls('orders', 'orders-db', spansNamed('orders', 'SELECT')),
      calls('probe', 'gateway', spansNamed('probe', 'probe')),
    ]);
  });

  it('service detail has endpoints, errors and dependencies', async () => {
    interface Detail {
      readonly requestCount: number;
      readonly endpoints: {
        operation: string;
        requestCount: number;
        errorRate: number;
        avgLatencyMs: number;
        p50LatencyMs: number;
        p95LatencyMs: number;
      }[];
      readonly p50LatencyMs: number;
      readonly topErrors: object[];
      readonly dependencies: { name: string; errorRate: number }[];
    }
    const gateway = await ask<Detail>(`service/gateway?${rangeOf(CURRENT)}`);
    assert.equal(gateway.requestCount, named(entries, 'gateway').length);
    assertNear(gateway.p50LatencyMs, percentile(named(entries, 'gateway'), 50), 'gateway');
    for (const operation of ['GET /orders', 'POST /orders']) {
      const own = named(entries, 'gateway').filter(({ name }) => name === operation);
      const found = gateway.endpoints.find((endpoint) => endpoint.operation === operation);
      assert.deepEqual(
        [found?.requestCount, found?.errorRate, found?.avgLatencyMs],
        [own.length, round2(errorRate(own)), round2(average(own))],
      );
      assertNear(found?.p50LatencyMs ?? 0, percentile(own, 50), operation);
      assertNear(found?.p95LatencyMs ?? 0, percentile(own, 95), operation);
    }
    assert.deepEqual(gateway.dependencies.map(({ name }) => name).sort(), ['orders', 'payments']);
    const payments = await ask<Detail>(`service/payments?${rangeOf(CURRENT)}`);
    const thrown = named(spans, 'payments')
      .flatMap(({ events = [] }) => events)
      .filter(({ time }) => Number(time / 1_000_000n) >= CURRENT.fromMs && Number(time / 1_000_000n) < CURRENT.toMs);
    const count = (type: string): number => thrown.filter(({ attributes = [] }) => attributes[0][1] === type).length;
    assert.deepEqual(
      payments.topErrors,
      [
        ['Timeout', count('Timeout')],
        ['Declined', count('Declined')],
      ].map(([exceptionType, found]) => ({
        exceptionType,
        message: 'no money',
        count: found,
        percentage: round2((100 * Number(found)) / thrown.length),
      })),
    );
  });

  it('the slowest endpoints are server spans by p99', async () => {
    const { endpoints } = await ask<{
      endpoints: {
        rank: number;
        serviceName: string;
        operation: string;
        requestCount: number;
        p99LatencyMs: number;
        avgLatencyMs: number;
      }[];
    }>(`slowest-endpoints?${rangeOf(CURRENT)}`);
    const server = current.filter(({ kind }) => kind === KIND.server);
    assert.deepEqual(
      endpoints.map(({ rank }) => rank),
      [1, 2, 3, 4],
    );
    assert.deepEqual(endpoints.map(({ serviceName, operation }) => `${serviceName} ${operation}`).sort(), [
      'gateway GET /orders',
      'gateway POST /orders',
      'orders place',
      'payments charge',
    ]);
    endpoints.forEach(({ serviceName, operation, requestCount, p99LatencyMs, avgLatencyMs }, i) => {
      const own = named(server, serviceName).filter(({ name }) => name === operation);
      assert.deepEqual([requestCount, avgLatencyMs], [own.length, round2(average(own))]);
      assertNear(p99LatencyMs, percentile(own, 99), operation);
      if (i > 0) assert.ok(p99LatencyMs <= endpoints[i - 1].p99LatencyMs);
    });
  });

  it('compare returns two windows', async () => {
    const query = `currentStart=${iso(CURRENT.fromMs)}&currentEnd=${iso(CURRENT.toMs)}&baselineStart=${iso(BASELINE.fromMs)}&baselineEnd=${iso(BASELINE.toMs)}`;
    interface Figures {
      readonly avgLatencyMs: number;
      readonly p95LatencyMs: number;
      readonly errorRate: number;
      readonly throughputRps: number;
      readonly apdex: number;
    }
    const compared = await ask<{
      current: Figures;
      baseline: Figures;
      deltas: Record<keyof Figures, { absolute: number; percent: number }>;
    }>(`compare?${query}`);
    for (const [figures, window, all] of [
      [compared.current, CURRENT, entries],
      [compared.baseline, BASELINE, baseline.filter(isEntry)],
    ] as const) {
      const { avgLatencyMs, p95LatencyMs, errorRate: errors, throughputRps, apdex: score } = figures;
      assert.deepEqual(
        [avgLatencyMs, errors, throughputRps, score],
        [round2(average(all)), round2(errorRate(all)), round2(all.length / seconds(window)), round3(apdex(all))],
      );
      assertNear(p95LatencyMs, percentile(all, 95), 'p95');
    }
    const before = baseline.filter(isEntry);
    assert.equal(compared.deltas.avgLatencyMs.absolute, round2(average(entries) - average(before)));
    assert.equal(
      compared.deltas.avgLatencyMs.percent,
      round2((100 * (average(entries) - average(before))) / average(before)),
    );
  });

  it('as of a point in time, nothing later is visible', async () => {
    const atMs = CURRENT.toMs;
    const asOf = await ask<{ services: { serviceName: string; requestCount: number }[] }>(
      `health?asOf=${iso(atMs + 30_000)}`,
    );
    assert.deepEqual(
      asOf.services.map(({ serviceName, requestCount }) => [serviceName, requestCount]),
      services.map((service) => [service, named(entries, service).length]),
    );
  });
});
