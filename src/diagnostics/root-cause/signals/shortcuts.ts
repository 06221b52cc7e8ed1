import { surpriseOfExtremes } from '../extremes.js';
import type { Finding } from '../finding.js';
import { splitsOfFall } from '../screen.js';
import type { OperationSeries } from '../series.js';
import { atSplit, watch, type Signal } from '../signal.js';
import { shiftOfMean, type Shift } from '../statistics.js';
import { milliseconds } from '../wording.js';

/** Self time must fall to this share, at least. */
const MOST_LEFT = 0.6;
/** Less work is good news as often as bad: its evidence counts half. */
const WEIGHT = 0.5;

/**
 * Operations that are done much sooner than they used to be: whoever returns early, or throws at once, saves time. The
 * only trace of such a fault in a service that calls nobody and logs nothing.
 */
export const shortcuts: Signal = ({ services }, { first, extremes }) => {
  const watched = services.flatMap(({ service, operations }) => {
    const own = operations.filter(({ kind }) => kind !== 'CLIENT' && kind !== 'PRODUCER');
    return own.flatMap((operation) => watch({ service, operation }, splitsOfFall(operation.selfNs, operation.count, first, MOST_LEFT)));
  });
  return (split) =>
    atSplit(watched, split).flatMap(({ service, operation }) => {
      const shift = shiftOfMean(operation.selfNs, operation.count, split);
      if (shift === undefined || shift.after > MOST_LEFT * shift.before) return [];
      const score = surpriseOfExtremes([{ count: operation.count, sketches: operation.self() }], 'fast', extremes, split);
      return score <= 0 ? [] : [finding(service, operation, shift, score)];
    });
};

function finding(service: string, { operation, selfNs, count }: OperationSeries, { before, after, weightAfter }: Shift, score: number): Finding {
  const text = `Self time of ${operation} fell from ${milliseconds(before)} to ${milliseconds(after)} a call, as if it no longer did its work`;
  return { signal: 'shortcut', culprit: service, operation, score: WEIGHT * score * (1 - after / before) ** 2, amount: weightAfter, course: { sum: selfNs, weight: count, before, after }, sentence: () => text };
}
