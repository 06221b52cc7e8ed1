import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { ChartClient, type ChartFields, type RangeData } from '../../support/chart-client.js';
import {
  apdex,
  average,
  durationMs,
  errorRate,
  isEntry,
  named,
  percentile,
  round2,
  round3,
  within,
} from '../../support/diagnostics-oracle.js';
import { logsOf } from '../../support/otlp-requests.js';
import { exportRequests, shopTraffic, type PlainSpan } from '../../support/shop-traffic.js';

const MINUTE_MS = 60_000;
const NOW = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const FROM = NOW - 90 * MINUTE_MS;
const TO = NOW - 30 * MINUTE_MS;

type Points = readonly (readonly [atMs: number, value: number])[];
/** Value of the entry spans of a step of `seconds`; undefined: no data point. */
type Measure = (spans: readonly PlainSpan[], seconds: number) => number | undefined;

const someOf =
  (measure: (spans: readonly PlainSpan[]) => number): Measure =>
  (spans) =>
    spans.length === 0 ? undefined : measure(spans);
const MEASURES: Readonly<Record<string, Measure>> = {
  request_rate: (spans, seconds) => round2(spans.length / seconds),
  error_rate: someOf((spans) => round2(errorRate(spans))),
  latency_avg: someOf((spans) => round2(average(spans))),
  latency_p50: someOf((spans) => percentile(spans, 50)),
  latency_p95: someOf((spans) => percentile(spans, 95)),
  latency_p99: someOf((spans) => percentile(spans, 99)),
  apdex: someOf((spans) => round3(apdex(spans))),
};

/** Points of steps that start at multiples of `stepMs` and may extend beyond the range. */
function expected(spans: readonly PlainSpan[], measure: Measure, fromMs: number, toMs: number, stepMs: number): Points {
  const points: (readonly [number, number])[] = [];
  for (let atMs = Math.floor(fromMs / stepMs) * stepMs; atMs < toMs; atMs += stepMs) {
    const step = { fromMs: Math.max(atMs, fromMs), toMs: Math.min(atMs + stepMs, toMs) };
    const value = measure(within(spans, step), (step.toMs - step.fromMs) / 1000);
    if (value !== undefined) points.push([atMs, value]);
  }
  return points;
}

const pointsOf = (series: RangeData['series'][number]): Points =>
  series.dataPoints.map(({ timestamp, value }) => [Date.parse(timestamp), value]);

/** Percentiles are computed from sketches with an error of up to 1 %. */
function assertSame(actual: Points, wanted: Points, metric: string): void {
  const isNear = metric.startsWith('latency_p');
  assert.deepEqual(
    actual.map(([atMs]) => new Date(atMs).toISOString()),
    wanted.map(([atMs]) => new Date(atMs).toISOString()),
    metric,
  );
  actual.forEach(([atMs, value], i) => {
    const tolerance = isNear ? 0.01 * wanted[i][1] + 0.005 : 0;
    assert.ok(
      Math.abs(value - wanted[i][1]) <= tolerance,
      `${metric} at ${new Date(atMs).toISOString()}: ${value} is not ${wanted[i][1]}`,
    );
  });
}

