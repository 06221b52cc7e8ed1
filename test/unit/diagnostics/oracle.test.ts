import assert from 'node:assert/strict';
import { computeComparison, computeTrends } from '../../../src/diagnostics/window-comparison.js';
import { computeHealth } from '../../../src/diagnostics/services/service-health.js';
import type { DiagnosticsInput } from '../../../src/diagnostics/diagnostics-input.js';
import { buildServiceDetail } from '../../../src/diagnostics/services/service-detail-builder.js';
import { buildServiceMap } from '../../../src/diagnostics/services/service-map-builder.js';
import { rankSlowestEndpoints } from '../../../src/diagnostics/services/slowest-endpoint-ranking.js';
import { MINUTE_MS, durationSeconds, type TimeWindow } from '../../../src/diagnostics/time-windows.js';
import { durationOf, isEntry, type PlainSpan } from '../../support/naive-rollups.js';
import { randomNumbers } from '../../support/random-numbers.js';
import { HOUR_MS, hourly, inputOf, minutesAgo, span, usualFrames } from './given-rollups.js';

const NOW_MS = HOUR_MS + 30_000;
const FRAMES = usualFrames(NOW_MS);
const SERVICES = ['basket', 'catalog', 'gateway', 'ledger', 'mailer'];

/** Requests to five services over 80 minutes, some with a call to another service or to a database; all figures differ by service and minute. */
function traffic(seed: number, traces: number): PlainSpan[] {
  const roll = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)];
  return Array.from({ length: traces }, () => {
    const service = pick(SERVICES);
    const endMs = minutesAgo(79) + roll() * 79.4 * MINUTE_MS;
    const ms = Math.exp(3 + 2.5 * roll() + (service === 'ledger' ? 2 : 0));
    const request = span({
      service,
      operation: `op ${Math.floor(roll() * 9)}`,
      kind: service === 'mailer' ? 'CONSUMER' : 'SERVER',
      endMs,
      ms,
      error: roll() < 0.07,
    });
    const call = span({
      service,
      operation: 'call',
      kind: 'CLIENT',
      traceId: request.traceId,
      parentId: request.spanId,
      endMs,
      ms: ms * 0.8,
      error: roll() < 0.05,
      peer: 'orders-db',
    });
    if (roll() < 0.4) return [request, call];
    const target = pick(SERVICES);
    return [
      request,
      call,
      span({
        service: target,
        operation: 'op 1',
        kind: 'SERVER',
        traceId: call.traceId,
        parentId: call.spanId,
        endMs,
        ms: ms * 0.5,
        error: roll() < 0.03,
      }),
    ];
  }).flat();
}

const SPANS = traffic(20261120, 6000);
const ENTRIES = SPANS.filter(isEntry);

function during(spans: readonly PlainSpan[], { fromMs, toMs }: TimeWindow): PlainSpan[] {
  return spans.filter(({ endNs }) => endNs >= BigInt(fromMs) * 1_000_000n && endNs < BigInt(toMs) * 1_000_000n);
}

function msOf(spans: readonly PlainSpan[]): number[] {
  return spans.map((one) => durationOf(one) / 1e6);
}

function average(spans: readonly PlainSpan[]): number {
  return msOf(spans).reduce((a, b) => a + b, 0) / spans.length;
}

function errorRate(spans: readonly PlainSpan[]): number {
  return (100 * spans.filter(({ error }) => error).length) / spans.length;
}

function apdex(spans: readonly PlainSpan[]): number {
  const score = spans.map((one) =>
    one.error ? 0 : durationOf(one) <= 500e6 ? 1 : durationOf(one) <= 2000e6 ? 0.5 : 0,
  );
  return score.reduce((a: number, b) => a + b, 0) / spans.length;
}

function percentile(spans: readonly PlainSpan[], p: number): number {
  const sorted = msOf(spans).sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil((p / 100) * sorted.length)) - 1];
}

function assertRounded(actual: number, exact: number, digits = 2): void {
  assert.ok(Math.abs(actual - exact) <= 0.5000001 * 10 ** -digits, `${actual} is not ${exact} to ${digits} decimals`);
}

function assertWithinOnePercent(actual: number, exact: number): void {
  assert.ok(Math.abs(actual - exact) <= 0.01 * exact + 0.005, `${actual} is not within 1 % of ${exact}`);
}

