import assert from 'node:assert/strict';
import { AGGREGATIONS, type Aggregation } from '../../../../src/diagnostics/chart-model.js';
import type { ChartWindow } from '../../../../src/diagnostics/chart-series/chart-series.js';
import { createChartWindow, usesHourlyRollups } from '../../../../src/diagnostics/chart-series/chart-window.js';
import type { MetricKind } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { randomNumbers } from '../../../support/random-numbers.js';
import { HOUR_MS } from '../given-rollups.js';
import { exponentialIndex } from '../support/naive-histogram.js';
import { assertNear, expectedSeries, type Expected, type Measured } from './expected-series.js';
import { FRAMES, SERVICES, computeChart, withWholeHours } from './given-charts.js';
import { grouped, hoursOf, minutesOf, point, seriesKey, type Point } from './given-points.js';

type Item<T> = T & Measured;

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]): number => total(values) / values.length;

const KINDS = ['gauge', 'falling sum', 'counter', 'histogram', 'exponential_histogram', 'summary'] as const;
type Kind = (typeof KINDS)[number];

const DEFINED: Readonly<Record<Kind, readonly string[]>> = {
  gauge: ['avg', 'sum', 'min', 'max', 'last', 'count'],
  'falling sum': ['avg', 'sum', 'min', 'max', 'last', 'count'],
  counter: ['sum', 'count', 'rate'],
  histogram: ['avg', 'sum', 'min', 'max', 'count', 'rate', 'p50', 'p95', 'p99'],
  exponential_histogram: ['avg', 'sum', 'min', 'max', 'count', 'rate', 'p50', 'p95', 'p99'],
  summary: ['avg', 'sum', 'min', 'max', 'count', 'rate', 'p50', 'p95', 'p99'],
};

/** Values are eighths, so that sums of them are exact in any order. */
function pointsIn({ fromMs, nowMs }: ChartWindow, kind: Kind, seed: number): Item<Point>[] {
  const roll = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(list.length * roll() ** 2)];
  const value = (): number => Math.floor(roll() * 160 - (kind === 'gauge' || kind === 'falling sum' ? 80 : 0)) / 8;
  return Array.from({ length: 1500 }, () => {
    const atMs = Math.floor(
      fromMs -
        5 * MINUTE_MS +
        (roll() < 0.5 ? 0.4 * roll() : 0.7 + 0.3 * roll()) * (Math.min(nowMs, HOUR_MS) - fromMs + 4 * MINUTE_MS),
    );
    const values = Array.from(
      { length: DEFINED[kind].includes('avg') && !DEFINED[kind].includes('last') ? 1 + Math.floor(4 * roll()) : 1 },
      value,
    );
    const [p50, p95] = [value(), value()].sort((a, b) => a - b);
    return {
      ...point({
        kind: kind === 'falling sum' || kind === 'counter' ? 'sum' : (kind satisfies MetricKind),
        monotonic: kind === 'counter',
        service: pick(SERVICES),
        instance: pick(['', 'i1', 'i2']),
        attributes: roll() < 0.2 ? [] : [['pool', pick(SERVICES).replace('service', 'pool')]],
        bounds: [1, 2, 5, 10],
        scale: 2,
        values,
        tellsExtremes: true,
        quantiles: [
          [0.5, p50],
          [0.95, p95],
          [0.99, p95],
        ],
      }),
      timeUs: atMs * 1000,
      atMs,
    };
  });
}

const seriesOf = <T extends Point>(points: readonly T[]): T[][] => grouped(points, seriesKey);
const newest = (points: readonly Point[]): Point =>
  points.reduce((a, b) =>
    b.timeUs > a.timeUs || (b.timeUs === a.timeUs && points.indexOf(b) > points.indexOf(a)) ? b : a,
  );
const all = (points: readonly Point[]): number[] => points.flatMap(({ values }) => values);

const isLevel = (kind: Kind): boolean => kind === 'gauge' || kind === 'falling sum';
const steppedWindow = (window: ChartWindow): ChartWindow => createChartWindow(window, window.nowMs);

/** The last value of each series, or the mean over the time of its steps. */
function summarize(series: readonly Expected[], window: ChartWindow, aggregation: Aggregation): Expected[] {
  const { stepMs } = steppedWindow(window);
  const lengthOf = (atMs: number): number =>
    Math.min(atMs + stepMs, window.toMs, window.nowMs) - Math.max(atMs, window.fromMs);
  const summarized = series.map(({ label, points }) => {
    const whole = total(points.map(({ atMs }) => lengthOf(atMs)));
    const average = total(points.map(({ atMs, value }) => value * lengthOf(atMs))) / whole;
    return { label, points: [{ atMs: window.fromMs, value: aggregation === 'last' ? points.at(-1)!.value : average }] };
  });
  const isOther = ({ label }: Expected): number => Number(label === 'other');
  return summarized.sort((a, b) => isOther(a) - isOther(b) || b.points[0].value - a.points[0].value);
}

