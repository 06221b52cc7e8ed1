import type { DiagnosticsInput } from '../diagnostics-input.js';
import type { OperationRollup, ServiceRollup } from '../rollups/rollup-types.js';
import type { SeriesTimeline } from './telemetry-series.js';

/** Operations of one service and bucket to compare: enough to tell, few enough to cost nothing. */
const COMPARED_OPERATIONS = 3;

/** Means of two parts of one measurement differ by the rounding of their sums, ns. */
const ROUNDING_NS = 2;

/** Longer runs of equal buckets are durations that never change, not steps. */
const MAX_STEP_BUCKETS = 15;

/** Share of the compared operations with equal means from which on two buckets are parts of one step. */
const MIN_EQUAL_SHARE = 0.5;

/**
 * Joins the minutes of each step where request metrics are reported in longer steps, which were divided evenly among
 * their minutes: five equal minutes are one observation, not five that confirm each other. Spans tell each minute.
 */
export function joinCoarseSteps(timeline: SeriesTimeline, services: DiagnosticsInput['services']): SeriesTimeline {
  const stepOf = assignSteps(timeline, groupByBucket(timeline, services));
  const stepCount = (stepOf[stepOf.length - 1] ?? -1) + 1;
  const sizes = new Array<number>(stepCount).fill(0);
  for (const step of stepOf) sizes[step]++;
  if (stepCount === stepOf.length || Math.max(...sizes) > MAX_STEP_BUCKETS) return timeline;
  const lengths = new Array<number>(stepCount).fill(0);
  timeline.lengths.forEach((minutes, i) => (lengths[stepOf[i]] += minutes));
  const starts = lengths.map((_, step) => timeline.starts[stepOf.indexOf(step)]);
  const isFirstOfStep = (i: number) => i < stepOf.length && (i === 0 || stepOf[i] !== stepOf[i - 1]);
  const toStep = (i: number) => (i >= stepOf.length ? stepCount : isFirstOfStep(i) ? stepOf[i] : stepOf[i] + 1);
  return {
    starts,
    lengths,
    windowStart: toStep(timeline.windowStart),
    firstComplete: timeline.firstComplete,
    settled: timeline.settled === stepOf.length ? stepCount : stepOf[timeline.settled],
    indexOf(minute) {
      const index = timeline.indexOf(minute);
      return index === undefined ? undefined : stepOf[index];
    },
  };
}

/** Those whose request metrics count, by name. */
type ServicesOfBucket = ReadonlyMap<string, ServiceRollup>;

function groupByBucket(timeline: SeriesTimeline, services: DiagnosticsInput['services']): ServicesOfBucket[] {
  const buckets = timeline.starts.map(() => new Map<string, ServiceRollup>());
  for (const { minute, value } of services)
    if (value.isEstimated === true) buckets[timeline.indexOf(minute) ?? -1]?.set(value.service, value);
  return buckets;
}

/** The step of each bucket, ascending. */
function assignSteps({ starts, lengths }: SeriesTimeline, buckets: readonly ServicesOfBucket[]): number[] {
  let step = -1;
  return buckets.map((bucket, i) => {
    const isAdjacent = i > 0 && starts[i] === starts[i - 1] + lengths[i - 1];
    if (!isAdjacent || !haveEqualMeans(buckets[i - 1], bucket)) step++;
    return step;
  });
}

function haveEqualMeans(before: ServicesOfBucket, after: ServicesOfBucket): boolean {
  let [compared, equal] = [0, 0];
  for (const [service, { operations }] of after) {
    const others = before.get(service)?.operations ?? [];
    for (let i = 0; i < Math.min(COMPARED_OPERATIONS, operations.length, others.length); i++) {
      const [a, b] = [operations[i], others[i]];
      if (a.operation !== b.operation || a.durationNs === 0 || b.durationNs === 0) continue;
      compared++;
      if (Math.abs(computeMean(a) - computeMean(b)) <= ROUNDING_NS) equal++;
    }
  }
  return compared > 0 && equal >= MIN_EQUAL_SHARE * compared;
}

function computeMean({ durationNs, count }: OperationRollup): number {
  return durationNs / count;
}
