import assert from 'node:assert/strict';
import type { DerivedMetric } from '../../../../src/diagnostics/chart-model.js';
import type { ChartData, ChartWindow } from '../../../../src/diagnostics/chart-series/chart-series.js';
import { usesHourlyRollups } from '../../../../src/diagnostics/chart-series/chart-window.js';
import { bucketIndex, bucketMidpoint } from '../../../../src/diagnostics/rollups/sketch.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { durationOf, isEntry, type PlainLog, type PlainSpan } from '../../../support/naive-rollups.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { HOUR_MS, hourly, inputOf, span } from '../given-rollups.js';
import { assertNear, expectedSeries, type Expectation, type Expected, type Measured } from './expected-series.js';
import { FRAMES, labelsOf, SERVICES, computeChart, withWholeHours, type TimeBuckets } from './given-charts.js';

type Item<T> = T & Measured;

/** Each figure differs by service, operation and time; a third of the time is silence. */
function trafficIn({ fromMs, nowMs }: ChartWindow, seed: number): { spans: PlainSpan[]; logs: PlainLog[] } {
  const roll = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(list.length * roll() ** 2)];
  const from = fromMs - 10 * MINUTE_MS;
  const moment = (): number =>
    from + (roll() < 0.5 ? 0.4 * roll() : 0.7 + 0.3 * roll()) * (Math.min(nowMs, HOUR_MS) - from - 1000);
  const spans = Array.from({ length: 2500 }, () => {
    const service = pick(SERVICES);
    return span({
      service,
      operation: pick(['GET /', 'GET /a', 'POST /b', 'job']),
      kind: roll() < 0.7 ? 'SERVER' : 'CLIENT',
      parentId: roll() < 0.5 ? 'p' : '',
      endMs: moment(),
      ms: Math.exp(3 + 5 * roll()),
      error: roll() < 0.1,
    });
  });
  const logs = Array.from({ length: 2500 }, () => ({
    service: pick(SERVICES),
    timeUs: Math.floor(moment() * 1000),
    severity: 1 + Math.floor(24 * roll()),
    template: 'x',
  }));
  return { spans, logs };
}

/** Nearest rank, to the bucket of a sketch. */
function percentile(spans: readonly PlainSpan[], p: number): number {
  const sorted = spans.map(durationOf).sort((a, b) => a - b);
  return bucketMidpoint(bucketIndex(sorted[Math.max(1, Math.ceil((p / 100) * sorted.length)) - 1])) / 1e6;
}

function apdex(spans: readonly PlainSpan[]): number {
  const scores = spans.map((one) => (one.error || durationOf(one) > 2000e6 ? 0 : durationOf(one) > 500e6 ? 0.5 : 1));
  return total(scores) / spans.length;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]): number => total(values) / values.length;

type Values<T extends Measured> = Omit<Expectation<T>, 'groupOf'>;

const OF_SPANS: Readonly<Partial<Record<DerivedMetric, Values<Item<PlainSpan>>>>> = {
  request_rate: { valueOf: (spans, seconds) => spans.length / seconds, empty: 0 },
  error_rate: { valueOf: (spans) => 100 * mean(spans.map(({ error }) => Number(error))) },
  latency_avg: { valueOf: (spans) => mean(spans.map(durationOf)) / 1e6 },
  latency_p50: { valueOf: (spans) => percentile(spans, 50) },
  latency_p95: { valueOf: (spans) => percentile(spans, 95) },
  latency_p99: { valueOf: (spans) => percentile(spans, 99) },
  apdex: { valueOf: apdex, direction: 1 },
};

const errorsOf = (logs: readonly PlainLog[]): number => logs.filter(({ severity }) => severity >= 17).length;
const OF_LOGS: Readonly<Partial<Record<DerivedMetric, Values<Item<PlainLog>>>>> = {
  log_rate: { valueOf: (logs, seconds) => logs.length / seconds, empty: 0 },
  error_log_rate: { valueOf: (logs, seconds) => errorsOf(logs) / seconds, empty: 0 },
};

