import assert from 'node:assert/strict';
import fc from 'fast-check';
import { percentChange, classifyTrend } from '../../../src/diagnostics/request-measures.js';
import { computeComparison, computeTrends } from '../../../src/diagnostics/window-comparison.js';
import { computeHealth } from '../../../src/diagnostics/services/service-health.js';
import { round2, round3 } from '../../../src/diagnostics/rounding.js';
import { sumService } from '../../../src/diagnostics/rollups/rollup-sums.js';
import { rankSlowestEndpoints } from '../../../src/diagnostics/services/slowest-endpoint-ranking.js';
import { MINUTE_MS } from '../../../src/diagnostics/time-windows.js';
import { catalogsOf, HOUR_MS, inputOf, minutesAgo, SETTINGS, span, spans, usualFrames } from './given-rollups.js';

const FRAMES = usualFrames(HOUR_MS);
const CURRENT = [minutesAgo(15), HOUR_MS] as const;
const BASELINE = [minutesAgo(75), minutesAgo(15)] as const;

describe('rounding', () => {
  it('keeps two decimals, Apdex three, half away from zero', () => {
    assert.deepEqual([1.005, 2.675, -1.005, 0.125, 33.333333].map(round2), [1.01, 2.68, -1.01, 0.13, 33.33]);
    assert.deepEqual([0.8125, 0.99949].map(round3), [0.813, 0.999]);
  });

  it('never answers -0', () => {
    assert.ok(Object.is(round2(-0.001), 0) && Object.is(round2(-0), 0));
  });

  it('is never off by more than half of the last digit, and is settled', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        (value) => Math.abs(round2(value) - value) <= 0.005 + 1e-6 && round2(round2(value)) === round2(value),
      ),
    );
  });
});

describe('changePercent', () => {
  it('is 100 · (current − baseline) / baseline', () => {
    assert.equal(percentChange(150, 100), 50);
    assert.equal(percentChange(25, 100), -75);
  });

  it('is 0 when both are 0, and 100 with a zero baseline and a non-zero current', () => {
    assert.deepEqual([percentChange(0, 0), percentChange(3, 0)], [0, 100]);
  });

  it('is a trend from 5 on, either way', () => {
    assert.deepEqual([4.99, 5, -5, -4.99, 0].map(classifyTrend), [
      'stable',
      'increasing',
      'decreasing',
      'stable',
      'stable',
    ]);
  });
});

