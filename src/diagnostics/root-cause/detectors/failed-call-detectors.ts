import { UNKNOWN_TARGET } from '../../rollups/rollup-types.js';
import { type EvidenceDetector, type Finding, selectAtSplit, toPrefilteredItems } from '../evidence-detector.js';
import { type CandidateSplits, findCountRiseSplits } from '../split-prefilter.js';
import { type EdgeSeries, isCall, type ServiceSeries, type TelemetrySeries } from '../telemetry-series.js';
import { scoreRateChange, type Split } from '../robust-statistics.js';
import { formatCount, formatPercent } from '../evidence-formatting.js';

/** Weight of calls that fail only at the caller: either end may be the cause, or neither. */
const UNCONFIRMED_WEIGHT = 0.7;

/** Weight of calls that fail without an answer: the target, or less often the way to it. */
const UNANSWERED_WEIGHT = 0.9;

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
  const candidates = [
    ...listOwnErrors(series),
    ...listDependencyErrors(series),
    ...listUnansweredCalls(series),
    ...listRefusedCalls(series),
  ];
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
            label: `calls to ${operation} fail in this service`,
            weight: 1,
            failed: originErrors,
            calls: count,
          }) as const,
      ),
  );
}

function listDependencyErrors({ services, edges }: TelemetrySeries): FailureCounts[] {
  const names = new Set(services.map(({ service }) => service));
  return edges
    .filter(({ virtual, target }) => virtual && !names.has(target))
    .map(({ source, target, errors: failed, count: calls }) => {
      const isNamed = target !== UNKNOWN_TARGET;
      const label = `calls from ${source} to ${isNamed ? target : 'an unnamed dependency'} fail`;
      return { kind: 'dependency errors', serviceName: isNamed ? target : source, label, weight: 1, failed, calls };
    });
}

/**
 * Failed calls to a service that it does not report itself, by caller: those that no span answers, and where metrics
 * tell of more failures at the caller than at the called service, the excess. The called service is absent, or cannot be
 * reached.
 */
function listUnansweredCalls({ services, edges }: TelemetrySeries): FailureCounts[] {
  const byName = new Map(services.map((service) => [service.service, service]));
  const answered = new Map(
    edges.filter(({ virtual }) => !virtual).map((edge) => [`${edge.source} ${edge.target}`, edge]),
  );
  const unanswered = new Map(
    edges.filter(({ virtual }) => virtual).map((edge) => [`${edge.source} ${edge.target}`, edge]),
  );
  return [...new Set([...answered.keys(), ...unanswered.keys()])].flatMap((key) => {
    const [known, lost] = [answered.get(key), unanswered.get(key)];
    const { source, target } = (known ?? lost)!;
    const called = byName.get(target);
    if (called === undefined || source === target) return [];
    const failed = called.requests.map(
      (requests, i) =>
        (lost?.errors[i] ?? 0) +
        (known !== undefined && requests > 0
          ? Math.max(0, known.errors[i] - (known.count[i] * called.errors[i]) / requests)
          : 0),
    );
    const calls = called.requests.map((_, i) => (lost?.count[i] ?? 0) + (known?.count[i] ?? 0));
    const label = `calls from ${source} to ${target} fail without an error there`;
    return [{ kind: 'errors', serviceName: target, label, weight: UNANSWERED_WEIGHT, failed, calls } as const];
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
    const label = `calls from ${service.service} fail although the called service reports no error`;
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
    `${formatPercent(after)} of ${label}, ${before === 0 ? 'none' : formatPercent(before)} before (${formatCount(errors, 'error')})`;
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