/** Of the same telemetry, however it is grouped in time: all answers agree with plain arithmetic on the spans. */
function agreesWithTheSpans(input: DiagnosticsInput, windows: typeof FRAMES): void {
  const entries = during(ENTRIES, windows.current);
  const of = (service: string) => entries.filter((one) => one.service === service);

  it('in health', () => {
    const answer = computeHealth(input, windows);
    assert.deepEqual(
      answer.services.map(({ serviceName }) => serviceName),
      SERVICES,
    );
    for (const { serviceName, ...figures } of answer.services) {
      assert.equal(figures.requestCount, of(serviceName).length);
      assertRounded(figures.errorRate, errorRate(of(serviceName)));
      assertRounded(figures.apdex, apdex(of(serviceName)), 3);
      assertRounded(figures.avgLatencyMs, average(of(serviceName)));
      assert.equal(
        figures.status,
        errorRate(of(serviceName)) >= 5 || apdex(of(serviceName)) < 0.7 ? 'degraded' : 'healthy',
      );
    }
  });

  it('in trends', () => {
    const before = during(ENTRIES, windows.baseline);
    const { latency, errorRate: errors, throughput } = computeTrends(input, windows);
    for (const p of [50, 95, 99] as const) {
      assertWithinOnePercent(latency.current[`p${p}`], percentile(entries, p));
      assertWithinOnePercent(latency.baseline[`p${p}`], percentile(before, p));
    }
    assertRounded(errors.current, errorRate(entries));
    assertRounded(errors.baseline, errorRate(before));
    assertRounded(errors.changePercent, 100 * (errorRate(entries) / errorRate(before) - 1));
    assertRounded(throughput.currentRps, entries.length / durationSeconds(windows.current, windows.nowMs));
    assertRounded(throughput.baselineRps, before.length / durationSeconds(windows.baseline, windows.nowMs));
  });

  it('in the service map', () => {
    const { services, edges } = buildServiceMap(input, windows);
    assert.deepEqual(
      services.map(({ name, type, requestCount }) => [name, type, requestCount]),
      SERVICES.map((name) => [name, name === 'mailer' ? mailerType(of(name)) : 'SERVER', of(name).length]),
    );
    const calls = during(
      SPANS.filter(({ kind }) => kind === 'CLIENT'),
      windows.current,
    );
    const servers = new Map(SPANS.map((one) => [one.parentId, one.service]));
    for (const { source, target, ...figures } of edges) {
      const own = calls.filter(
        (call) => call.service === source && (servers.get(call.spanId) ?? 'orders-db') === target,
      );
      assert.equal(figures.requestCount, own.length, `${source} to ${target}`);
      assertRounded(figures.errorRate, errorRate(own));
      assertRounded(figures.avgLatencyMs, average(own));
    }
    const answered = calls.filter((call) => servers.get(call.spanId) !== call.service);
    assert.equal(
      edges.reduce((sum, { requestCount }) => sum + requestCount, 0),
      answered.length,
    );
  });

  it('in the detail of a service', () => {
    for (const service of SERVICES) {
      const detail = buildServiceDetail(input, windows, service)!;
      assert.equal(detail.requestCount, of(service).length);
      assertWithinOnePercent(detail.p50LatencyMs, percentile(of(service), 50));
      assert.equal(
        detail.endpoints.reduce((sum, { requestCount }) => sum + requestCount, 0),
        of(service).length,
      );
      for (const { operation, ...figures } of detail.endpoints) {
        const own = of(service).filter((one) => one.operation === operation);
        assert.equal(figures.requestCount, own.length);
        assertRounded(figures.errorRate, errorRate(own));
        assertRounded(figures.avgLatencyMs, average(own));
        assertWithinOnePercent(figures.p50LatencyMs, percentile(own, 50));
        assertWithinOnePercent(figures.p95LatencyMs, percentile(own, 95));
      }
    }
  });

  it('in the slowest endpoints', () => {
    const answer = rankSlowestEndpoints(input, windows);
    assert.deepEqual(
      answer.map(({ rank }) => rank),
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    for (const { serviceName, operation, ...figures } of answer) {
      const own = of(serviceName).filter((one) => one.operation === operation && one.kind === 'SERVER');
      assert.equal(figures.requestCount, own.length);
      assertRounded(figures.avgLatencyMs, average(own));
      assertRounded(figures.errorRate, errorRate(own));
      assertWithinOnePercent(figures.p95LatencyMs, percentile(own, 95));
      assertWithinOnePercent(figures.p99LatencyMs, percentile(own, 99));
    }
    const listed = new Set(answer.map(({ serviceName, operation }) => `${serviceName} ${operation}`));
    const servers = entries.filter(({ kind }) => kind === 'SERVER');
    const fastest = answer[19].p99LatencyMs;
    for (const name of new Set(servers.map(({ service, operation }) => `${service} ${operation}`))) {
      if (!listed.has(name))
        assert.ok(
          percentile(
            servers.filter(({ service, operation }) => name === `${service} ${operation}`),
            99,
          ) <=
            fastest * 1.01,
          `${name} is missing`,
        );
    }
  });

  it('in the comparison of two windows', () => {
    const before = during(ENTRIES, windows.baseline);
    const { current, baseline, deltas } = computeComparison(input, windows.current, windows.baseline, windows.nowMs);
    for (const [figures, own, window] of [
      [current, entries, windows.current],
      [baseline, before, windows.baseline],
    ] as const) {
      assertRounded(figures.avgLatencyMs, average(own));
      assertWithinOnePercent(figures.p95LatencyMs, percentile(own, 95));
      assertRounded(figures.errorRate, errorRate(own));
      assertRounded(figures.apdex, apdex(own), 3);
      assertRounded(figures.throughputRps, own.length / durationSeconds(window, windows.nowMs));
    }
    assertRounded(deltas.avgLatencyMs.absolute, average(entries) - average(before));
    assertRounded(deltas.avgLatencyMs.percent, 100 * (average(entries) / average(before) - 1));
    assertRounded(deltas.apdex.absolute, apdex(entries) - apdex(before), 3);
  });
}

function mailerType(entries: readonly PlainSpan[]): string {
  const servers = entries.filter(({ kind }) => kind === 'SERVER').length;
  return servers >= entries.length - servers ? 'SERVER' : 'CONSUMER';
}

describe('thousands of spans with known numbers', () => {
  describe('agree, minute by minute,', () => agreesWithTheSpans(inputOf(SPANS), FRAMES));

  const hours = {
    nowMs: HOUR_MS,
    current: { fromMs: minutesAgo(60), toMs: HOUR_MS },
    baseline: { fromMs: minutesAgo(120), toMs: minutesAgo(60) },
  };
  describe('agree, hour by hour,', () => agreesWithTheSpans(hourly(inputOf(SPANS)), hours));
});
