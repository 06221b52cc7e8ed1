import { type EvidenceDetector, type Finding, selectAtSplit, toPrefilteredItems } from '../evidence-detector.js';
import { findMeanFallSplits, findMeanRiseSplits } from '../split-prefilter.js';
import type { OperationSeries } from '../telemetry-series.js';
import { type ExtremeCallCounter, scoreExtremeCalls } from '../extreme-calls.js';
import { estimateMeanShift, type MeanShift, type Split, sumRange } from '../robust-statistics.js';
import { formatCount, formatMilliseconds } from '../evidence-formatting.js';

/** A rise of less than this many standard errors is none. */
const LEAST_SCORE = 2.5;

/**
 * Time that the spans of a service spend in themselves: neither in children nor in sibling calls. It tells the slow service
 * from those that wait for it (MicroRCA and MicroRank rank by whole latency and have to undo the propagation afterwards).
 * Calls count as wire or dependency time instead.
 */
export const detectAddedSelfTime: EvidenceDetector = ({ services, timeline: { settled } }, { first, extremes }) => {
  const watched = services.flatMap(({ service, operations }) => {
    const own = operations
      .filter(isOwnWork)
      .flatMap((operation) =>
        toPrefilteredItems(
          estimateSettled(operation, settled),
          findMeanRiseSplits(operation.selfNs, operation.count, first),
        ),
      );
    return own.length === 0 ? [] : [{ service, own }];
  });
  return (split) =>
    watched.flatMap(
      ({ service, own }) => buildSelfTimeFinding(service, selectAtSplit(own, split), split, extremes) ?? [],
    );
};

function buildSelfTimeFinding(
  service: string,
  operations: readonly OperationSeries[],
  split: Split,
  extremes: ExtremeCallCounter,
): Finding | undefined {
  const shifts = operations.flatMap((operation) => {
    const shift = estimateMeanShift(operation.selfNs, operation.count, split);
    return shift === undefined ? [] : [{ operation, shift, added: (shift.after - shift.before) * shift.weightAfter }];
  });
  if (shifts.length === 0) return undefined;
  const added = shifts.reduce((sum, each) => sum + each.added, 0);
  const error = Math.hypot(...shifts.map(({ shift }) => shift.error * shift.weightAfter));
  const worst = shifts.reduce((a, b) => (b.added > a.added ? b : a));
  if (added < LEAST_SCORE * error) return undefined;
  const risen = shifts.filter((each) => each.added > 0);
  const surprise = scoreExtremeCalls(
    risen.map(({ operation }) => ({ count: operation.count, sketches: operation.self() })),
    'slow',
    extremes,
    split,
  );
  const usual = risen.reduce((sum, { shift }) => sum + shift.before * shift.weightAfter, 0) / 1e6;
  return {
    signal: 'self time',
    culprit: service,
    operation: worst.operation.operation,
    score: Math.min(added / error, 2 * surprise),
    amount: added / 1e6,
    usual,
    course: {
      sum: worst.operation.selfNs,
      weight: worst.operation.count,
      before: worst.shift.before,
      after: worst.shift.after,
    },
    sentence: () => describeSelfTime(worst.operation, worst.shift),
  };
}

/** Of the usual number of children, the share from which on they count as complete, and that with which self time can be estimated. */
const COMPLETE = 0.98;

const ENOUGH = 0.5;

/** How far from a whole number of children is a fixed number of them. */
const FIXED = 0.02;

/**
 * As long as children are on their way, their time counts as their parents' own. Where the number of children is fixed,
 * those that have come tell how much the others will cover; elsewhere such stretches are left out.
 */
function estimateSettled(operation: OperationSeries, settled: number): OperationSeries {
  const { calls, count, durationNs, selfNs } = operation;
  if (settled === count.length || calls.length === 0) return operation;
  const children = (from: number, to: number) => calls.reduce((sum, call) => sum + sumRange(call.count, from, to), 0);
  const usual = children(0, settled) / Math.max(1, sumRange(count, 0, settled));
  const isFixed = usual > 0.5 && Math.abs(usual - Math.round(usual)) <= FIXED * usual;
  const arrived = count.map((spans, i) =>
    i < settled ? 1 : Math.min(1, children(i, i + 1) / Math.max(1, usual * spans)),
  );
  return {
    ...operation,
    count: count.map((spans, i) => (arrived[i] >= (isFixed ? ENOUGH : COMPLETE) ? spans : 0)),
    selfNs: selfNs.map((ns, i) =>
      arrived[i] < ENOUGH || arrived[i] === 1 ? ns : Math.max(0, durationNs[i] - (durationNs[i] - ns) / arrived[i]),
    ),
  };
}

/** Calls wait; what they wait for is told by edges. */
function isOwnWork({ kind }: OperationSeries): boolean {
  return kind !== 'CLIENT' && kind !== 'PRODUCER';
}

function describeSelfTime({ operation }: OperationSeries, { before, after, weightAfter }: MeanShift): string {
  return `Self time of ${operation} rose from ${formatMilliseconds(before)} to ${formatMilliseconds(after)} a call (${formatCount(weightAfter, 'call')})`;
}

/** Self time must fall to this share, at least. */
const MAX_REMAINING_SHARE = 0.6;

/** Less work is good news as often as bad: its evidence counts half. */
const SKIPPED_WORK_WEIGHT = 0.5;

/**
 * Operations that are done much sooner than they used to be: whoever returns early, or throws at once, saves time. The
 * only trace of such a fault in a service that calls nobody and logs nothing.
 */
export const detectSkippedWork: EvidenceDetector = ({ services }, { first, extremes }) => {
  const watched = services.flatMap(({ service, operations }) => {
    const own = operations.filter(({ kind }) => kind !== 'CLIENT' && kind !== 'PRODUCER');
    return own.flatMap((operation) =>
      toPrefilteredItems(
        { service, operation },
        findMeanFallSplits(operation.selfNs, operation.count, first, MAX_REMAINING_SHARE),
      ),
    );
  });
  return (split) =>
    selectAtSplit(watched, split).flatMap(({ service, operation }) => {
      const shift = estimateMeanShift(operation.selfNs, operation.count, split);
      if (shift === undefined || shift.after > MAX_REMAINING_SHARE * shift.before) return [];
      const score = scoreExtremeCalls(
        [{ count: operation.count, sketches: operation.self() }],
        'fast',
        extremes,
        split,
      );
      return score <= 0 ? [] : [buildSkippedWorkFinding(service, operation, shift, score)];
    });
};

function buildSkippedWorkFinding(
  service: string,
  { operation, selfNs, count }: OperationSeries,
  { before, after, weightAfter }: MeanShift,
  score: number,
): Finding {
  const text = `Self time of ${operation} fell from ${formatMilliseconds(before)} to ${formatMilliseconds(after)} a call, as if it no longer did its work`;
  return {
    signal: 'shortcut',
    culprit: service,
    operation,
    score: SKIPPED_WORK_WEIGHT * score * (1 - after / before) ** 2,
    amount: weightAfter,
    course: { sum: selfNs, weight: count, before, after },
    sentence: () => text,
  };
}
