import assert from 'node:assert/strict';
import type { DerivedMetric } from '../../../src/diagnostics/chart.js';
import type { ChartData, ChartFrame } from '../../../src/diagnostics/chart-series/answer.js';
import { readsHours } from '../../../src/diagnostics/chart-series/frame.js';
import { round2, round3 } from '../../../src/diagnostics/rounding.js';
import { bucketOf, middleOf } from '../../../src/diagnostics/sketch.js';
import { MINUTE_MS } from '../../../src/diagnostics/timeframe.js';
import { durationOf, isEntry, type PlainLog, type PlainSpan } from '../../support/naive-rollups.js';
import { randomNumbers } from '../../support/random-numbers.js';
import { HOUR_MS, hourly, inputOf, span } from '../given-rollups.js';
import { expectedSeries, type Expectation, type Expected, type Measured } from './expected-series.js';
import { FRAMES, SERVICES, shown, withWholeHours, type Stretches } from './given-charts.js';

type Item<T> = T & Measured;

/** Each figure differs by service, operation and time; a third of the time is silence. */
function trafficIn({ fromMs, nowMs }: ChartFrame, seed: number): { spans: PlainSpan[]; logs: PlainLog[] } {
  const roll = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(list.length * roll() ** 2)];
  const from = fromMs - 10 * MINUTE_MS;
  const moment = (): number => from + (roll() < 0.5 ? 0.4 * roll() : 0.7 + 0.3 * roll()) * (Math.min(nowMs, HOUR_MS) - from - 1000);
  const spans = Array.from({ length: 2500 }, () => {
    const service = pick(SERVICES);
    return span({ service, operation: pick(['GET /', 'GET /a', 'POST /b', 'job']), kind: roll() < 0.7 ? 'SERVER' : 'CLIENT', parentId: roll() < 0.5 ? 'p' : '', endMs: moment(), ms: Math.exp(3 + 5 * roll()), error: roll() < 0.1 });
  });
  const logs = Array.from({ length: 2500 }, () => ({ service: pick(SERVICES), timeUs: Math.floor(moment() * 1000), severity: 1 + Math.floor(24 * roll()), template: 'x' }));
  return { spans, logs };
}

/** Nearest rank, to the bucket of a sketch. */
function percentile(spans: readonly PlainSpan[], p: number): number {
  const sorted = spans.map(durationOf).sort((a, b) => a - b);
  return middleOf(bucketOf(sorted[Math.max(1, Math.ceil((p / 100) * sorted.length)) - 1])) / 1e6;
}

function apdex(spans: readonly PlainSpan[]): number {
  const scores = spans.map((one) => (one.error || durationOf(one) > 2000e6 ? 0 : durationOf(one) > 500e6 ? 0.5 : 1));
  return total(scores) / spans.length;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]): number => total(values) / values.length;

type Values<T extends Measured> = Omit<Expectation<T>, 'groupOf'>;

const OF_SPANS: Readonly<Partial<Record<DerivedMetric, Values<Item<PlainSpan>>>>> = {
  request_rate: { valueOf: (spans, seconds) => spans.length / seconds, round: round2, empty: 0 },
  error_rate: { valueOf: (spans) => 100 * mean(spans.map(({ error }) => Number(error))), round: round2 },
  latency_avg: { valueOf: (spans) => mean(spans.map(durationOf)) / 1e6, round: round2 },
  latency_p50: { valueOf: (spans) => percentile(spans, 50), round: round2 },
  latency_p95: { valueOf: (spans) => percentile(spans, 95), round: round2 },
  latency_p99: { valueOf: (spans) => percentile(spans, 99), round: round2 },
  apdex: { valueOf: apdex, round: round3, direction: 1 },
};

const errorsOf = (logs: readonly PlainLog[]): number => logs.filter(({ severity }) => severity >= 17).length;
const OF_LOGS: Readonly<Partial<Record<DerivedMetric, Values<Item<PlainLog>>>>> = {
  log_rate: { valueOf: (logs, seconds) => logs.length / seconds, round: round2, empty: 0 },
  error_log_rate: { valueOf: (logs, seconds) => errorsOf(logs) / seconds, round: round2, empty: 0 },
};

