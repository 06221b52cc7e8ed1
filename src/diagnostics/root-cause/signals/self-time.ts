import type { Finding } from '../finding.js';
import { splitsOfRise } from '../screen.js';
import type { OperationSeries } from '../series.js';
import { atSplit, watch, type Signal } from '../signal.js';
import { surpriseOfExtremes, type ExtremesOf } from '../extremes.js';
import { shiftOfMean, total, type Shift, type Split } from '../statistics.js';
import { count, milliseconds } from '../wording.js';

/** A rise of less than this many standard errors is none. */
const LEAST_SCORE = 2.5;

/**
 * Time that the spans of a service spend in themselves: neither in children nor in sibling calls. It tells the slow service
 * from those that wait for it (MicroRCA and MicroRank rank by whole latency and have to undo the propagation afterwards).
 * Calls count as wire or dependency time instead.
 */
export const selfTime: Signal = ({ services, timeline: { settled } }, { first, extremes }) => {
  const watched = services.flatMap(({ service, operations }) => {
    const own = operations.filter(isOwnWork).flatMap((operation) => watch(settledOf(operation, settled), splitsOfRise(operation.selfNs, operation.count, first)));
    return own.length === 0 ? [] : [{ service, own }];
  });
  return (split) => watched.flatMap(({ service, own }) => findingOf(service, atSplit(own, split), split, extremes) ?? []);
};

function findingOf(service: string, operations: readonly OperationSeries[], split: Split, extremes: ExtremesOf): Finding | undefined {
  const shifts = operations.flatMap((operation) => {
    const shift = shiftOfMean(operation.selfNs, operation.count, split);
    return shift === undefined ? [] : [{ operation, shift, added: (shift.after - shift.before) * shift.weightAfter }];
  });
  if (shifts.length === 0) return undefined;
  const added = shifts.reduce((sum, each) => sum + each.added, 0);
  const error = Math.hypot(...shifts.map(({ shift }) => shift.error * shift.weightAfter));
  const worst = shifts.reduce((a, b) => (b.added > a.added ? b : a));
  if (added < LEAST_SCORE * error) return undefined;
  const risen = shifts.filter((each) => each.added > 0);
  const surprise = surpriseOfExtremes(risen.map(({ operation }) => ({ count: operation.count, sketches: operation.self() })), 'slow', extremes, split);
  const usual = risen.reduce((sum, { shift }) => sum + shift.before * shift.weightAfter, 0) / 1e6;
  return { signal: 'self time', culprit: service, operation: worst.operation.operation, score: Math.min(added / error, 2 * surprise), amount: added / 1e6, usual, course: { sum: worst.operation.selfNs, weight: worst.operation.count, before: worst.shift.before, after: worst.shift.after }, sentence: () => sentence(worst.operation, worst.shift) };
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
function settledOf(operation: OperationSeries, settled: number): OperationSeries {
  const { calls, count, durationNs, selfNs } = operation;
  if (settled === count.length || calls.length === 0) return operation;
  const children = (from: number, to: number) => calls.reduce((sum, call) => sum + total(call.count, from, to), 0);
  const usual = children(0, settled) / Math.max(1, total(count, 0, settled));
  const isFixed = usual > 0.5 && Math.abs(usual - Math.round(usual)) <= FIXED * usual;
  const arrived = count.map((spans, i) => (i < settled ? 1 : Math.min(1, children(i, i + 1) / Math.max(1, usual * spans))));
  return {
    ...operation,
    count: count.map((spans, i) => (arrived[i] >= (isFixed ? ENOUGH : COMPLETE) ? spans : 0)),
    selfNs: selfNs.map((ns, i) => (arrived[i] < ENOUGH || arrived[i] === 1 ? ns : Math.max(0, durationNs[i] - (durationNs[i] - ns) / arrived[i]))),
  };
}

/** Calls wait; what they wait for is told by edges. */
function isOwnWork({ kind }: OperationSeries): boolean {
  return kind !== 'CLIENT' && kind !== 'PRODUCER';
}

function sentence({ operation }: OperationSeries, { before, after, weightAfter }: Shift): string {
  return `Self time of ${operation} rose from ${milliseconds(before)} to ${milliseconds(after)} a call (${count(weightAfter, 'call')})`;
}
