import type { Finding } from '../finding.js';
import { splitsOfFewer } from '../screen.js';
import type { CallSeries, OperationSeries } from '../series.js';
import { atSplit, settledPart, watch, type Signal } from '../signal.js';
import { surpriseOfAbsence, type Split, type Surprise } from '../statistics.js';
import { figure } from '../wording.js';

/**
 * What an operation calls, per call of itself. An operation that returns early, or throws, no longer calls what it used to:
 * a child set is truncated (the pattern mining of Nezha, Yu et al., FSE 2023, finds such faults by event graphs). One that
 * calls more than before retries or has taken another way.
 */
export const calls: Signal = ({ services, timeline: { settled } }, { first }) => {
  const watched = services.flatMap(({ service, operations }) => {
    const own = operations.flatMap((operation) => operation.calls.flatMap((call) => watch({ operation, call }, splitsOfFewer(call.count, operation.count, first))));
    return own.length === 0 ? [] : [{ service, own }];
  });
  return (split) => {
    const part = settledPart(split, settled);
    return part === undefined ? [] : watched.flatMap(({ service, own }) => findingOf(service, atSplit(own, part), part) ?? []);
  };
};

interface Called {
  readonly operation: OperationSeries;
  readonly call: CallSeries;
}

function findingOf(service: string, own: readonly Called[], split: Split): Finding | undefined {
  let worst: (Called & { readonly surprise: Surprise }) | undefined;
  for (const { operation, call } of own) {
    const surprise = surpriseOfAbsence(call.count, operation.count, split);
    if (surprise !== undefined && surprise.score > (worst?.surprise.score ?? 0)) worst = { operation, call, surprise };
  }
  if (worst === undefined) return undefined;
  const { operation, call, surprise } = worst;
  const course = { sum: call.count, weight: operation.count, before: surprise.before, after: surprise.after };
  return { signal: 'calls', culprit: service, operation: operation.operation, score: surprise.score, amount: surprise.expected - surprise.count, course, sentence: () => sentence(operation, call, surprise) };
}

function sentence({ operation }: OperationSeries, call: CallSeries, { before, after, exposure }: Surprise): string {
  return `${operation} calls ${call.operation} ${figure(after)} times instead of ${figure(before)} (${figure(exposure)} calls)`;
}
