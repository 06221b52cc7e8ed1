import type { Aggregation } from '../chart.js';
import { isOfObservations, type MetricSeriesRollup } from '../rollups.js';
import { quantileOf } from './bucket-quantile.js';
import { BucketRow } from './bucket-row.js';
import { ExtremeRow } from './extreme-row.js';
import type { GroupRow } from './group-row.js';
import { NumberRow, type SumMeasure } from './number-row.js';
import { PairedRow } from './paired-row.js';
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
const MEAN: SumMeasure<SeriesOf> = { fields: [({ series }) => series.count, ({ series }) => series.sum], value: (sums, at) => sums[at + 1] / sums[at] };
const SUM: SumMeasure<SeriesOf> = { fields: [pointsOf, ({ series }) => series.sum], value: (sums, at) => sums[at + 1] };
const COUNT: SumMeasure<SeriesOf> = { fields: [pointsOf, ({ series }) => countOf(series)], value: (sums, at) => sums[at + 1] };
const RATE: SumMeasure<SeriesOf> = {
  fields: [pointsOf, ({ series }) => (sortOf(series) === 'counter' ? series.sum : series.count)],
  value: (sums, at, seconds) => sums[at + 1] / seconds,
};

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

/**
 * A row of what the aggregation is of a metric. "": levels and histograms are averaged, counters told by their rate; where
 * both meet, `prefersRate` decides.
 */
export function aggregationRow(aggregation: Aggregation | '', clock: StepClock, prefersRate: () => boolean): GroupRow<SeriesOf> {
  switch (aggregation) {
    case '':
      return usualRow(clock, prefersRate);
    case 'avg':
      return new NumberRow(clock, MEAN);
    case 'count':
      return new NumberRow(clock, COUNT);
    case 'rate':
      return new NumberRow(clock, RATE);
    case 'sum':
      return sumRow(clock);
    case 'last':
      return new SeriesRow(clock, LAST);
    case 'min':
      return new ExtremeRow(clock, Math.min, ({ series }) => (Number.isNaN(series.min) ? quantileOf(series.buckets, 0, series) : series.min), pointsOf);
    case 'max':
      return new ExtremeRow(clock, Math.max, ({ series }) => (Number.isNaN(series.max) ? quantileOf(series.buckets, 1, series) : series.max), pointsOf);
    case 'p50':
    case 'p95':
    case 'p99':
      return quantileRow(clock, QUANTILES[aggregation]);
    default:
      return aggregation satisfies never;
  }
}

function usualRow(clock: StepClock, prefersRate: () => boolean): GroupRow<SeriesOf> {
  const together = (mean: number, rate: number): number => (prefersRate() ? either(rate, mean) : either(mean, rate));
  return new PairedRow(new NumberRow(clock, MEAN), new NumberRow(clock, RATE), ({ series }) => sortOf(series) !== 'counter', together);
}

function sumRow(clock: StepClock): GroupRow<SeriesOf> {
  const together = (levels: number, others: number): number => bothOf(levels, others, (a, b) => a + b);
  return new PairedRow(new SeriesRow(clock, MEANS), new NumberRow(clock, SUM), ({ series }) => sortOf(series) === 'level', together);
}

function quantileRow(clock: StepClock, q: number): GroupRow<SeriesOf> {
  const together = (summaries: number, histograms: number): number => bothOf(summaries, histograms, Math.max);
  return new PairedRow(new SeriesRow(clock, newestQuantile(q)), new BucketRow(clock, q), ({ series }) => series.kind === 'summary', together);
}

function either(first: number, second: number): number {
  return Number.isNaN(first) ? second : first;
}

function bothOf(a: number, b: number, together: (a: number, b: number) => number): number {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : together(a, b);
}
