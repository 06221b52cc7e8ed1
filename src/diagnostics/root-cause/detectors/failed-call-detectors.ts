import { UNKNOWN_TARGET } from '../../rollups/rollup-types.js';
import {
  type EvidenceDetector,
  type Finding,
  selectAtSplit,
  toCompletePart,
  toPrefilteredItems,
} from '../evidence-detector.js';
import { type CandidateSplits, findCountFallSplits, findCountRiseSplits } from '../split-prefilter.js';
import type { CallSeries, EdgeSeries, OperationSeries, ServiceSeries, TelemetrySeries } from '../telemetry-series.js';
import { type RateChange, scoreMissingEvents, scoreRateChange, type Split } from '../robust-statistics.js';
import { formatCount, formatFigure, formatPercent } from '../evidence-formatting.js';

/** Calls that fail at the caller alone may be the fault of either end, or of neither. */
const REFUSED_WEIGHT = 0.7;

/** Something that can fail, and how often it did. */
interface FailureCounts {
  readonly signal: Finding['signal'];
  readonly culprit: string;
  readonly operation?: string;
  readonly what: string;
  readonly weight: number;
  readonly failed: Float64Array;
  readonly made: Float64Array;
}

/** Errors that began in a service: spans with status ERROR none of whose children has it. Others only pass them on. */
export const detectErrors: EvidenceDetector = (series, { first }) => {
  const candidates = [...listOwnErrors(series), ...listDependencyErrors(series), ...listRefusedCalls(series)];
  const watched = candidates.flatMap((each) => toPrefilteredItems(each, findFailureSplits(each, first)));
  return (split) => selectAtSplit(watched, split).flatMap((failing) => buildErrorFinding(failing, split) ?? []);
};

function findFailureSplits({ failed, made }: FailureCounts, first: number): CandidateSplits | undefined {
  return findCountRiseSplits(failed, made, first);
}

function listOwnErrors({ services }: TelemetrySeries): FailureCounts[] {
  return services.flatMap(({ service, operations }) =>
    operations
      .filter((operation) => !isCall(operation))
      .map(
        ({ operation, originErrors, count: made }) =>
          ({
            signal: 'errors',
            culprit: service,
            operation,
            what: `${operation} fails by itself`,
            weight: 1,
            failed: originErrors,
            made,
          }) as const,
      ),
  );
}

function listDependencyErrors({ edges }: TelemetrySeries): FailureCounts[] {
  return edges
    .filter(({ virtual }) => virtual)
    .map(({ source, target, errors: failed, count: made }) => {
      const isNamed = target !== UNKNOWN_TARGET;
      const what = `Calls of ${source} to ${isNamed ? target : 'what it depends on'} fail`;
      return { signal: 'dependency errors', culprit: isNamed ? target : source, what, weight: 1, failed, made };
    });
}

/** Calls that fail while who was called knows of no error: refused, cut off, or badly made. */
function listRefusedCalls({ services, edges }: TelemetrySeries): FailureCounts[] {
  return services.map((service) => {
    const calls = service.operations.filter(isCall);
    const failed = sumRows(
      calls.map(({ originErrors }) => originErrors),
      service,
    );
    const unanswered = sumRows(
      edges
        .filter(({ source, virtual }: EdgeSeries) => virtual && source === service.service)
        .map((edge) => edge.errors),
      service,
    );
    const what = `Calls of ${service.service} fail that who is called answers without error`;
    return {
      signal: 'errors',
      culprit: service.service,
      what,
      weight: REFUSED_WEIGHT,
      failed: failed.map((each, i) => Math.max(0, each - unanswered[i])),
      made: sumRows(
        calls.map((call) => call.count),
        service,
      ),
    };
  });
}

function isCall({ kind }: { readonly kind: string }): boolean {
  return kind === 'CLIENT' || kind === 'PRODUCER';
}

function sumRows(parts: readonly Float64Array[], { requests }: ServiceSeries): Float64Array {
  const sum = new Float64Array(requests.length);
  for (const part of parts) for (let i = 0; i < sum.length; i++) sum[i] += part[i];
  return sum;
}

function buildErrorFinding(
  { signal, culprit, operation, what, weight, failed, made }: FailureCounts,
  split: Split,
): Finding | undefined {
  const surprise = scoreRateChange(failed, made, split);
  if (surprise === undefined || surprise.score <= 0) return undefined;
  const { before, after, count: errors, expected, score } = surprise;
  const sentence = () =>
    `${what} in ${formatPercent(after)} of calls instead of ${formatPercent(before)} (${formatCount(errors, 'error')})`;
  return {
    signal,
    culprit,
    operation,
    score: weight * score,
    amount: errors - expected,
    course: { sum: failed, weight: made, before, after },
    sentence,
  };
}

/**
 * What an operation calls, per call of itself. An operation that returns early, or throws, no longer calls what it used to:
 * a child set is truncated (the pattern mining of Nezha, Yu et al., FSE 2023, finds such faults by event graphs). One that
 * calls more than before retries or has taken another way.
 */
export const detectMissingCalls: EvidenceDetector = ({ services, timeline: { settled } }, { first }) => {
  const watched = services.flatMap(({ service, operations }) => {
    const own = operations.flatMap((operation) =>
      operation.calls.flatMap((call) =>
        toPrefilteredItems({ operation, call }, findCountFallSplits(call.count, operation.count, first)),
      ),
    );
    return own.length === 0 ? [] : [{ service, own }];
  });
  return (split) => {
    const part = toCompletePart(split, settled);
    return part === undefined
      ? []
      : watched.flatMap(({ service, own }) => buildMissingCallFinding(service, selectAtSplit(own, part), part) ?? []);
  };
};

interface ParentCall {
  readonly operation: OperationSeries;
  readonly call: CallSeries;
}

function buildMissingCallFinding(service: string, own: readonly ParentCall[], split: Split): Finding | undefined {
  let worst: (ParentCall & { readonly surprise: RateChange }) | undefined;
  for (const { operation, call } of own) {
    const surprise = scoreMissingEvents(call.count, operation.count, split);
    if (surprise !== undefined && surprise.score > (worst?.surprise.score ?? 0)) worst = { operation, call, surprise };
  }
  if (worst === undefined) return undefined;
  const { operation, call, surprise } = worst;
  const course = { sum: call.count, weight: operation.count, before: surprise.before, after: surprise.after };
  return {
    signal: 'calls',
    culprit: service,
    operation: operation.operation,
    score: surprise.score,
    amount: surprise.expected - surprise.count,
    course,
    sentence: () => describeMissingCalls(operation, call, surprise),
  };
}

function describeMissingCalls(
  { operation }: OperationSeries,
  call: CallSeries,
  { before, after, exposure }: RateChange,
): string {
  return `${operation} calls ${call.operation} ${formatFigure(after)} times instead of ${formatFigure(before)} (${formatFigure(exposure)} calls)`;
}