function assertShows(data: ChartData, expected: readonly Expected[]): void {
  assert.deepEqual(data.series.map(({ label }) => label), expected.map(({ label }) => label));
  data.series.forEach(({ points }, i) => assert.deepEqual(points, expected[i].points, expected[i].label));
  assert.ok(expected.length > 0 && expected.some(({ points }) => points.length > 3));
}

for (const [name, frame] of FRAMES) {
  describe(`charts of thousands of requests over ${name} agree with plain arithmetic on them`, () => {
    const { spans, logs } = trafficIn(frame, 92);
    const input = inputOf(spans, { logs });
    const variants: readonly Stretches[] = readsHours(frame) ? [input, wholeHours(input, frame)] : [input];
    const entries = spans.filter(isEntry).map((one) => ({ ...one, atMs: Number(one.endNs / 1000n) / 1000 }));
    const records = logs.map((one) => ({ ...one, atMs: one.timeUs / 1000 }));

    for (const [metric, values] of Object.entries(OF_SPANS)) {
      it(`${metric}, of everything, by service, by operation`, () => {
        for (const stretches of variants) {
          const only = entries.filter(({ service }) => service === 'service b');
          assertShows(shown({ metric, groupBy: 'service' }, stretches, frame), expectedSeries(entries, frame, { groupOf: ({ service }) => service, ...values }));
          assertShows(shown({ metric, groupBy: 'operation' }, stretches, frame), expectedSeries(entries, frame, { groupOf: ({ service, operation }) => `${service} ${operation}`, ...values }));
          assertShows(shown({ metric, groupBy: 'operation', serviceName: 'service b' }, stretches, frame), expectedSeries(only, frame, { groupOf: ({ operation }) => operation, ...values }));
          const [all] = expectedSeries(entries, frame, { groupOf: () => '', ...values });
          const [one] = expectedSeries(only, frame, { groupOf: () => '', ...values });
          assert.deepEqual(shown({ metric }, stretches, frame).series[0].points, all.points);
          assert.deepEqual(shown({ metric, serviceName: 'service b' }, stretches, frame).series[0].points, one.points);
        }
      });
    }

    it('latency', () => {
      const lines = [50, 95, 99].map((p) => expectedSeries(entries, frame, { groupOf: () => `p${p}`, valueOf: (own) => percentile(own, p), round: round2 })[0]);
      for (const stretches of variants) assertShows(shown({ metric: 'latency' }, stretches, frame), lines);
    });

    for (const [metric, values] of Object.entries(OF_LOGS)) {
      it(`${metric}, of everything, by service, by severity`, () => {
        for (const stretches of variants) {
          assertShows(shown({ metric, groupBy: 'service' }, stretches, frame), expectedSeries(records, frame, { groupOf: ({ service }) => service, ...values }));
          assert.deepEqual(shown({ metric }, stretches, frame).series[0].points, expectedSeries(records, frame, { groupOf: () => '', ...values })[0].points);
          const bySeverity = shown({ metric, groupBy: 'severity' }, stretches, frame).series;
          const names = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'].slice(metric === 'log_rate' ? 0 : 4);
          assert.deepEqual(bySeverity.map(({ label }) => label), names);
          for (const { label, points } of bySeverity) {
            const own = records.filter(({ severity }) => Math.floor((severity - 1) / 4) === ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'].indexOf(label));
            assert.deepEqual(points, expectedSeries(own, frame, { groupOf: () => '', ...OF_LOGS.log_rate! })[0].points, label);
          }
        }
      });
    }
  });
}

function wholeHours(input: ReturnType<typeof inputOf>, frame: ChartFrame): Stretches {
  const hours = hourly(input);
  return {
    grids: withWholeHours(input.grids, hours.grids, frame),
    services: withWholeHours(input.services, hours.services, frame),
    logs: withWholeHours(input.logs, hours.logs, frame),
    metrics: [],
  };
}
