import { sumMetric } from '../../../../src/diagnostics/rollups/rollup-sums.js';
import {
  isDistributionKind,
  type MetricKind,
  type MetricRollup,
  type MetricSeriesRollup,
  type TimeBucket,
} from '../../../../src/diagnostics/rollups/rollup-types.js';
import type { HistogramBuckets, Exemplar, QuantileValue } from '../../../../src/telemetry/metric-distributions.js';
import { HOUR_MS } from '../given-rollups.js';
import { explicitOf, exponentialOf } from '../support/naive-histogram.js';

/** A data point as it was measured. */
export interface Point {
  readonly service: string;
  readonly instance: string;
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  readonly attributes: readonly (readonly [string, string])[];
  readonly timeUs: number;
  /** Of gauges and sums one, of counters the increment; else the observations since the point before. */
  readonly values: readonly number[];
  /** Of a histogram. */
  readonly bounds: readonly number[];
  /** Of an exponential histogram. */
  readonly scale: number;
  readonly tellsExtremes: boolean;
  /** Of observations. */
  readonly tellsSum: boolean;
  readonly quantiles: readonly QuantileValue[];
  readonly exemplars: readonly Exemplar[];
}

export interface PointLike extends Partial<Omit<Point, 'timeUs' | 'values'>> {
  /** Before the hour. */
  readonly minute?: number;
  readonly second?: number;
  readonly value?: number;
  readonly values?: readonly number[];
}

export const BOUNDS = [0, 1, 2, 4, 8];

/** A point of a gauge called `load`, in the last minute before the hour, unless a test says otherwise. */
export function point({ minute = -1, second = 0, value = 1, values = [value], ...rest }: PointLike = {}): Point {
  const usual = {
    service: 'shop',
    instance: 'i1',
    metric: 'load',
    unit: '1',
    kind: 'gauge',
    monotonic: false,
    attributes: [],
    bounds: BOUNDS,
    scale: 2,
    tellsExtremes: true,
    tellsSum: true,
    quantiles: [],
    exemplars: [],
  } as const;
  return { ...usual, timeUs: HOUR_MS * 1000 + (minute * 60 + second) * 1e6, values, ...rest };
}

/** Rollups of the minutes of these points, in order of time. */
export function minutesOf(points: readonly Point[]): TimeBucket<MetricRollup>[] {
  const timeBuckets = grouped(points, ({ service, timeUs }) => `${Math.floor(timeUs / 60e6)} ${service}`);
  return timeBuckets
    .map((own) => ({
      minute: Math.floor(own[0].timeUs / 60e6),
      minutes: 1,
      value: { service: own[0].service, series: grouped(own, seriesKey).map(seriesRollup) },
    }))
    .sort((a, b) => a.minute - b.minute);
}

/** The same with hours in place of their minutes, as they are made of them. */
export function hoursOf(minutes: readonly TimeBucket<MetricRollup>[]): TimeBucket<MetricRollup>[] {
  const hours = grouped(minutes, ({ minute, value }) => `${Math.floor(minute / 60)} ${value.service}`);
  return hours.map((own) => ({
    minute: Math.floor(own[0].minute / 60) * 60,
    minutes: 60,
    value: sumMetric(own.map(({ value }) => value)),
  }));
}

export function seriesKey({ service, metric, kind, monotonic, instance, attributes }: Point): string {
  return JSON.stringify([service, metric, kind, monotonic, instance, attributes]);
}

export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

function seriesRollup(points: readonly Point[]): MetricSeriesRollup {
  const { metric, kind, monotonic, instance, attributes, tellsExtremes, tellsSum } = points[0];
  const values = points.flatMap((each) => each.values);
  const newest = points.reduce((a, b) => (b.timeUs >= a.timeUs ? b : a));
  const isReported = values.length > 0 && tellsExtremes;
  const isUnsummed = values.length > 0 && isDistributionKind(kind) && !tellsSum;
  return {
    metric,
    unit: newest.unit,
    kind,
    monotonic,
    instance,
    attributes,
    points: points.length,
    sum: isUnsummed ? NaN : values.reduce((a, b) => a + b, 0),
    count: values.length,
    min: isReported ? Math.min(...values) : NaN,
    max: isReported ? Math.max(...values) : NaN,
    last: newest.values.at(-1) ?? NaN,
    lastUs: newest.timeUs,
    buckets: bucketsOf(points),
    quantiles: newest.quantiles,
    exemplars: points.flatMap(({ exemplars }) => exemplars),
  };
}

function bucketsOf(points: readonly Point[]): HistogramBuckets[] {
  if (points[0].kind !== 'histogram' && points[0].kind !== 'exponential_histogram') return [];
  return grouped(points, ({ bounds }) => JSON.stringify(bounds))
    .filter((own) => own.some(({ values }) => values.length > 0))
    .map((own) => {
      const values = own.flatMap((each) => each.values);
      return points[0].kind === 'histogram' ? explicitOf(values, own[0].bounds) : exponentialOf(values, own[0].scale);
    });
}
