import type { Aggregation } from '../chart-model.js';
import { isDistributionKind, type MetricSeriesRollup } from '../rollups/rollup-types.js';
import { estimateQuantile } from './histogram-quantile.js';
import { HistogramAccumulator } from './histogram-accumulator.js';
import {
  ExtremeAccumulator,
  type GroupAccumulator,
  type MeasurePair,
  PairedAccumulator,
  SumAccumulator,
  type SumMeasure,
} from './group-accumulators.js';
import { SeriesAccumulator, type SeriesMeasure, type ServiceSeries } from './series-accumulator.js';
import type { StepClock } from './chart-window.js';

/** Kind of a series for aggregation: gauges and non-monotonic sums are levels, monotonic sums are counters. */
export type SeriesKind = 'level' | 'counter' | 'histogram' | 'summary';

export function classifySeries({ kind, monotonic }: Pick<MetricSeriesRollup, 'kind' | 'monotonic'>): SeriesKind {
  if (kind === 'summary') return 'summary';
  if (isDistributionKind(kind)) return 'histogram';
  return kind === 'sum' && monotonic ? 'counter' : 'level';
}

const OBSERVATION_AGGREGATIONS: readonly Aggregation[] = [
  'avg',
  'sum',
  'count',
  'rate',
  'min',
  'max',
  'p50',
  'p95',
  'p99',
];

/** The aggregations that each kind of series supports. */
export const SUPPORTED_AGGREGATIONS: Readonly<Record<SeriesKind, readonly Aggregation[]>> = {
  level: ['avg', 'sum', 'min', 'max', 'last', 'count'],
  counter: ['rate', 'sum', 'count'],
  histogram: OBSERVATION_AGGREGATIONS,
  summary: OBSERVATION_AGGREGATIONS,
};

/** The aggregation that "" selects. */
export function defaultAggregation(kind: SeriesKind): Aggregation {
  return kind === 'counter' ? 'rate' : 'avg';
}

export const isAdditive = (aggregation: Aggregation): boolean =>
  aggregation === 'rate' || aggregation === 'count' || aggregation === 'sum';
const pointCount = ({ series }: ServiceSeries): number => series.points;

/** Measures that add up by step. */
const MEAN: SumMeasure<ServiceSeries> = {
  fields: [({ series }) => (hasSum(series) ? series.count : 0), sumOrZero],
  value: (sums, at) => sums[at + 1] / sums[at],
};
const SUM: SumMeasure<ServiceSeries> = {
  fields: [({ series }) => (hasSum(series) ? series.points : 0), sumOrZero],
  value: (sums, at) => sums[at + 1],
};
const COUNT: SumMeasure<ServiceSeries> = {
  fields: [pointCount, ({ series }) => observationCount(series)],
  value: (sums, at) => sums[at + 1],
};
const RATE: SumMeasure<ServiceSeries> = {
  fields: [pointCount, ({ series }) => (classifySeries(series) === 'counter' ? series.sum : series.count)],
  value: (sums, at, seconds) => sums[at + 1] / seconds,
};

function hasSum({ sum }: MetricSeriesRollup): boolean {
  return !Number.isNaN(sum);
}

/** Series without a sum add nothing. */
function sumOrZero({ series }: ServiceSeries): number {
  return hasSum(series) ? series.sum : 0;
}

/** Number of observations of distributions; else of points, which is all that is known of series beyond the limits. */
function observationCount(series: MetricSeriesRollup): number {
  return isDistributionKind(series.kind) ? series.count : series.points;
}

/** Sum of levels: the mean of each series, as it may have several points per step. */
const SUM_OF_MEANS: SeriesMeasure = {
  pair: ({ points, sum }) => [points, sum],
  accumulate: (pairs, at, points, sum) => {
    pairs[at] += points;
    pairs[at + 1] += sum;
  },
  value: (points, sum) => sum / points,
  combine: ({ sum }) => sum,
};

const keepNewest: SeriesMeasure['accumulate'] = (pairs, at, timeUs, value) => {
  if (timeUs < pairs[at] || (timeUs === pairs[at] && value <= pairs[at + 1])) return;
  pairs[at] = timeUs;
  pairs[at + 1] = value;
};