/** Exactly what an aggregation is of these points; percentiles of histograms apart. */
function exactly(kind: Kind, aggregation: Aggregation, points: readonly Point[], seconds: number): number {
  switch (aggregation) {
    case 'avg':
      return mean(all(points));
    case 'sum':
      return isLevel(kind) ? total(seriesOf(points).map((own) => mean(all(own)))) : total(all(points));
    case 'min':
      return Math.min(...all(points));
    case 'max':
      return Math.max(...all(points));
    case 'last':
      return mean(seriesOf(points).map((own) => newest(own).values[0]));
    case 'count':
      return isLevel(kind) || kind === 'counter' ? points.length : all(points).length;
    case 'rate':
      return (kind === 'counter' ? total(all(points)) : all(points).length) / seconds;
    default:
      return Math.max(
        ...seriesOf(points).map(
          (own) => newest(own).quantiles.find(([q]) => q === Number(aggregation.slice(1)) / 100)![1],
        ),
      );
  }
}

const GROUPS: Readonly<Record<string, (point: Point) => string>> = {
  service: ({ service }) => service,
  instance: ({ instance }) => instance || '(none)',
  pool: ({ attributes }) => attributes[0]?.[1] ?? '(none)',
};

for (const [name, window] of FRAMES) {
  describe(`charts of OTLP metrics over ${name} agree with plain arithmetic on the measurements`, () => {
    for (const kind of KINDS) {
      const points = pointsIn(window, kind, 17);
      const minutes = minutesOf(points);
      const variants = usesHourlyRollups(window)
        ? [minutes, withWholeHours(minutes, hoursOf(minutes), window)]
        : [minutes];

      for (const aggregation of AGGREGATIONS.filter((each) => DEFINED[kind].includes(each))) {
        if (aggregation.startsWith('p') && kind !== 'summary') continue;
        it(`${aggregation} of a ${kind}`, () => {
          const valueOf = (own: readonly Item<Point>[], seconds: number): number =>
            exactly(kind, aggregation, own, seconds);
          const atOneTime = aggregation === 'last' || (aggregation === 'sum' && isLevel(kind));
          const ask = (groupOf: (point: Point) => string): Expected[] =>
            window.isWhole === true && atOneTime
              ? summarize(expectedSeries(points, steppedWindow(window), { groupOf, valueOf }), window, aggregation)
              : expectedSeries(points, window, { groupOf, valueOf });
          for (const metrics of variants) {
            assertNear(
              computeChart({ metric: 'load', aggregation }, { metrics }, window),
              ask(() => aggregation),
            );
            for (const [groupBy, groupOf] of Object.entries(GROUPS))
              assertNear(computeChart({ metric: 'load', aggregation, groupBy }, { metrics }, window), ask(groupOf));
          }
        });
      }

      if (kind !== 'histogram' && kind !== 'exponential_histogram') continue;
      it(`percentiles of a ${kind} lie in the bucket of the right observation`, () => {
        for (const metrics of variants) {
          for (const [aggregation, q] of [
            ['p50', 0.5],
            ['p95', 0.95],
            ['p99', 0.99],
          ] as const) {
            const exact = expectedSeries(points, window, {
              groupOf: () => '',
              valueOf: (own) => all(own).sort((a, b) => a - b)[Math.ceil(q * all(own).length) - 1],
            });
            const { series } = computeChart({ metric: 'load', aggregation }, { metrics }, window);
            assert.deepEqual(
              series[0].points.map(({ atMs }) => atMs),
              exact[0].points.map(({ atMs }) => atMs),
            );
            series[0].points.forEach(({ value }, i) => {
              const [lower, upper] = edgesOf(kind, exact[0].points[i].value);
              assert.ok(value >= lower && value <= upper * (1 + 1e-12), `${value} is not from ${lower} to ${upper}`);
            });
          }
        }
      });
    }
  });
}

function edgesOf(kind: Kind, value: number): readonly [number, number] {
  if (kind === 'histogram')
    return [[10, 5, 2, 1].find((bound) => bound < value) ?? 0, [1, 2, 5, 10].find((bound) => bound >= value) ?? 20];
  if (value === 0) return [0, 0];
  const index = exponentialIndex(value, 2);
  return [2 ** (index / 4), 2 ** ((index + 1) / 4)];
}
