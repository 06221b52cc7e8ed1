import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AGGREGATIONS, DERIVED_METRICS, type NewChart } from '../../../../src/diagnostics/chart-model.js';
import { createChartFold } from '../../../../src/diagnostics/chart-series/chart-fold.js';
import type { ChartData, ChartWindow, ChartSeries } from '../../../../src/diagnostics/chart-series/chart-series.js';
import type { ChartFold } from '../../../../src/diagnostics/chart-series/chart-fold-contract.js';
import { METRIC_KINDS, type TimeBucket } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { HOUR_MS, hourly, inputOf, minutesAgo, span } from '../given-rollups.js';
import { chartOf, frameOf, SERVICES, computeChart, withWholeHours, type TimeBuckets } from './given-charts.js';
import { hoursOf, minutesOf, point } from './given-points.js';

const DAYS = frameOf(2 * 1440 + 17);
const MINUTES = frameOf(90);
const TWO_HOURS_EACH = frameOf(20 * 1440);

/** Somewhere in the three hours before the hour, often in the same minutes. */
const MINUTE = fc.oneof(fc.integer({ min: -180, max: -1 }), fc.integer({ min: -65, max: -55 }));
/** One more often than all others, so that series come again. */
const NAME = fc.oneof(fc.constant(SERVICES[0]), fc.constantFrom(...SERVICES));

const SPAN = fc
  .record({
    service: NAME,
    operation: fc.constantFrom('a', 'b', 'c'),
    ms: fc.integer({ min: 0, max: 5000 }),
    error: fc.boolean(),
    minute: MINUTE,
    kind: fc.constantFrom('SERVER', 'CLIENT', 'CONSUMER'),
    parentId: fc.constantFrom('', 'p'),
  })
  .map(({ minute, kind, ...rest }) => span({ ...rest, kind: kind as 'SERVER', endMs: minutesAgo(-minute) }));
const LOG = fc
  .record({ service: NAME, minute: MINUTE, severity: fc.integer({ min: 1, max: 24 }) })
  .map(({ service, minute, severity }) => ({
    service,
    timeUs: (HOUR_MS + minute * 60_000) * 1000,
    severity,
    template: 'x',
  }));
const POINT = fc
  .record({
    service: NAME,
    instance: fc.constantFrom('', 'i1', 'i2'),
    kind: fc.constantFrom(...METRIC_KINDS),
    monotonic: fc.boolean(),
    minute: MINUTE,
    unit: fc.constantFrom('By', '1'),
    // Eighths add up exactly in any order.
    values: fc.array(
      fc.integer({ min: 0, max: 80 }).map((eighths) => eighths / 8),
      { minLength: 1, maxLength: 5 },
    ),
    tellsExtremes: fc.boolean(),
    tellsSum: fc.boolean(),
    bounds: fc.constantFrom([1, 2, 5], [0, 4]),
    attributes: fc.constantFrom([], [['pool', 'a'] as const], [['pool', 'b'] as const]),
  })
  .map(({ kind, monotonic, values, ...rest }) =>
    point({
      ...rest,
      kind,
      monotonic: kind === 'sum' && monotonic,
      values: kind === 'gauge' || kind === 'sum' ? values.slice(0, 1) : values,
      quantiles: [
        [0.5, values[0]],
        [0.95, values[values.length - 1]],
      ],
    }),
  );

const TIME_BUCKETS: fc.Arbitrary<TimeBuckets> = fc
  .record({
    spans: fc.array(SPAN, { maxLength: 60 }),
    logs: fc.array(LOG, { maxLength: 40 }),
    points: fc.array(POINT, { maxLength: 60 }),
  })
  .map(({ spans, logs, points }) => ({ ...inputOf(spans, { logs }), metrics: minutesOf(withDistinctTimes(points)) }));

/** A series has one point at one time, as the projection sees to. */
function withDistinctTimes(points: readonly ReturnType<typeof point>[]): ReturnType<typeof point>[] {
  return points.map((each, i) => ({ ...each, timeUs: each.timeUs + i }));
}

const CHART: fc.Arbitrary<NewChart> = fc.oneof(
  fc
    .record({
      metric: fc.constantFrom(...DERIVED_METRICS),
      groupBy: fc.constantFrom('', 'service', 'operation', 'severity'),
      serviceName: fc.constantFrom('', SERVICES[0]),
    })
    .map(chartOf),
  fc
    .record({
      metric: fc.constant('load'),
      groupBy: fc.constantFrom('', 'service', 'instance', 'pool'),
      aggregation: fc.constantFrom('' as const, ...AGGREGATIONS),
      serviceName: fc.constantFrom('', SERVICES[0]),
    })
    .map(chartOf),
);

