import { sumBuckets } from '../rollups/distribution-sums.js';
import { sumBy } from '../rollups/grouped-sums.js';
import type { Measures } from '../rollups/rollup-types.js';
import { limitsBeyond, observedLimits, type ValueRange } from '../rollups/observed-range.js';
import { joinSketches, latencySketchBuilder, type ObservedDistribution } from './latency-sketch.js';
import type { RequestRow } from './request-row-reader.js';
import { groupBy } from './request-selection.js';

const NS_PER_MS = 1e6;
/** Tolerating: up to four times the threshold (Apdex 1.1). */
const TOLERATING = 4;

/** Requests or calls of one kind, counted and timed by possibly different metrics. */
interface RequestTotals {
  /** Of metrics of durations. */
  timed: number;
  timedFailures: number;
  durationNs: number;
  /** Of counters. */
  counted: number;
  countedFailures: number;
  /** Of counters of failures alone. */
  failures: number;
}

export type RequestCounts = Pick<Measures, 'count' | 'errors' | 'durationNs'>;

/**
 * Counts the requests of the rows. Counts and durations come from the metric of durations where there is one, so that
 * they belong together; without one, durations are 0. Failures are the largest number that any of the metrics reports,
 * since metrics of durations often lack the attributes of failures.
 */
export function countRequests(rows: readonly RequestRow[]): RequestCounts {
  const totals: RequestTotals = {
    timed: 0,
    timedFailures: 0,
    durationNs: 0,
    counted: 0,
    countedFailures: 0,
    failures: 0,
  };
  for (const row of rows) addToTotals(totals, row);
  const count = totals.timed > 0 ? totals.timed : Math.max(totals.counted, totals.failures);
  const errors = Math.min(count, Math.max(totals.timedFailures, totals.countedFailures, totals.failures));
  return { count, errors, durationNs: totals.durationNs };
}

function addToTotals(totals: RequestTotals, { failed, values }: RequestRow): void {
  const { count } = values;
  if (values.kind === 'durations') {
    const { series, unitNs } = values;
    totals.timed += count;
    totals.timedFailures += failed ? count : 0;
    totals.durationNs += Number.isNaN(series.sum)
      ? latencySketchBuilder.estimateSum(series, unitNs)
      : Math.round(Math.max(0, series.sum) * unitNs);
  } else if (values.kind === 'requests') {
    totals.counted += count;
    totals.countedFailures += failed ? count : 0;
  } else totals.failures += count;
}

/**
 * Requests of the rows as Measures: as `countRequests`, with their distribution, which is empty without a metric of
 * durations. `apdexThresholdMs`: T of the Apdex; unlike those of spans, scores follow its changes at once.
 */
export function measureRequests(rows: readonly RequestRow[], apdexThresholdMs: number): Measures {
  const counts = countRequests(rows);
  const builder = latencySketchBuilder;
  builder.clear();
  addDurations(rows, false);
  const rates = rateLatency(rows, counts.count - counts.errors, apdexThresholdMs * NS_PER_MS);
  addDurations(rows, true);
  return { ...counts, ...rates, latency: builder.pack() };
}

/** A distribution whose buckets are decoded; those of a stored series are decoded on each access. */
interface DecodedDistribution extends ObservedDistribution {
  readonly unitNs: number;
}

/** Adds the distributions of the successful or the failed rows; histograms of equal units are added up first. */
function addDurations(rows: readonly RequestRow[], failed: boolean): void {
  const histograms: DecodedDistribution[] = [];
  for (const { values, failed: isFailed } of rows) {
    if (values.kind !== 'durations' || isFailed !== failed) continue;
    const { unitNs, series } = values;
    const { count, sum, min, max, limits, buckets } = series;
    const one = { count, sum, min, max, ...(limits && { limits }), buckets, unitNs };
    if (buckets.length === 0) latencySketchBuilder.addDistribution(one, unitNs);
    else histograms.push(one);
  }
  for (const same of groupBy(histograms, ({ unitNs }) => unitNs).values())
    latencySketchBuilder.addDistribution(same.length === 1 ? same[0] : joinDistributions(same), same[0].unitNs);
}

/** NaN stays in the extremes: observations without reported ones may lie anywhere. */
function joinDistributions(parts: readonly ObservedDistribution[]): ObservedDistribution {
  const extremes = joinRanges(parts);
  return {
    count: sumBy(parts, ({ count }) => count),
    sum: sumBy(parts, ({ sum }) => sum),
    ...extremes,
    ...limitsBeyond(extremes, joinRanges(parts.map(observedLimits))),
    buckets: sumBuckets(parts.map(({ buckets }) => buckets)),
  };
}

function joinRanges(ranges: readonly ValueRange[]): ValueRange {
  return { min: Math.min(...ranges.map(({ min }) => min)), max: Math.max(...ranges.map(({ max }) => max)) };
}

/**
 * Satisfied and tolerating of `count` successful requests, of which the builder holds the distribution. That may contain
 * failures that only a counter reports: then its shares apply. Without any distribution every success satisfies.
 */
function rateLatency(
  rows: readonly RequestRow[],
  count: number,
  thresholdNs: number,
): Pick<Measures, 'satisfied' | 'tolerating'> {
  const timed = rows.reduce(
    (sum, { values, failed }) => sum + (values.kind === 'durations' && !failed ? values.count : 0),
    0,
  );
  if (timed === 0) return { satisfied: count, tolerating: 0 };
  const within = (ns: number): number => Math.round((count * latencySketchBuilder.countWithin(ns)) / timed);
  const satisfied = within(thresholdNs);
  return { satisfied, tolerating: within(TOLERATING * thresholdNs) - satisfied };
}

/** Sum of several measurements. */
export function joinMeasures(parts: readonly Measures[]): Measures {
  const sum = { count: 0, errors: 0, durationNs: 0, satisfied: 0, tolerating: 0 };
  for (const part of parts) {
    sum.count += part.count;
    sum.errors += part.errors;
    sum.durationNs += part.durationNs;
    sum.satisfied += part.satisfied;
    sum.tolerating += part.tolerating;
  }
  return { ...sum, latency: joinSketches(parts.map(({ latency }) => latency)) };
}
