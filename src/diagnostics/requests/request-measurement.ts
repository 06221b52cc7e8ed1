import type { Measures } from '../rollups/rollup-types.js';
import { Sketch } from '../rollups/sketch.js';
import { addDistribution, estimateSum } from './latency-sketch.js';
import type { RequestRow } from './request-row-reader.js';

const NS_PER_MS = 1e6;
/** Tolerating: up to four times the threshold (Apdex 1.1). */
const TOLERATING = 4;

/** Requests or calls of one kind, counted and timed by possibly different metrics. */
interface Tally {
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

/**
 * Requests of the rows as Measures. Counts and durations come from the metric of durations where there is one, so that
 * they belong together; without one, latency and durations are empty. Failures are the largest number that any of the
 * metrics tells, since metrics of durations often lack the attributes of failures. `apdexThresholdMs`: T of the Apdex;
 * unlike those of spans, scores follow its changes at once.
 */
export function measureRequests(rows: readonly RequestRow[], apdexThresholdMs: number): Measures {
  const [succeeded, failed] = [new Sketch(), new Sketch()];
  const tally = tallyRows(rows, succeeded, failed);
  const count = tally.timed > 0 ? tally.timed : Math.max(tally.counted, tally.failures);
  const errors = Math.min(count, Math.max(tally.timedFailures, tally.countedFailures, tally.failures));
  return {
    count,
    errors,
    durationNs: tally.durationNs,
    ...rateLatency(succeeded, count - errors, apdexThresholdMs * NS_PER_MS),
    latency: mergeInto(succeeded, failed),
  };
}

function tallyRows(rows: readonly RequestRow[], succeeded: Sketch, failed: Sketch): Tally {
  const tally: Tally = { timed: 0, timedFailures: 0, durationNs: 0, counted: 0, countedFailures: 0, failures: 0 };
  for (const row of rows) {
    const { kind, count } = row.values;
    if (kind === 'failures') tally.failures += count;
    else if (kind === 'requests') {
      tally.counted += count;
      tally.countedFailures += row.failed ? count : 0;
    } else addDurations(tally, row, row.failed ? failed : succeeded);
  }
  return tally;
}

function addDurations(tally: Tally, { failed, values }: RequestRow, sketch: Sketch): void {
  if (values.kind !== 'durations') return;
  const { count, series, unitNs } = values;
  tally.timed += count;
  tally.timedFailures += failed ? count : 0;
  const own = new Sketch();
  addDistribution(own, series, unitNs);
  tally.durationNs += Number.isNaN(series.sum) ? estimateSum(own) : Math.round(Math.max(0, series.sum) * unitNs);
  sketch.merge(own);
}

/**
 * Satisfied and tolerating of `count` successful requests. The distribution may contain failures that only a counter
 * tells: then its shares apply. Without any distribution every success satisfies.
 */
function rateLatency(latency: Sketch, count: number, thresholdNs: number): Pick<Measures, 'satisfied' | 'tolerating'> {
  if (latency.count === 0) return { satisfied: count, tolerating: 0 };
  const within = (ns: number): number => Math.round((count * (latency.count - latency.countAbove(ns))) / latency.count);
  const satisfied = within(thresholdNs);
  return { satisfied, tolerating: within(TOLERATING * thresholdNs) - satisfied };
}

function mergeInto(target: Sketch, other: Sketch): Sketch {
  target.merge(other);
  return target;
}
