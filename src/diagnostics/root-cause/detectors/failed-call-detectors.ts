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

/** Weight of calls that fail only at the caller: either end may be the cause, or neither. */
const UNCONFIRMED_WEIGHT = 0.7;

/** Something that can fail, and how often it did. */
interface FailureCounts {
  readonly kind: Finding['kind'];
  readonly serviceName: string;
  readonly operation?: string;
  readonly label: string;
  readonly weight: number;
  readonly failed: Float64Array;
  readonly calls: Float64Array;
}

/**
 * Errors that originate in a service: spans with status ERROR without a child in ERROR. Other services only propagate
 * them.
 */
export const detectErrors: EvidenceDetector = (series, { first }) => {
  const candidates = [...listOwnErrors(series), ...listDependencyErrors(series), ...listRefusedCalls(series)];
  const prefiltered = candidates.flatMap((each) => toPrefilteredItems(each, findFailureSplits(each, first)));
  return (split) => selectAtSplit(prefiltered, split).flatMap((failing) => buildErrorFinding(failing, split) ?? []);
};

function findFailureSplits({ failed, calls }: FailureCounts, first: number): CandidateSplits | undefined {
  return findCountRiseSplits(failed, calls, first);
}

function listOwnErrors({ services }: TelemetrySeries): FailureCounts[] {
  return services.flatMap(({ service, operations }) =>
    operations
      .filter((operation) => !isCall(operation))
      .map(
        ({ operation, originErrors, count }) =>
          ({
            kind: 'errors',
            serviceName: service,
            operation,
            label: `Errors originating in ${operation}`,
            weight: 1,
            failed: originErrors,
            calls: count,
          }) as const,
      ),
  );
}

function listDependencyErrors({ edges }: TelemetrySeries): FailureCounts[] {
  return edges
    .filter(({ virtual }) => virtual)
    .map(({ source, target, errors: failed, count: calls }) => {
      const isNamed = target !== UNKNOWN_TARGET;
      const label = `Failed calls from ${source} to ${isNamed ? target : 'an unnamed dependency'}`;
      return { kind: 'dependency errors', serviceName: isNamed ? target : source, label, weight: 1, failed, calls };
    });
}

/** Calls that fail although the called service records no error: refused, aborted, or malformed. */
function listRefusedCalls({ services, edges }: TelemetrySeries): FailureCounts[] {
  return services.map((service) => {
    const calls = service.operations.filter(isCall);
    const failed = sumRows(
      calls.map(({ originErrors }) => originErrors),
      service,
    );
    const dependencyErrors = sumRows(
      edges
        .filter(({ source, virtual }: EdgeSeries) => virtual && source === service.service)
        .map((edge) => edge.errors),
      service,
    );
    const label = `Failed calls from ${service.service} without an error in the called service`;
    return {
      kind: 'errors',
      serviceName: service.service,
      label,
      weight: UNCONFIRMED_WEIGHT,
      failed: failed.map((each, i) => Math.max(0, each - dependencyErrors[i])),
      calls: sumRows(
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
  { kind, serviceName, operation, label, weight, failed, calls }: FailureCounts,
  split: Split,
): Finding | undefined {
  const change = scoreRateChange(failed, calls, split);
  if (change === undefined || change.score <= 0) return undefined;
  const { before, after, count: errors, expected, score } = change;
  const describe = () =>
    `${label}: ${formatPercent(after)} of calls instead of ${formatPercent(before)} (${formatCount(errors, 'error')})`;
  return {
    kind,
    serviceName,
    operation,
    score: weight * score,
    amount: errors - expected,
    stepSeries: { sum: failed, weight: calls, before, after },
    describe,
  };
}

/**
 * Detects operations that call a child less often than before. An operation that returns early, or throws, no longer
 * makes its usual calls: the child set is truncated (the pattern mining of Nezha, Yu et al., FSE 2023, finds such
 * faults in event graphs).
 */
export const detectMissingCalls: EvidenceDetector = ({ services, timeline: { settled } }, { first }) => {
  const prefiltered = services.flatMap(({ service, operations }) => {
    const parentCalls = operations.flatMap((operation) =>
      operation.calls.flatMap((call) =>
        toPrefilteredItems({ operation, call }, findCountFallSplits(call.count, operation.count, first)),
      ),
    );
    return parentCalls.length === 0 ? [] : [{ service, parentCalls }];
  });
  return (split) => {
    const completePart = toCompletePart(split, settled);
    return completePart === undefined
      ? []
      : prefiltered.flatMap(
          ({ service, parentCalls }) =>
            buildMissingCallFinding(service, selectAtSplit(parentCalls, completePart), completePart) ?? [],
        );
  };
};

interface ParentCall {
  readonly operation: OperationSeries;
  readonly call: CallSeries;
}

function buildMissingCallFinding(
  service: string,
  parentCalls: readonly ParentCall[],
  split: Split,
): Finding | undefined {
  let worst: (ParentCall & { readonly change: RateChange }) | undefined;
  for (const { operation, call } of parentCalls) {
    const change = scoreMissingEvents(call.count, operation.count, split);
    if (change !== undefined && change.score > (worst?.change.score ?? 0)) worst = { operation, call, change };
  }
  if (worst === undefined) return undefined;
  const { operation, call, change } = worst;
  const stepSeries = { sum: call.count, weight: operation.count, before: change.before, after: change.after };
  return {
    kind: 'calls',
    serviceName: service,
    operation: operation.operation,
    score: change.score,
    amount: change.expected - change.count,
    stepSeries,
    describe: () => describeMissingCalls(operation, call, change),
  };
}

function describeMissingCalls(
  { operation }: OperationSeries,
  call: CallSeries,
  { before, after, exposure }: RateChange,
): string {
  return `${operation} calls ${call.operation} ${formatFigure(after)} times instead of ${formatFigure(before)} (${formatFigure(exposure)} calls)`;
}