describe('health', () => {
  it('of a Grid without services is unknown: nothing can be judged', () => {
    assert.deepEqual(computeHealth(inputOf([]), FRAMES), {
      overallStatus: 'unknown',
      recentStatus: 'unknown',
      recentRequests: [],
      timestamp: HOUR_MS,
      services: [],
    });
  });

  it('counts entry spans: SERVER, CONSUMER, and those without a parent', () => {
    const child = { parentId: 'p', endMs: minutesAgo(1) };
    const input = inputOf([
      span({ ...child, kind: 'SERVER' }),
      span({ ...child, kind: 'CONSUMER' }),
      span({ ...child, kind: 'INTERNAL', error: true }),
      span({ ...child, kind: 'CLIENT', error: true }),
      span({ endMs: minutesAgo(1), kind: 'INTERNAL' }),
    ]);
    assert.deepEqual(
      computeHealth(input, FRAMES).services.map(({ requestCount, errorRate }) => [requestCount, errorRate]),
      [[3, 0]],
    );
  });

  it('is degraded from the error rate on that the Grid sets, and below its Apdex', () => {
    const failing = [...spans(95, ...CURRENT), ...spans(5, ...CURRENT, { error: true })];
    const slow = [
      ...spans(39, ...CURRENT, { ms: 501 }),
      ...spans(60, ...CURRENT, { ms: 2000 }),
      ...spans(100, ...CURRENT, { ms: 2001 }),
    ];
    assert.equal(computeHealth(inputOf(failing), FRAMES).overallStatus, 'degraded');
    assert.equal(
      computeHealth(inputOf(failing, { settings: { ...SETTINGS, errorRateThreshold: 5.01 } }), FRAMES).overallStatus,
      'healthy',
    );
    assert.equal(computeHealth(inputOf(slow), FRAMES).services[0].apdex, 0.249);
    assert.equal(
      computeHealth(inputOf(slow, { settings: { ...SETTINGS, apdexHealthThreshold: 0.2 } }), FRAMES).overallStatus,
      'healthy',
    );
  });

  it('is as bad as the worst service, and lists them by name', () => {
    const { overallStatus, services } = computeHealth(
      inputOf([...spans(9, ...CURRENT, { service: 'b', error: true }), ...spans(9, ...CURRENT, { service: 'a' })]),
      FRAMES,
    );
    assert.equal(overallStatus, 'degraded');
    assert.deepEqual(
      services.map(({ serviceName, status }) => [serviceName, status]),
      [
        ['a', 'healthy'],
        ['b', 'degraded'],
      ],
    );
  });

  it('lists a service that was seen in the last 24 h, but not before or after', () => {
    const seen = (service: string, ms: number) => catalogsOf([span({ service, endMs: ms })])[0];
    const catalogs = [
      seen('an-hour-ago', minutesAgo(60)),
      seen('long-gone', minutesAgo(1441)),
      seen('yesterday', minutesAgo(1440)),
      seen('yet-to-come', HOUR_MS + 1),
    ];
    assert.deepEqual(
      computeHealth(inputOf([], { catalogs }), FRAMES).services.map(({ serviceName }) => serviceName),
      ['an-hour-ago', 'yesterday'],
    );
    assert.deepEqual(computeHealth(inputOf([], { catalogs }), FRAMES).services[0], {
      serviceName: 'an-hour-ago',
      status: 'healthy',
      recentStatus: 'unknown',
      errorRate: 0,
      apdex: 1,
      requestCount: 0,
      avgLatencyMs: 0,
    });
  });

  it('counts nothing from before the window', () => {
    assert.equal(
      computeHealth(inputOf([span({ endMs: minutesAgo(15) - 1 }), span({ endMs: minutesAgo(15) })]), FRAMES).services[0]
        .requestCount,
      1,
    );
  });
});

describe('trends', () => {
  it('compare the window with the hour before it', () => {
    const { latency, errorRate, throughput } = computeTrends(
      inputOf([...spans(900, ...CURRENT, { ms: 200, error: true }), ...spans(7200, ...BASELINE, { ms: 100 })]),
      FRAMES,
    );
    assert.deepEqual(
      [latency.trend, errorRate, throughput],
      [
        'increasing',
        { trend: 'increasing', changePercent: 100, current: 100, baseline: 0 },
        { trend: 'decreasing', changePercent: -50, currentRps: 1, baselineRps: 2 },
      ],
    );
  });

  it('of nothing are stable zeros', () => {
    const none = { p50: 0, p95: 0, p99: 0 };
    assert.deepEqual(computeTrends(inputOf([]), FRAMES).latency, {
      trend: 'stable',
      changePercent: 0,
      current: none,
      baseline: none,
    });
  });
});