/** Of everything together: what the series is called others test. */
function assertOne(data: ChartData, [{ points }]: readonly Expected[]): void {
  assertNear(
    data,
    data.series.map(({ label }) => ({ label, points })),
  );
}

for (const [name, window] of FRAMES) {
  describe(`charts of thousands of requests over ${name} agree with plain arithmetic on them`, () => {
    const { spans, logs } = trafficIn(window, 92);
    const input = inputOf(spans, { logs });
    const variants: readonly TimeBuckets[] = usesHourlyRollups(window) ? [input, wholeHours(input, window)] : [input];
    const entries = spans.filter(isEntry).map((one) => ({ ...one, atMs: Number(one.endNs / 1000n) / 1000 }));
    const records = logs.map((one) => ({ ...one, atMs: one.timeUs / 1000 }));

    for (const [metric, values] of Object.entries(OF_SPANS)) {
      it(`${metric}, of everything, by service, by operation`, () => {
        for (const timeBuckets of variants) {
          const only = entries.filter(({ service }) => service === 'service b');
          assertNear(
            computeChart({ metric, groupBy: 'service' }, timeBuckets, window),
            expectedSeries(entries, window, { groupOf: ({ service }) => service, ...values }),
          );
          assertNear(
            computeChart({ metric, groupBy: 'operation' }, timeBuckets, window),
            expectedSeries(entries, window, {
              groupOf: ({ service, operation }) => `${service} ${operation}`,
              ...values,
            }),
          );
          assertNear(
            computeChart({ metric, groupBy: 'operation', serviceName: 'service b' }, timeBuckets, window),
            expectedSeries(only, window, { groupOf: ({ operation }) => operation, ...values }),
          );
          assertOne(
            computeChart({ metric }, timeBuckets, window),
            expectedSeries(entries, window, { groupOf: () => '', ...values }),
          );
          assertOne(
            computeChart({ metric, serviceName: 'service b' }, timeBuckets, window),
            expectedSeries(only, window, { groupOf: () => '', ...values }),
          );
        }
      });
    }

    it('latency', () => {
      const lines = [50, 95, 99].map(
        (p) => expectedSeries(entries, window, { groupOf: () => `p${p}`, valueOf: (own) => percentile(own, p) })[0],
      );
      for (const timeBuckets of variants) assertNear(computeChart({ metric: 'latency' }, timeBuckets, window), lines);
    });

    for (const [metric, values] of Object.entries(OF_LOGS)) {
      it(`${metric}, of everything, by service, by severity`, () => {
        for (const timeBuckets of variants) {
          assertNear(
            computeChart({ metric, groupBy: 'service' }, timeBuckets, window),
            expectedSeries(records, window, { groupOf: ({ service }) => service, ...values }),
          );
          assertOne(
            computeChart({ metric }, timeBuckets, window),
            expectedSeries(records, window, { groupOf: () => '', ...values }),
          );
          const bySeverity = computeChart({ metric, groupBy: 'severity' }, timeBuckets, window);
          const names = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'].slice(
            metric === 'log_rate' ? 0 : 4,
          );
          assert.deepEqual(labelsOf(bySeverity), names);
          for (const series of bySeverity.series) {
            const own = records.filter(
              ({ severity }) =>
                Math.floor((severity - 1) / 4) ===
                ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'].indexOf(series.label),
            );
            assertOne(
              { ...bySeverity, series: [series] },
              expectedSeries(own, window, { groupOf: () => '', ...OF_LOGS.log_rate! }),
            );
          }
        }
      });
    }
  });
}

function wholeHours(input: ReturnType<typeof inputOf>, window: ChartWindow): TimeBuckets {
  const hours = hourly(input);
  return {
    grids: withWholeHours(input.grids, hours.grids, window),
    services: withWholeHours(input.services, hours.services, window),
    logs: withWholeHours(input.logs, hours.logs, window),
    metrics: [],
  };
}