const LAST: SeriesMeasure = {
  pair: ({ lastUs, last }) => [lastUs, last],
  accumulate: keepNewest,
  value: (_timeUs, value) => value,
  combine: ({ count, sum }) => sum / count,
};

/** The newest quantile of each summary; of several series the largest, as quantiles cannot be added. */
function createQuantileMeasure(q: number): SeriesMeasure {
  const pair = ({ quantiles, lastUs }: MetricSeriesRollup): readonly [number, number] => {
    const entry = quantiles.find(([quantile]) => quantile === q);
    return entry === undefined ? [0, 0] : [lastUs, entry[1]];
  };
  return { pair, accumulate: keepNewest, value: (_timeUs, value) => value, combine: ({ max }) => max };
}

const QUANTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;
type AccumulatorFactory = () => GroupAccumulator<ServiceSeries>;

/**
 * Creates a factory of accumulators for an aggregation. "": levels and histograms are averaged, counters are shown as
 * rates; if a group contains both, `prefersRate` decides.
 */
export function createAccumulatorFactory(
  aggregation: Aggregation | '',
  clock: StepClock,
  prefersRate: () => boolean,
): AccumulatorFactory {
  switch (aggregation) {
    case '':
      return createDefaultFactory(clock, prefersRate);
    case 'avg':
      return () => new SumAccumulator(clock, MEAN);
    case 'count':
      return () => new SumAccumulator(clock, COUNT);
    case 'rate':
      return () => new SumAccumulator(clock, RATE);
    case 'sum':
      return createSumFactory(clock);
    case 'last':
      return () => new SeriesAccumulator(clock, LAST);
    case 'min':
      return () => new ExtremeAccumulator(clock, Math.min, minimum, pointCount);
    case 'max':
      return () => new ExtremeAccumulator(clock, Math.max, maximum, pointCount);
    case 'p50':
    case 'p95':
    case 'p99':
      return createQuantileFactory(clock, QUANTILES[aggregation]);
    default:
      return aggregation satisfies never;
  }
}

function minimum({ series }: ServiceSeries): number {
  return Number.isNaN(series.min) ? estimateQuantile(series.buckets, 0, series) : series.min;
}

function maximum({ series }: ServiceSeries): number {
  return Number.isNaN(series.max) ? estimateQuantile(series.buckets, 1, series) : series.max;
}

function createDefaultFactory(clock: StepClock, prefersRate: () => boolean): AccumulatorFactory {
  return createPairedFactory(clock, {
    createFirst: () => new SumAccumulator(clock, MEAN),
    createSecond: () => new SumAccumulator(clock, RATE),
    belongsToFirst: ({ series }) => classifySeries(series) !== 'counter',
    combine: (mean, rate) => (prefersRate() ? firstNumber(rate, mean) : firstNumber(mean, rate)),
  });
}

function createSumFactory(clock: StepClock): AccumulatorFactory {
  return createPairedFactory(clock, {
    createFirst: () => new SeriesAccumulator(clock, SUM_OF_MEANS),
    createSecond: () => new SumAccumulator(clock, SUM),
    belongsToFirst: ({ series }) => classifySeries(series) === 'level',
    combine: (levels, others) => combineNumbers(levels, others, (a, b) => a + b),
  });
}

function createQuantileFactory(clock: StepClock, q: number): AccumulatorFactory {
  const measure = createQuantileMeasure(q);
  return createPairedFactory(clock, {
    createFirst: () => new SeriesAccumulator(clock, measure),
    createSecond: () => new HistogramAccumulator(clock, q),
    belongsToFirst: ({ series }) => series.kind === 'summary',
    combine: (summaries, histograms) => combineNumbers(summaries, histograms, Math.max),
  });
}

function createPairedFactory(clock: StepClock, pair: MeasurePair<ServiceSeries>): AccumulatorFactory {
  return () => new PairedAccumulator(clock.count, pair);
}

function firstNumber(first: number, second: number): number {
  return Number.isNaN(first) ? second : first;
}

function combineNumbers(a: number, b: number, combine: (a: number, b: number) => number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : combine(a, b);
}