function shuffled(chart: NewChart, timeBuckets: TimeBuckets, window: ChartWindow, order: readonly number[]): ChartData {
  const fold = createChartFold(chart, window);
  const parts = timeBuckets[fold.part] as readonly TimeBucket<never>[];
  const keyed = parts
    .map((timeBucket, i) => ({ interval: timeBucket, key: order[i % order.length] + i / 1000 }))
    .sort((a, b) => a.key - b.key);
  for (const { interval: timeBucket } of keyed) fold.add(timeBucket);
  return fold.compute();
}

function byHour(timeBuckets: TimeBuckets, window: ChartWindow): TimeBuckets {
  const input = { ...inputOf([]), ...timeBuckets };
  const hours = hourly(input);
  return {
    grids: withWholeHours(input.grids, hours.grids, window),
    services: withWholeHours(input.services, hours.services, window),
    logs: withWholeHours(input.logs, hours.logs, window),
    metrics: withWholeHours(input.metrics, hoursOf(input.metrics), window),
  };
}

type Hours = ReadonlyMap<number, ChartFold>;

/** What the chart makes of each hour of the frame, by its first minute. */
function foldedHours(chart: NewChart, timeBuckets: TimeBuckets, window: ChartWindow, maxBytes?: number): Hours {
  const whole = createChartFold(chart, window, maxBytes);
  const hours = new Map<number, ChartFold>();
  for (const timeBucket of timeBuckets[whole.part] as readonly TimeBucket<never>[]) {
    const hour = timeBucket.minute - (timeBucket.minute % 60);
    const fold = hours.get(hour) ?? whole.createBucketFold(hour, 60);
    hours.set(hour, fold);
    fold.add(timeBucket);
  }
  return hours;
}

function ofHours(chart: NewChart, hours: Hours, window: ChartWindow, maxBytes?: number): ChartFold {
  const fold = createChartFold(chart, window, maxBytes);
  for (const [hour, folded] of hours) fold.mergeBucketFold(hour, folded);
  return fold;
}

/** Percentiles of buckets that were added up in another order differ in the last digits. */
function assertSame(actual: ChartData, expected: ChartData): void {
  const rough = ({ points, ...series }: ChartSeries): unknown => ({
    ...series,
    points: points.map(({ atMs, value }) => [atMs, Number(value.toPrecision(12))]),
  });
  assert.deepEqual(
    { ...actual, series: actual.series.map(rough) },
    { ...expected, series: expected.series.map(rough) },
  );
}

