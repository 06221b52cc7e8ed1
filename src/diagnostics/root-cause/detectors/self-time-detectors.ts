import { type EvidenceDetector, type Finding, selectAtSplit, toPrefilteredItems } from '../evidence-detector.js';
import { findMeanFallSplits, findMeanRiseSplits } from '../split-prefilter.js';
import type { OperationSeries } from '../telemetry-series.js';
import { type ExtremeCallCounter, scoreExtremeCalls } from '../extreme-calls.js';
import { type RecordedTime, computeInFlightShare } from '../recorded-time.js';
import { estimateMeanShift, type MeanShift, type Split, sumRange } from '../robust-statistics.js';
import { formatCount, formatMilliseconds } from '../evidence-formatting.js';

/** A rise by fewer standard errors is not significant. */
const MIN_SCORE = 2.5;

/**
 * Detects added self time of a service's spans: time in neither children nor sibling calls. It distinguishes the slow
 * service from those that wait for it (MicroRCA and MicroRank rank by total latency and have to undo the propagation
 * afterwards). Calls count as wire or dependency time instead.
 */
export const detectAddedSelfTime: EvidenceDetector = (
  { services, recorded, timeline: { settled } },
  { first, extremes },
) => {
  const prefiltered = services.flatMap(({ service, operations }) => {
    const prefilteredOperations = operations
      .filter(isOwnWork)
      .flatMap((operation) =>
        toPrefilteredItems(
          estimateComplete(operation, settled, recorded),
          findMeanRiseSplits(operation.selfNs, operation.count, first),
        ),
      );
    return prefilteredOperations.length === 0 ? [] : [{ service, own: prefilteredOperations }];
  });
  return (split) =>
    prefiltered.flatMap(
      ({ service, own: prefilteredOperations }) =>
        buildSelfTimeFinding(service, selectAtSplit(prefilteredOperations, split), split, extremes) ?? [],
    );
};

function buildSelfTimeFinding(
  service: string,
  operations: readonly OperationSeries[],
  split: Split,
  extremes: ExtremeCallCounter,
): Finding | undefined {
  const shifts = operations.flatMap((operation) => {
    const shift = estimateMeanShift(operation.selfNs, operation.count, split, operation.estimatedFromNs);
    return shift === undefined ? [] : [{ operation, shift, added: (shift.after - shift.before) * shift.weightAfter }];
  });
  if (shifts.length === 0) return undefined;
  const added = shifts.reduce((sum, each) => sum + each.added, 0);
  const error = Math.hypot(...shifts.map(({ shift }) => shift.error * shift.weightAfter));
  const worst = shifts.reduce((a, b) => (b.added > a.added ? b : a));
  if (added < MIN_SCORE * error) return undefined;
  const risen = shifts.filter((each) => each.added > 0);
  const extremeScore = scoreExtremeCalls(
    risen.map(({ operation }) => ({ count: operation.count, sketches: operation.self() })),
    'slow',
    extremes,
    split,
  );
  const usual = risen.reduce((sum, { shift }) => sum + shift.before * shift.weightAfter, 0) / 1e6;
  return {
    kind: 'self time',
    serviceName: service,
    operation: worst.operation.operation,
    score: Math.min(added / error, 2 * extremeScore),
    amount: added / 1e6,
    usual,
    stepSeries: {
      sum: worst.operation.selfNs,
      weight: worst.operation.count,
      before: worst.shift.before,
      after: worst.shift.after,
    },
    describe: () => describeSelfTime(worst.operation, worst.shift),
  };
}

/**
 * Shares of the usual number of children: from which on they count as complete, and from which on self time can be
 * estimated.
 */
const COMPLETE_SHARE = 0.98;

const MIN_ESTIMABLE_SHARE = 0.5;

/** Maximum relative deviation of a fixed number of children from a whole number. */
const FIXED_TOLERANCE = 0.02;

/** Where at most this share of the spans was under way when recording began, their children hardly matter. */
const MAX_IN_FLIGHT_SHARE = 0.01;

/**
 * Corrects recent buckets, and those within which recording began: while children have not arrived, or if they ended
 * before, their time counts as self time of their parents. If the number of children is fixed, those that are known
 * determine how much the others will cover; otherwise such buckets are excluded.
 */
function estimateComplete(operation: OperationSeries, settled: number, recorded: RecordedTime): OperationSeries {
  const { calls, count, durationNs, selfNs } = operation;
  if ((settled === count.length && !recorded.hasStarts) || calls.length === 0) return operation;
  const children = (from: number, to: number) => calls.reduce((sum, call) => sum + sumRange(call.count, from, to), 0);
  const usual = children(0, settled) / Math.max(1, sumRange(count, 0, settled));
  const isFixed = usual > 0.5 && Math.abs(usual - Math.round(usual)) <= FIXED_TOLERANCE * usual;
  const isComplete = (i: number) =>
    i < settled && computeInFlightShare(count[i], durationNs[i], recorded.sinceStartNs[i]) <= MAX_IN_FLIGHT_SHARE;
  const arrived = count.map((spans, i) =>
    isComplete(i) ? 1 : Math.min(1, children(i, i + 1) / Math.max(1, usual * spans)),
  );
  return {
    ...operation,
    count: count.map((spans, i) => (arrived[i] >= (isFixed ? MIN_ESTIMABLE_SHARE : COMPLETE_SHARE) ? spans : 0)),
    selfNs: selfNs.map((ns, i) =>
      arrived[i] < MIN_ESTIMABLE_SHARE || arrived[i] === 1
        ? ns
        : Math.max(0, durationNs[i] - (durationNs[i] - ns) / arrived[i]),
    ),
  };
}

/** Calls only wait; the edges measure for what. */
function isOwnWork({ kind }: OperationSeries): boolean {
  return kind !== 'CLIENT' && kind !== 'PRODUCER';
}

function describeSelfTime({ operation }: OperationSeries, { before, after, weightAfter }: MeanShift): string {
  return `${operation} itself takes ${formatMilliseconds(after)} per call instead of ${formatMilliseconds(before)} (${formatCount(weightAfter, 'call')})`;
}

/** Self time must fall to at most this share. */
const MAX_REMAINING_SHARE = 0.6;

/** Less work is often an improvement, so its evidence counts half. */
const SKIPPED_WORK_WEIGHT = 0.5;

/**
 * Detects operations that complete much sooner than before, because they return early or throw. For a service that
 * calls no others and logs nothing this is the only trace of such a fault.
 */
export const detectSkippedWork: EvidenceDetector = ({ services }, { first, extremes }) => {
  const prefiltered = services.flatMap(({ service, operations }) => {
    const own = operations.filter(({ kind }) => kind !== 'CLIENT' && kind !== 'PRODUCER');
    return own.flatMap((operation) =>
      toPrefilteredItems(
        { service, operation },
        findMeanFallSplits(operation.selfNs, operation.count, first, MAX_REMAINING_SHARE),
      ),
    );
  });
  return (split) =>
    selectAtSplit(prefiltered, split).flatMap(({ service, operation }) => {
      const shift = estimateMeanShift(operation.selfNs, operation.count, split, operation.estimatedFromNs);
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
  const text = `${operation} itself takes only ${formatMilliseconds(after)} per call instead of ${formatMilliseconds(before)}, as if it skipped its work`;
  return {
    kind: 'shortcut',
    serviceName: service,
    operation,
    score: SKIPPED_WORK_WEIGHT * score * (1 - after / before) ** 2,
    amount: weightAfter,
    stepSeries: { sum: selfNs, weight: count, before, after },
    describe: () => text,
  };
}
