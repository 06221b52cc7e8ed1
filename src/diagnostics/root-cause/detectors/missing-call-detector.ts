import {
  type EvidenceDetector,
  type Finding,
  type PrefilteredItem,
  selectAtSplit,
  toCompletePart,
  toPrefilteredItems,
} from '../evidence-detector.js';
import { findCountFallSplits } from '../split-prefilter.js';
import { type CallSeries, isCall, type OperationSeries, type ServiceSeries } from '../telemetry-series.js';
import { countComplete, type RecordedTime } from '../recorded-time.js';
import { type RateChange, scoreMissingEvents, type Split, sumRange } from '../robust-statistics.js';
import { formatCount, formatFigure } from '../evidence-formatting.js';

/**
 * Detects operations that call a child less often than before. An operation that returns early, or throws, no longer
 * makes its usual calls: the child set is truncated (the pattern mining of Nezha, Yu et al., FSE 2023, finds such
 * faults in event graphs).
 */
export const detectMissingCalls: EvidenceDetector = ({ services, recorded, timeline: { settled } }, { first }) => {
  const byService = new Map<string, PrefilteredItem<ParentCall>[]>();
  for (const service of services)
    for (const item of listParentCalls(service, recorded)) {
      const items = toPrefilteredItems(item, findCountFallSplits(item.call.count, item.parents, first));
      if (items.length > 0) byService.set(item.concerned, [...(byService.get(item.concerned) ?? []), ...items]);
    }
  return (split) => {
    const completePart = toCompletePart(split, settled);
    return completePart === undefined
      ? []
      : [...byService].flatMap(
          ([service, items]) =>
            buildMissingCallFinding(service, selectAtSplit(items, completePart), completePart) ?? [],
        );
  };
};

interface ParentCall {
  /** The service that calls less, or that answers less. */
  readonly concerned: string;
  readonly operation: OperationSeries;
  /** Spans of the operation whose children were recorded. */
  readonly parents: Float64Array;
  readonly call: CallSeries;
}

function listParentCalls({ service, operations }: ServiceSeries, recorded: RecordedTime): ParentCall[] {
  return operations.flatMap((operation) => {
    if (operation.calls.length === 0) return [];
    const parents = countComplete(operation.count, operation.durationNs, recorded);
    if (!isCall(operation)) return operation.calls.map((call) => ({ concerned: service, operation, parents, call }));
    const answers = joinAnswers(service, operation);
    return answers === undefined ? [] : [{ concerned: answers.service, operation, parents, call: answers }];
  });
}

/**
 * The answers to a call, whoever gave them: which one of several services a common operation calls is a matter of
 * traffic. If it is always the same service, missing answers are missing there.
 */
function joinAnswers(service: string, { calls }: OperationSeries): CallSeries | undefined {
  if (calls.length === 0) return undefined;
  const isOneService = calls.every((call) => call.service === calls[0].service);
  if (calls.length === 1) return calls[0];
  return {
    service: isOneService ? calls[0].service : service,
    operation: isOneService ? calls[0].operation : 'what it calls',
    count: calls[0].count.map((_, i) => calls.reduce((sum, { count }) => sum + count[i], 0)),
    dispersion: calls[0].dispersion,
  };
}

function buildMissingCallFinding(
  service: string,
  parentCalls: readonly ParentCall[],
  split: Split,
): Finding | undefined {
  let worst: (ParentCall & { readonly change: RateChange }) | undefined;
  for (const parentCall of parentCalls) {
    const { call, parents } = parentCall;
    const missing = scoreMissingEvents(call.count, parents, split);
    if (missing === undefined) continue;
    const change = {
      ...missing,
      score: (missing.score * weighSubstitution(parentCall, missing, split)) / Math.sqrt(call.dispersion ?? 1),
    };
    if (change.score > (worst?.change.score ?? 0)) worst = { ...parentCall, change };
  }
  if (worst === undefined) return undefined;
  const { operation, parents, call, change } = worst;
  const stepSeries = { sum: call.count, weight: parents, before: change.before, after: change.after };
  return {
    kind: 'calls',
    serviceName: service,
    operation: isCall(operation) ? call.operation : operation.operation,
    score: change.score,
    amount: change.expected - change.count,
    stepSeries,
    describe: () => describeMissingCalls(operation, call, change),
  };
}

/** An operation that calls something else instead was asked for something else, rather than cut short. */
const SUBSTITUTED_WEIGHT = 0.5;

/** Weight of missing calls, of which others of the same operation that became more frequent replace a part. */
function weighSubstitution(
  { operation: { calls }, parents, call }: ParentCall,
  missing: RateChange,
  split: Split,
): number {
  const others = calls.filter(({ count }) => count !== call.count);
  const rate = (from: number, to: number) =>
    others.reduce((sum, { count }) => sum + sumRange(count, from, to), 0) / Math.max(1, sumRange(parents, from, to));
  const added = rate(split.at, split.to) - rate(0, split.past);
  const replaced = Math.min(1, Math.max(0, added / (missing.before - missing.after)));
  return 1 - (1 - SUBSTITUTED_WEIGHT) * replaced;
}

function describeMissingCalls(
  { operation, kind }: OperationSeries,
  call: CallSeries,
  { before, after, exposure }: RateChange,
): string {
  if (isCall({ kind }))
    return `${formatFigure(after)} of the calls of ${operation} are answered instead of ${formatFigure(before)} (${formatCount(exposure, 'call')})`;
  return `${operation} makes ${formatFigure(after)} calls of ${call.operation} per request instead of ${formatFigure(before)} (${formatCount(exposure, 'request')})`;
}