describe('the slowest endpoints', () => {
  it('are SERVER spans only, ranked by p99, at most twenty', () => {
    const input = inputOf([
      ...Array.from({ length: 25 }, (_, i) => spans(3, ...CURRENT, { operation: `op ${i}`, ms: 10 + 10 * i })).flat(),
      ...spans(3, ...CURRENT, { kind: 'CONSUMER', ms: 9000 }),
      ...spans(3, ...CURRENT, { kind: 'CLIENT', ms: 9000 }),
    ]);
    const answer = rankSlowestEndpoints(input, FRAMES);
    assert.deepEqual(
      answer.map(({ rank, operation }) => [rank, operation]),
      Array.from({ length: 20 }, (_, i) => [i + 1, `op ${24 - i}`]),
    );
  });

  it('rank equals by name, so that they never swap', () => {
    const input = inputOf(['b', 'a', 'c'].flatMap((service) => spans(3, ...CURRENT, { service })));
    assert.deepEqual(
      rankSlowestEndpoints(input, FRAMES).map(({ serviceName }) => serviceName),
      ['a', 'b', 'c'],
    );
  });

  it('are the same as if all endpoints were added up, wherever their slow minutes are', () => {
    const request = fc.record({
      operation: fc.integer({ min: 0, max: 35 }),
      minute: fc.integer({ min: 1, max: 15 }),
      ms: fc.integer({ min: 1, max: 3000 }),
      times: fc.integer({ min: 1, max: 120 }),
    });
    fc.assert(
      fc.property(fc.array(request, { minLength: 40, maxLength: 120 }), (requests) => {
        const input = inputOf(
          requests.flatMap(({ operation, minute, ms, times }) =>
            spans(times, minutesAgo(minute), minutesAgo(minute - 1), { operation: `op ${operation}`, ms }),
          ),
        );
        const whole = sumService(input.services.map(({ value }) => value))
          .operations.map((one) => one.latency.percentile(99))
          .sort((a, b) => b - a);
        assert.deepEqual(
          rankSlowestEndpoints(input, FRAMES).map(({ p99LatencyMs }) => p99LatencyMs),
          whole.slice(0, 20).map((ns) => round2(ns / 1e6)),
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe('regressions', () => {
  const [current, baseline] = [FRAMES.current, FRAMES.baseline];
  const listed = (all: Parameters<typeof inputOf>[0]) =>
    computeComparison(inputOf(all), current, baseline, HOUR_MS).regressions.map(
      ({ serviceName, metric }) => `${serviceName} ${metric}`,
    );

  it('are what got worse by more than 20 %, and not what got worse by 20 %', () => {
    assert.deepEqual(listed([...spans(900, ...CURRENT, { ms: 119 }), ...spans(3600, ...BASELINE, { ms: 100 })]), []);
    assert.deepEqual(
      listed([...spans(900, ...CURRENT, { ms: 125 }), ...spans(3600, ...BASELINE, { ms: 100 })]).sort(),
      ['shop avgLatencyMs', 'shop p95LatencyMs'],
    );
    const failing = (errors: number) => [
      ...spans(900 - errors, ...CURRENT),
      ...spans(errors, ...CURRENT, { error: true }),
      ...spans(3500, ...BASELINE),
      ...spans(100, ...BASELINE, { error: true }),
    ];
    assert.deepEqual(listed(failing(30)), []);
    assert.deepEqual(listed(failing(31)), ['shop errorRate']);
  });

  it('count less throughput and less Apdex as worse, and more of them as better', () => {
    assert.deepEqual(listed([...spans(600, ...CURRENT), ...spans(3600, ...BASELINE)]), ['shop throughputRps']);
    assert.deepEqual(listed([...spans(1800, ...CURRENT), ...spans(3600, ...BASELINE)]), []);
    assert.ok(listed([...spans(900, ...CURRENT, { ms: 600 }), ...spans(3600, ...BASELINE)]).includes('shop apdex'));
  });

  it('list worst first', () => {
    const worse = [
      ...spans(900, ...CURRENT, { service: 'a', ms: 150 }),
      ...spans(900, ...CURRENT, { service: 'b', ms: 300 }),
    ];
    const all = [...worse, ...['a', 'b'].flatMap((service) => spans(3600, ...BASELINE, { service, ms: 100 }))];
    assert.deepEqual(
      listed(all).map((name) => name[0]),
      ['b', 'b', 'a', 'a'],
    );
  });

  it('need requests to judge by: ten in both windows', () => {
    const slower = (requests: number) => [
      ...spans(requests, ...CURRENT, { ms: 300 }),
      ...spans(4 * requests, ...BASELINE, { ms: 100 }),
    ];
    assert.deepEqual(listed(slower(9)), []);
    assert.deepEqual(listed(slower(10)).sort(), ['shop avgLatencyMs', 'shop p95LatencyMs']);
  });

  it('report a service that fell silent by its throughput alone', () => {
    assert.deepEqual(computeComparison(inputOf(spans(3600, ...BASELINE)), current, baseline, HOUR_MS).regressions, [
      { serviceName: 'shop', metric: 'throughputRps', baselineValue: 1, currentValue: 0, changePercent: -100 },
    ]);
  });

  it('do not know a service that is new', () => {
    assert.deepEqual(listed(spans(900, ...CURRENT, { ms: 9000, error: true })), []);
  });

  it('do without data', () => {
    const { deltas, regressions } = computeComparison(
      inputOf([]),
      current,
      { fromMs: baseline.fromMs, toMs: baseline.fromMs + MINUTE_MS },
      HOUR_MS,
    );
    assert.deepEqual([deltas.apdex, regressions], [{ absolute: 0, percent: 0 }, []]);
  });
});
