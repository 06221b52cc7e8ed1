import { haveCommonBounds, subtractBuckets } from '../../../diagnostics/rollups/distribution-sums.js';
import { limitsBeyond, type ValueRange } from '../../../diagnostics/rollups/observed-range.js';
import type { HistogramBuckets } from '../../../telemetry/metric-distributions.js';
import type { MetricPoint } from './metric-point.js';
import { isAfter, type PointTime } from './recent-point-times.js';

/** What a point adds to the rollup of its minute, see MetricSeriesRollup. */
export interface Contribution {
  /** NaN in `sum`, `min` or `max`: not reported. */
  readonly sum: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  /** See ObservedRange. */
  readonly limits?: ValueRange;
  /** Undefined if the point or its predecessor reported no buckets, or none that can be compared. */
  readonly buckets: HistogramBuckets | undefined;
}

/** The newest point of a series. */
export interface NewestPoint {
  readonly startUs: number;
  /** NaN: a histogram without a sum. */
  readonly value: number;
  readonly count: number;
  readonly buckets: HistogramBuckets | undefined;
  readonly delta: boolean;
}

/**
 * Computes the contribution of a point. Cumulative points contribute their difference to the newest point before
 * (OpenTelemetry metrics data model, "Resets and gaps"). After a reset, recognised by a later start, a smaller value,
 * fewer observations in a bucket or another kind of buckets, the whole value contributes. A point that is older than the newest
 * contributes nothing: the newest includes it. After a delta point a cumulative one contributes nothing, because the
 * difference is unknown: two exporters send the same series, or a sender has changed. `newestTime`: time of the newest
 * point. `beganInSight`: for a first point, everything that it reports happened since its series could be observed.
 */
export function computeContribution(
  point: MetricPoint,
  newest: NewestPoint | undefined,
  newestTime: PointTime,
  beganInSight: boolean,
): Contribution {
  if (!point.cumulative) return wholeContribution(point);
  if (newest === undefined) return beganInSight ? wholeContribution(point) : emptyContribution(point);
  if (!isAfter(point, newestTime)) return emptyContribution(point);
  if (startsLater(point, newest, newestTime.timeUs)) return wholeContribution(point);
  if (newest.delta) return emptyContribution(point);
  return (hasReset(point, newest) ? undefined : computeIncrement(point, newest)) ?? wholeContribution(point);
}

/**
 * Start (µs) of the interval that a point's contribution covers: of delta points their own, of cumulative ones the
 * later of their start and the point before (`newestTime`; undefined for a first one). The time of the point itself
 * where its values stand for themselves, or where it reports no start before it.
 */
export function findIntervalStart(
  { cumulative, delta, startUs, timeUs }: MetricPoint,
  newestTime: PointTime | undefined,
): number {
  const fromUs = delta ? startUs : cumulative ? Math.max(startUs, newestTime?.timeUs ?? 0) : timeUs;
  return fromUs > 0 && fromUs < timeUs ? fromUs : timeUs;
}

function wholeContribution({ kind, value, observations, min, max, buckets }: MetricPoint): Contribution {
  if (kind === 'gauge' || kind === 'sum') return { sum: value, count: 1, min: value, max: value, buckets: undefined };
  return { sum: finiteOrNaN(value), count: observations, min: finiteOrNaN(min), max: finiteOrNaN(max), buckets };
}

function emptyContribution({ kind }: MetricPoint): Contribution {
  return { sum: 0, count: kind === 'sum' ? 1 : 0, min: NaN, max: NaN, buckets: undefined };
}

const UNKNOWN_EXTREMES: ValueRange = { min: NaN, max: NaN };

/** Undefined if the buckets indicate a reset. */
function computeIncrement(
  { kind, value, observations, buckets: now, ...point }: MetricPoint,
  newest: NewestPoint,
): Contribution | undefined {
  const sum = finiteOrNaN(value) - newest.value;
  if (kind === 'sum') return { sum, count: 1, min: sum, max: sum, buckets: undefined };
  const { buckets: before } = newest;
  const areComparable = now !== undefined && before !== undefined && haveCommonBounds(now, before);
  const buckets = areComparable ? subtractBuckets(now, before) : undefined;
  if (areComparable && buckets === undefined) return undefined;
  const count = observations - newest.count;
  // Summaries report quantiles of a window of their own.
  if (kind === 'summary') return { sum, count, ...UNKNOWN_EXTREMES, buckets };
  const sinceStart = { min: finiteOrNaN(point.min), max: finiteOrNaN(point.max) };
  return { sum, count, ...UNKNOWN_EXTREMES, ...limitsBeyond(UNKNOWN_EXTREMES, sinceStart), buckets };
}

function startsLater({ startUs }: MetricPoint, newest: NewestPoint, newestUs: number): boolean {
  return startUs > (newest.startUs > 0 ? newest.startUs : newestUs);
}

function hasReset({ kind, value, observations }: MetricPoint, newest: NewestPoint): boolean {
  return kind === 'sum' ? value < newest.value : observations < newest.count;
}

/** Infinite values count as not reported. */
export function finiteOrNaN(value: number): number {
  return Number.isFinite(value) ? value : NaN;
}
