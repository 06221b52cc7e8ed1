import type { Aggregation } from '../chart.js';
import { isOfObservations, type MetricSeriesRollup } from '../rollups.js';
import { quantileOf } from './bucket-quantile.js';
import { BucketRow } from './bucket-row.js';
import { ExtremeRow } from './extreme-row.js';
import type { GroupRow } from './group-row.js';
import { NumberRow, type SumMeasure } from './number-row.js';
import { PairedRow, type Pair } from './paired-row.js';
import { SeriesRow, type SeriesMeasure, type SeriesOf } from './series-row.js';
import type { StepClock } from './step-clock.js';

/** What a series is to an aggregation: gauges and sums that may fall are levels, monotonic sums counters. */
export type Sort = 'level' | 'counter' | 'histogram' | 'summary';

export function sortOf({ kind, monotonic }: Pick<MetricSeriesRollup, 'kind' | 'monotonic'>): Sort {
  if (kind === 'summary') return 'summary';
  if (isOfObservations(kind)) return 'histogram';
  return kind === 'sum' && monotonic ? 'counter' : 'level';
}

const OF_OBSERVATIONS: readonly Aggregation[] = ['avg', 'sum', 'count', 'rate', 'min', 'max', 'p50', 'p95', 'p99'];

/** What is defined for what. */
export const AGGREGATIONS_OF: Readonly<Record<Sort, readonly Aggregation[]>> = {
  level: ['avg', 'sum', 'min', 'max', 'last', 'count'],
  counter: ['rate', 'sum', 'count'],
  histogram: OF_OBSERVATIONS,
  summary: OF_OBSERVATIONS,
};

/** What "" means. */
export function usualAggregation(sort: Sort): Aggregation {
  return sort === 'counter' ? 'rate' : 'avg';
}

export const isAdditive = (aggregation: Aggregation): boolean => aggregation === 'rate' || aggregation === 'count' || aggregation === 'sum';

const pointsOf = ({ series }: SeriesOf): number => series.points;

/** Values that add up, by step. */
const MEAN: SumMeasure<SeriesOf> = { fields: [({ series }) => (tellsSum(series) ? series.count : 0), sumOf], value: (sums, at) => sums[at + 1] / sums[at] };
const SUM: SumMeasure<SeriesOf> = { fields: [({ series }) => (tellsSum(series) ? series.points : 0), sumOf], value: (sums, at) => sums[at + 1] };
const COUNT: SumMeasure<SeriesOf> = { fields: [pointsOf, ({ series }) => countOf(series)], value: (sums, at) => sums[at + 1] };
const RATE: SumMeasure<SeriesOf> = {
  fields: [pointsOf, ({ series }) => (sortOf(series) === 'counter' ? series.sum : series.count)],
  value: (sums, at, seconds) => sums[at + 1] / seconds,
};

function tellsSum({ sum }: MetricSeriesRollup): boolean {
  return !Number.isNaN(sum);
}

/** Series that do not tell theirs add nothing. */
function sumOf({ series }: SeriesOf): number {
  return tellsSum(series) ? series.sum : 0;
}

/** Observations of those that have some; else points, which is all that is told of series past the bounds. */
function countOf(series: MetricSeriesRollup): number {
  return isOfObservations(series.kind) ? series.count : series.points;
}

/** What levels add up to: the mean of each, as they may have been told more than once a step. */
const MEANS: SeriesMeasure = {
  pair: ({ points, sum }) => [points, sum],
  take: (pairs, at, points, sum) => {
    pairs[at] += points;
    pairs[at + 1] += sum;
  },
  value: (points, sum) => sum / points,
  together: ({ sum }) => sum,
};

const takeNewest: SeriesMeasure['take'] = (pairs, at, timeUs, value) => {
  if (timeUs < pairs[at] || (timeUs === pairs[at] && value <= pairs[at + 1])) return;
  pairs[at] = timeUs;
  pairs[at + 1] = value;
};

const LAST: SeriesMeasure = {
  pair: ({ lastUs, last }) => [lastUs, last],
  take: takeNewest,
  value: (_timeUs, value) => value,
  together: ({ count, sum }) => sum / count,
};

/** What summaries told newest; of several the largest, as quantiles do not add up. */
function newestQuantile(q: number): SeriesMeasure {
  const pair = ({ quantiles, lastUs }: MetricSeriesRollup): readonly [number, number] => {
    const found = quantiles.find(([quantile]) => quantile === q);
    return found === undefined ? [0, 0] : [lastUs, found[1]];
  };
  return { pair, take: takeNewest, value: (_timeUs, value) => value, together: ({ max }) => max };
}

const QUANTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

type NewRow = () => GroupRow<SeriesOf>;

/**
 * Makes rows of what the aggregation is of a metric. "": levels and histograms are averaged, counters told by their rate; where
 * both meet, `prefersRate` decides.
 */
export function rowMaker(aggregation: Aggregation | '', clock: StepClock, prefersRate: () => boolean): NewRow {
  switch (aggregation) {
    case '':
      return usualRows(clock, prefersRate);
    case 'avg':
      return () => new NumberRow(clock, MEAN);
    case 'count':
      return () => new NumberRow(clock, COUNT);
    case 'rate':
      return () => new NumberRow(clock, RATE);
    case 'sum':
      return sumRows(clock);
    case 'last':
      return () => new SeriesRow(clock, LAST);
    case 'min':
      return () => new ExtremeRow(clock, Math.min, minOf, pointsOf);
    case 'max':
      return () => new ExtremeRow(clock, Math.max, maxOf, pointsOf);
    case 'p50':
    case 'p95':
    case 'p99':
      return quantileRows(clock, QUANTILES[aggregation]);
    default:
      return aggregation satisfies never;
  }
}

function minOf({ series }: SeriesOf): number {
  return Number.isNaN(series.min) ? quantileOf(series.buckets, 0, series) : series.min;
}

function maxOf({ series }: SeriesOf): number {
  return Number.isNaN(series.max) ? quantileOf(series.buckets, 1, series) : series.max;
}

function usualRows(clock: StepClock, prefersRate: () => boolean): NewRow {
  return pairedRows(clock, {
    newOne: () => new NumberRow(clock, MEAN),
    newTwo: () => new NumberRow(clock, RATE),
    belongsToOne: ({ series }) => sortOf(series) !== 'counter',
    together: (mean, rate) => (prefersRate() ? either(rate, mean) : either(mean, rate)),
  });
}

function sumRows(clock: StepClock): NewRow {
  return pairedRows(clock, {
    newOne: () => new SeriesRow(clock, MEANS),
    newTwo: () => new NumberRow(clock, SUM),
    belongsToOne: ({ series }) => sortOf(series) === 'level',
    together: (levels, others) => bothOf(levels, others, (a, b) => a + b),
  });
}

function quantileRows(clock: StepClock, q: number): NewRow {
  const measure = newestQuantile(q);
  return pairedRows(clock, {
    newOne: () => new SeriesRow(clock, measure),
    newTwo: () => new BucketRow(clock, q),
    belongsToOne: ({ series }) => series.kind === 'summary',
    together: (summaries, histograms) => bothOf(summaries, histograms, Math.max),
  });
}

function pairedRows(clock: StepClock, pair: Pair<SeriesOf>): NewRow {
  return () => new PairedRow(clock.count, pair);
}

function either(first: number, second: number): number {
  return Number.isNaN(first) ? second : first;
}

function bothOf(a: number, b: number, together: (a: number, b: number) => number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : together(a, b);
}
