import type { Finding } from '../finding.js';
import type { CallSeries, OperationSeries, Series } from '../series.js';
import { surpriseOfAbsence, type Split, type Surprise } from '../statistics.js';
import { figure } from '../wording.js';

/**
 * What an operation calls, per call of itself. An operation that returns early, or throws, no longer calls what it used to:
 * a child set is truncated (the pattern mining of Nezha, Yu et al., FSE 2023, finds such faults by event graphs). One that
 * calls more than before retries or has taken another way.
 */
export function callFindings({ services }: Series, split: Split): Finding[] {
  return services.flatMap(({ service, operations }) => {
    const found = operations.flatMap((operation) => [...missing(operation, split)].map((each) => ({ operation, ...each })));
    if (found.length === 0) return [];
    const { operation, call, surprise } = found.reduce((a, b) => (b.surprise.score > a.surprise.score ? b : a));
    const amount = surprise.expected - surprise.count;
    return [{ signal: 'calls', culprit: service, operation: operation.operation, score: surprise.score, amount, course: { sum: call.count, weight: operation.count, before: surprise.before, after: surprise.after }, sentence: () => sentence(operation, call, surprise) } satisfies Finding];
  });
}

function* missing({ count, calls }: OperationSeries, split: Split): Generator<{ call: CallSeries; surprise: Surprise }> {
  for (const call of calls) {
    const surprise = surpriseOfAbsence(call.count, count, split);
    if (surprise !== undefined && surprise.score > 0) yield { call, surprise };
  }
}

function sentence({ operation }: OperationSeries, call: CallSeries, { before, after, exposure }: Surprise): string {
  return `${operation} calls ${call.operation} ${figure(after)} times instead of ${figure(before)} (${figure(exposure)} calls)`;
}