describe('what a chart shows', () => {
  it('does not depend on the order in which time buckets come', () => {
    const order = fc.array(fc.nat(20), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(CHART, TIME_BUCKETS, fc.constantFrom(DAYS, MINUTES), order, (chart, timeBuckets, window, keys) =>
        assertSame(shuffled(chart, timeBuckets, window, keys), shuffled(chart, timeBuckets, window, [0])),
      ),
      { numRuns: 300 },
    );
  });

  it('is the same from minutes and from their hours, where steps are whole hours', () => {
    // Which extremes and sums stand for a whole hour is for the sums of rollups to say: here a series tells them always.
    const received = TIME_BUCKETS.map((timeBuckets) => ({
      ...timeBuckets,
      metrics: timeBuckets.metrics.map((timeBucket) => ({
        ...timeBucket,
        value: {
          ...timeBucket.value,
          series: timeBucket.value.series.filter(({ min, sum }) => !Number.isNaN(min + sum)),
        },
      })),
    }));
    fc.assert(
      fc.property(CHART, received, (chart, timeBuckets) =>
        assertSame(computeChart(chart, byHour(timeBuckets, DAYS), DAYS), computeChart(chart, timeBuckets, DAYS)),
      ),
      { numRuns: 300 },
    );
  });

  it('is the same where hours are folded by themselves, and in frames that have been given them before', () => {
    fc.assert(
      fc.property(CHART, TIME_BUCKETS, fc.constantFrom(DAYS, TWO_HOURS_EACH), (chart, timeBuckets, window) => {
        const hours = foldedHours(chart, timeBuckets, window);
        const expected = computeChart(chart, timeBuckets, window);
        for (let times = 0; times < 2; times++) assertSame(ofHours(chart, hours, window).compute(), expected);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same from hours that another chart with the same key has folded', () => {
    let same = 0;
    fc.assert(
      fc.property(CHART, fc.constantFrom(...DERIVED_METRICS), TIME_BUCKETS, (chart, metric, timeBuckets) => {
        const other = { ...chart, metric };
        if (metric === chart.metric || createChartFold(other, DAYS).key !== createChartFold(chart, DAYS).key) return;
        same++;
        assertSame(
          ofHours(chart, foldedHours(other, timeBuckets, DAYS), DAYS).compute(),
          computeChart(chart, timeBuckets, DAYS),
        );
      }),
      { numRuns: 2_000 },
    );
    assert.ok(same > 20, `${same} pairs`);
  });

  it('shows groups completely or not at all if an hour has more than a chart distinguishes', () => {
    // Those that the bounded hour gives up lead in the other one.
    const spans = [100, 101, 102, 30].flatMap((minutes) =>
      SERVICES.filter((_, i) => minutes < 101 || i >= 10).map((service) =>
        span({
          service,
          operation: 'a',
          ms: 5,
          error: false,
          kind: 'SERVER',
          parentId: '',
          endMs: minutesAgo(minutes),
        }),
      ),
    );
    const chart = chartOf({ metric: 'request_rate', groupBy: 'service' });
    const given = { ...inputOf(spans), metrics: [] };
    const [, hour] = foldedHours(chart, given, DAYS).keys();
    const bounded = new Map([
      ...foldedHours(chart, given, DAYS),
      [hour, foldedHours(chart, given, DAYS, 3_000).get(hour)!],
    ]);
    assert.equal(bounded.size, 2);
    const { series } = ofHours(chart, bounded, DAYS).compute();
    assert.ok(
      series.length < SERVICES.length && series.at(-1)?.label === 'other',
      series.map(({ label }) => label).join(),
    );
    for (const { label, points } of series)
      assert.ok(label === 'other' || points.filter(({ value }) => value > 0).length === 2, label);
  });

  it('loses nothing if hours have more groups than a chart distinguishes', () => {
    fc.assert(
      fc.property(fc.constantFrom('request_rate', 'log_rate'), TIME_BUCKETS, (metric, timeBuckets) => {
        const chart = chartOf({ metric, groupBy: 'service' });
        const bounded = ofHours(chart, foldedHours(chart, timeBuckets, DAYS), DAYS, 30_000).compute();
        assertAddsUp(bounded, computeChart({ metric }, timeBuckets, DAYS), 12 * 0.005);
      }),
      { numRuns: 100 },
    );
  });

  it('adds up by group to the whole, of what adds up', () => {
    const groups = fc.constantFrom(
      { aggregation: 'sum', groupBy: 'service' },
      { aggregation: 'rate', groupBy: 'service' },
      { aggregation: 'count', groupBy: 'service' },
      { aggregation: 'sum', groupBy: 'pool' },
      { aggregation: 'count', groupBy: 'instance' },
    ) as fc.Arbitrary<Partial<NewChart>>;
    fc.assert(
      fc.property(groups, TIME_BUCKETS, fc.constantFrom(DAYS, MINUTES), (chart, timeBuckets, window) => {
        assertAddsUp(
          computeChart({ metric: 'load', ...chart }, timeBuckets, window),
          computeChart({ metric: 'load', ...chart, groupBy: '' }, timeBuckets, window),
          1e-9,
        );
      }),
      { numRuns: 150 },
    );
    fc.assert(
      fc.property(
        fc.constantFrom('request_rate', 'log_rate', 'error_log_rate'),
        TIME_BUCKETS,
        fc.constantFrom(DAYS, MINUTES),
        (metric, timeBuckets, window) => {
          assertAddsUp(
            computeChart({ metric, groupBy: 'service' }, timeBuckets, window),
            computeChart({ metric }, timeBuckets, window),
            12 * 0.005,
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is at most ten groups and all others, each with points in ascending order within the frame', () => {
    fc.assert(
      fc.property(CHART, TIME_BUCKETS, fc.constantFrom(DAYS, MINUTES), (chart, timeBuckets, window) => {
        const { series } = computeChart(chart, timeBuckets, window);
        assert.ok(series.length <= 11);
        for (const { points } of series) {
          assert.ok(
            points.length > 0 &&
              points.every(
                ({ atMs, value }, i) =>
                  Number.isFinite(value) &&
                  atMs + window.stepMs > window.fromMs &&
                  atMs < window.toMs &&
                  (i === 0 || atMs > points[i - 1].atMs),
              ),
          );
        }
      }),
      { numRuns: 150 },
    );
  });
});

function assertAddsUp(grouped: ChartData, whole: ChartData, tolerance: number): void {
  const sums = new Map<number, number>();
  for (const { atMs, value } of grouped.series.flatMap(({ points }) => points))
    sums.set(atMs, (sums.get(atMs) ?? 0) + value);
  const points = whole.series.at(0)?.points ?? [];
  assert.deepEqual(
    [...sums.keys()].sort((a, b) => a - b),
    points.map(({ atMs }) => atMs),
  );
  for (const { atMs, value } of points)
    assert.ok(Math.abs(sums.get(atMs)! - value) <= tolerance, `${sums.get(atMs)} is not ${value}`);
}
