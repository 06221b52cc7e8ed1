import type { QuantileValue } from '../../telemetry/metric-distributions.js';
import { selectLargestExemplars, sumBuckets } from './distribution-sums.js';
import { sumBy } from './grouped-sums.js';
import { limitsBeyond, observedLimits, type ValueRange } from './observed-range.js';
import { copySeries, isDistributionKind, type MetricKind, type MetricSeriesRollup } from './rollup-types.js';

/** Sum of rollups of the same metric series; unit, last value and quantiles are those of the newest point. */
export function sumSeries(parts: readonly MetricSeriesRollup[]): MetricSeriesRollup {
  const { limits: _ofNewest, ...newest } = copySeries(parts.reduce(pickNewerSeries));
  const extremes = pickExtremes(parts, newest.kind, (part) => part);
  return {
    ...newest,
    points: sumBy(parts, ({ points }) => points),
    sum: sumBy(parts, ({ sum }) => sum),
    count: sumBy(parts, ({ count }) => count),
    ...extremes,
    ...limitsBeyond(extremes, pickExtremes(parts, newest.kind, observedLimits)),
    buckets: sumBuckets(parts.map(({ buckets }) => buckets)),
    exemplars: selectLargestExemplars(parts.map(({ exemplars }) => exemplars)),
  };
}

function pickExtremes(
  parts: readonly MetricSeriesRollup[],
  kind: MetricKind,
  rangeOf: (part: MetricSeriesRollup) => ValueRange,
): ValueRange {
  return {
    min: pickExtreme(parts, kind, (part) => rangeOf(part).min, Math.min),
    max: pickExtreme(parts, kind, (part) => rangeOf(part).max, Math.max),
  };
}

/** NaN if no part has a value; for distributions also if any part with observations lacks it. */
function pickExtreme(
  parts: readonly MetricSeriesRollup[],
  kind: MetricKind,
  valueOf: (part: MetricSeriesRollup) => number,
  pick: (a: number, b: number) => number,
): number {
  const values = parts
    .filter((part) => (isDistributionKind(kind) ? part.count > 0 : !Number.isNaN(valueOf(part))))
    .map(valueOf);
  return values.length === 0 ? NaN : values.reduce((a, b) => pick(a, b));
}

/**
 * The series with the newest point; at equal times the one with the larger value, then the unit that sorts last, then
 * by quantiles.
 */
function pickNewerSeries(a: MetricSeriesRollup, b: MetricSeriesRollup): MetricSeriesRollup {
  if (a.lastUs !== b.lastUs) return a.lastUs > b.lastUs ? a : b;
  if (a.last !== b.last) return a.last > b.last ? a : b;
  if (a.unit !== b.unit) return a.unit > b.unit ? a : b;
  return compareQuantiles(a.quantiles, b.quantiles) > 0 ? a : b;
}

function compareQuantiles(a: readonly QuantileValue[], b: readonly QuantileValue[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = a[i][0] - b[i][0] || a[i][1] - b[i][1];
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