describe('charts of thousands of spans and log records with known results', function () {
  this.timeout(120_000);
  // There is no telemetry in the last ten minutes: latencies have a gap there, rates are 0.
  const spans = shopTraffic({ seed: 4, traces: 1_500, fromMs: NOW - 190 * MINUTE_MS, toMs: TO - 10 * MINUTE_MS });
  const entries = spans.filter(isEntry);
  const services = [...new Set(within(entries, { fromMs: FROM, toMs: TO }).map(({ service }) => service))].sort();
  const severities = [1, 5, 9, 13, 17, 21];
  const logs = Array.from({ length: 900 }, (_, i) => ({
    atMs: NOW - 100 * MINUTE_MS + Math.floor((i * 80 * MINUTE_MS) / 900),
    severity: severities[(i * i) % 6],
  }));
  let box: BlackBox;
  let charting: ChartClient;
  const show = (fields: ChartFields, fromMs = FROM, toMs = TO): Promise<RangeData> =>
    charting.show(fields, fromMs, toMs);

  before(async () => {
    box = await BlackBox.start();
    charting = await ChartClient.with(box);
    await box.record('traces', ...exportRequests(spans, 4));
    await box.record(
      'logs',
      logsOf(
        'gateway',
        ...logs.map(({ atMs, severity }, i) => ({
          time: BigInt(atMs) * 1_000_000n,
          severityNumber: severity,
          body: `entry ${i}`,
        })),
      ),
    );
  });
  after(() => box.dispose());

  for (const [metric, measure] of Object.entries(MEASURES)) {
    it(`${metric} of the whole Grid, minute by minute`, async () => {
      const data = await show({ metric });
      assert.equal(data.series.length, 1);
      assertSame(pointsOf(data.series[0]), expected(entries, measure, FROM, TO, MINUTE_MS), metric);
      assert.deepEqual([data.rangeStart, data.rangeEnd], [new Date(FROM).toISOString(), new Date(TO).toISOString()]);
    });

    it(`${metric} of one service, and of each service`, async () => {
      const one = await show({ metric, serviceName: 'orders' });
      assertSame(pointsOf(one.series[0]), expected(named(entries, 'orders'), measure, FROM, TO, MINUTE_MS), metric);
      const grouped = await show({ metric, groupBy: 'service' });
      assert.deepEqual(grouped.series.map(({ label }) => label).sort(), services);
      for (const series of grouped.series)
        assertSame(pointsOf(series), expected(named(entries, series.label), measure, FROM, TO, MINUTE_MS), metric);
    });

    it(`${metric} of each operation of a service`, async () => {
      const { series } = await show({ metric, serviceName: 'gateway', groupBy: 'operation' });
      assert.deepEqual(series.map(({ label }) => label).sort(), ['GET /orders', 'POST /orders']);
      for (const { label, dataPoints } of series) {
        const own = named(entries, 'gateway').filter(({ name }) => name === label);
        assertSame(pointsOf({ label, dataPoints }), expected(own, measure, FROM, TO, MINUTE_MS), metric);
      }
    });
  }

  it('uses longer steps if minutes would exceed 400 points, and clips them at the range', async () => {
    for (const [hours, stepMinutes] of [
      [2, 1],
      [6, 1],
      [8, 2],
      [12, 2],
      [24, 5],
      [26, 60],
      [7 * 24, 60],
      [30 * 24, 120],
    ]) {
      const fromMs = NOW - hours * 60 * MINUTE_MS + 7 * MINUTE_MS;
      const { series } = await show({ metric: 'request_rate', serviceName: 'gateway' }, fromMs, NOW - 7 * MINUTE_MS);
      assertSame(
        pointsOf(series[0]),
        expected(
          named(entries, 'gateway'),
          MEASURES.request_rate,
          fromMs,
          NOW - 7 * MINUTE_MS,
          stepMinutes * MINUTE_MS,
        ),
        `${hours} h`,
      );
      assert.ok(series[0].dataPoints.length <= 400);
    }
    const week = await show({ metric: 'latency_p95', serviceName: 'gateway' }, NOW - 7 * 24 * 60 * MINUTE_MS, NOW);
    assertSame(
      pointsOf(week.series[0]),
      expected(named(entries, 'gateway'), MEASURES.latency_p95, NOW - 7 * 24 * 60 * MINUTE_MS, NOW, 60 * MINUTE_MS),
      'latency_p95',
    );
  });

  it('`latency` has three percentile series', async () => {
    const { series, unit } = await show({ metric: 'latency', serviceName: 'gateway' });
    assert.deepEqual([unit, series.map(({ label }) => label)], ['ms', ['p50', 'p95', 'p99']]);
    for (const one of series)
      assertSame(
        pointsOf(one),
        expected(named(entries, 'gateway'), MEASURES[`latency_${one.label}`], FROM, TO, MINUTE_MS),
        `latency_${one.label}`,
      );
  });

  it('the slowest service comes first', async () => {
    const { series } = await show({ metric: 'latency_p95', groupBy: 'service' });
    const inWindow = within(entries, { fromMs: FROM, toMs: TO });
    const slowest = [...services].sort(
      (a, b) => percentile(named(inWindow, b), 95) - percentile(named(inWindow, a), 95),
    );
    assert.deepEqual(
      series.map(({ label }) => label),
      slowest,
    );
    assert.ok(Math.max(...named(inWindow, slowest[0]).map(durationMs)) > 1000);
  });

  it('log records by severity, and errors among them', async () => {
    const rate = (chosen: readonly number[]): Points => {
      const inMinute = (atMs: number): number =>
        logs.filter((log) => Math.floor(log.atMs / MINUTE_MS) * MINUTE_MS === atMs && chosen.includes(log.severity))
          .length;
      return Array.from(
        { length: 60 },
        (_, i) => [FROM + i * MINUTE_MS, round2(inMinute(FROM + i * MINUTE_MS) / 60)] as const,
      );
    };
    const all = await show({ metric: 'log_rate' });
    assertSame(pointsOf(all.series[0]), rate(severities), 'log_rate');
    const errors = await show({ metric: 'error_log_rate', serviceName: 'gateway' });
    assertSame(pointsOf(errors.series[0]), rate([17, 21]), 'error_log_rate');
    const grouped = await show({ metric: 'log_rate', groupBy: 'severity' });
    const names = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Fatal'];
    const seen = severities.filter((severity) =>
      logs.some((log) => log.severity === severity && log.atMs >= FROM && log.atMs < TO),
    );
    assert.deepEqual(
      grouped.series.map(({ label }) => label),
      seen.map((severity) => names[severities.indexOf(severity)]),
    );
    grouped.series.forEach((series, i) => assertSame(pointsOf(series), rate([seen[i]]), series.label));
  });

  it('returns no series without data', async () => {
    for (const fields of [
      { metric: 'latency_p95', serviceName: 'nobody' },
      { metric: 'never.sent' },
      { metric: 'log_rate', serviceName: 'orders' },
    ]) {
      assert.deepEqual((await show(fields)).series, []);
    }
    assert.deepEqual(
      (await show({ metric: 'request_rate' }, NOW - 5 * 60 * MINUTE_MS, NOW - 4 * 60 * MINUTE_MS)).series,
      [],
    );
  });

  it('defaults to the last hour and shows new telemetry immediately', async () => {
    const id = await charting.create({ metric: 'request_rate', serviceName: 'just-now' });
    await box.record('traces', {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'just-now' } }] },
          scopeSpans: [
            {
              spans: [
                {
                  traceId: 'ab'.repeat(16),
                  spanId: 'cd'.repeat(8),
                  kind: 2,
                  name: 'GET /',
                  startTimeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
                  endTimeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
                },
              ],
            },
          ],
        },
      ],
    });
    const { rangeStart, rangeEnd, series } = await charting.rangeData(id);
    const minutes = (Date.parse(rangeEnd) - Date.parse(rangeStart)) / MINUTE_MS;
    assert.ok(minutes >= 60 && minutes <= 61, `${rangeStart} to ${rangeEnd}`);
    assert.ok(series[0].dataPoints.at(-1)!.value > 0 || series[0].dataPoints.at(-2)!.value > 0);
    assert.ok(
      series[0].dataPoints.filter(({ value }) => value === 0).length >= 58,
      'rates are 0 where no request came',
    );
  });
});
