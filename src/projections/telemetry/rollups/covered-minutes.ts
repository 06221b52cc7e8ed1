import { normalizeBuckets } from '../../../diagnostics/rollups/distribution-sums.js';
import type { HistogramBuckets } from '../../../telemetry/metric-distributions.js';
import type { Contribution } from './cumulative-to-delta.js';
import type { MetricPoint } from './metric-point.js';

const MINUTE_US = 60_000_000;

/** Intervals of more minutes are no steps of a series but gaps: their points count in the minute of their time. */
const MAX_MINUTES = 60;

/** The part of a contribution that falls into one minute since 1970. */
export interface MinuteContribution {
  readonly minute: number;
  readonly contribution: Contribution;
}

/** Whether a point may be divided; counts what that costs. */
export interface DivisionLimit {
  /** False: the point counts undivided, in the minute of its time. `firstMinute`, `minutes`: what it covers. */
  admit(point: DividedPoint, firstMinute: number, minutes: number, buckets: HistogramBuckets | undefined): boolean;
}

type DividedPoint = Pick<MetricPoint, 'source' | 'attributes' | 'exemplars'>;

/**
 * Divides what a point adds among the minutes that it covers: a point counts in the minute in which its interval
 * starts, and if that is longer, evenly in as many minutes as it is long. So rates are those of the interval, however
 * coarse the steps of the sender are. Numbers of observations are whole and add up to those of the point. `fromUs`:
 * start of the interval. Nothing is returned where nothing was added. Where `limit` does not admit it, a point that
 * covers several minutes counts in the minute of its time.
 */
export function divideAmongMinutes(
  point: Pick<MetricPoint, 'kind' | 'timeUs'> & DividedPoint,
  fromUs: number,
  contribution: Contribution,
  limit: DivisionLimit,
): readonly MinuteContribution[] {
  const { kind, timeUs } = point;
  const isCounter = kind === 'sum';
  if (isCounter ? contribution.sum === 0 : contribution.count === 0) return [];
  const minutes = Math.max(1, Math.round((timeUs - fromUs) / MINUTE_US));
  const first = Math.floor(fromUs / MINUTE_US);
  if (minutes === 1) return [{ minute: first, contribution }];
  if (minutes > MAX_MINUTES || !limit.admit(point, first, minutes, contribution.buckets))
    return [{ minute: Math.floor(timeUs / MINUTE_US), contribution }];
  const parts = Array.from({ length: minutes }, (_, i) => ({
    minute: first + i,
    contribution: isCounter ? takeCounterPart(contribution, i, minutes) : takePart(contribution, i, minutes),
  }));
  return parts.filter(({ contribution: part }) => (isCounter ? part.sum !== 0 : part.count > 0));
}

/** Whole increments stay whole. */
function takeCounterPart(contribution: Contribution, part: number, parts: number): Contribution {
  const { sum } = contribution;
  const share = Number.isInteger(sum) ? countInPart(0, sum, part, parts) : sum / parts;
  return { ...contribution, sum: share, min: share, max: share };
}

/** The sum is divided in proportion to the observations. */
function takePart(contribution: Contribution, part: number, parts: number): Contribution {
  const { sum, count, buckets } = contribution;
  const own = countInPart(0, count, part, parts);
  return { ...contribution, sum: (sum * own) / count, count: own, buckets: takeBuckets(buckets, part, parts) };
}

/** Observations take turns: the one with number n, counted from the smallest, falls into part n modulo `parts`. */
function takeBuckets(buckets: HistogramBuckets | undefined, part: number, parts: number): HistogramBuckets | undefined {
  if (buckets === undefined) return undefined;
  let from = 0;
  const take = (count: number): number => {
    const taken = countInPart(from, count, part, parts);
    from += count;
    return taken;
  };
  if (buckets.kind === 'explicit') return { ...buckets, counts: buckets.counts.map(take) };
  const { negative, zeroCount, positive } = buckets;
  return normalizeBuckets({
    ...buckets,
    negative: { ...negative, counts: negative.counts.map(take) },
    zeroCount: take(zeroCount),
    positive: { ...positive, counts: positive.counts.map(take) },
  });
}

/** How many of the `count` numbers from `from` on are `part` modulo `parts`. */
function countInPart(from: number, count: number, part: number, parts: number): number {
  const below = (number: number): number => Math.floor((number - part + parts - 1) / parts);
  return below(from + count) - below(from);
}
