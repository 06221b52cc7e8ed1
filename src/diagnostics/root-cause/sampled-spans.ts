import { UNKNOWN_TARGET } from '../rollups/rollup-types.js';
import {
  type CallSeries,
  type EdgeSeries,
  isCall,
  type OperationSeries,
  type ServiceSeries,
  type TelemetrySeries,
} from './telemetry-series.js';
import { sumRange } from './robust-statistics.js';

/** Spans are sampled one by one where fewer than this share have their caller, and their callee, beside them. */
const MIN_CONNECTED_SHARE = 0.5;

/** A call operation belongs to one callee if at least this share of its answered calls went there. */
const MIN_MAIN_SHARE = 0.9;

/**
 * Completes series of spans that were sampled without regard to their traces: most calls lack the span that answers
 * them, and most parents their children, so that waiting looks like work and answered calls like calls to unnamed
 * nodes. Sums over all spans of a sample stay right: the self time of a service is the time of its requests less that
 * of its calls, and the time on the wire the mean of a call less that of the operation it calls. Series of complete
 * traces are returned as they are.
 */
export function completeSampledSpans(series: TelemetrySeries): TelemetrySeries {
  if (!isSampledBySpan(series)) return series;
  const byName = new Map(series.services.map((service) => [service.service, service]));
  const answering = indexAnsweringOperations(series.services);
  return {
    ...series,
    hasSampledSpans: true,
    services: series.services.map(completeService),
    edges: [
      ...series.services.flatMap((service) => buildEdges(service, byName, answering)),
      ...series.edges.flatMap((edge) => keepUnansweredCalls(edge, byName, answering)),
    ],
  };
}

/** True if both most callers and most callees of the spans with a known relation are missing. */
function isSampledBySpan({ services, edges }: TelemetrySeries): boolean {
  let [calls, answered, requests, called] = [0, 0, 0, 0];
  const targets = new Set(edges.filter(({ virtual }) => !virtual).map(({ target }) => target));
  for (const { service, requests: own, operations } of services) {
    if (targets.has(service)) requests += sumAll(own);
    for (const operation of operations.filter(isCall)) {
      const answers = sumCalls(operation.calls);
      if (answers === 0) continue;
      answered += answers;
      calls += sumAll(operation.count);
    }
  }
  for (const { virtual, count } of edges) if (!virtual) called += sumAll(count);
  return answered < MIN_CONNECTED_SHARE * calls && called < MIN_CONNECTED_SHARE * requests;
}

function completeService(service: ServiceSeries): ServiceSeries {
  const workShare = estimateOwnShare(service, service.durationNs, ({ durationNs }) => durationNs);
  const errorShare = estimateOwnShare(service, service.errors, ({ originErrors }) => originErrors);
  const callCounts = new Map(service.operations.filter(isCall).map((call) => [call.operation, call]));
  return {
    ...service,
    operations: service.operations.map((operation) => {
      if (isCall(operation)) return { ...operation, calls: [] };
      const selfNs = operation.entry
        ? operation.durationNs.map((ns, i) => ns * workShare[i])
        : new Float64Array(operation.selfNs.length);
      const estimatedFromNs = sumAll(operation.durationNs) / Math.max(1, sumAll(operation.count));
      const originErrors = operation.entry
        ? operation.originErrors.map((errors, i) => errors * errorShare[i])
        : operation.originErrors;
      return {
        ...operation,
        selfNs,
        originErrors,
        estimatedFromNs,
        calls: completeCalls(service, operation, callCounts),
      };
    }),
  };
}

/**
 * The share of what its requests took, or of how many failed, that a service's calls do not account for, by bucket: of
 * its calls the mean per call, times how many calls a request usually makes.
 */
function estimateOwnShare(
  { requests, operations }: ServiceSeries,
  whole: Float64Array,
  partOf: (call: OperationSeries) => Float64Array,
): Float64Array {
  const total = sumAll(requests);
  const calls = operations.filter(isCall).map((call) => {
    const [part, calls] = [partOf(call), sumAll(call.count)];
    return { perRequest: calls / total, usual: sumAll(part) / calls, count: call.count, part };
  });
  return requests.map((count, i) => {
    const perRequest = calls.reduce(
      (sum, call) => sum + call.perRequest * (call.count[i] > 0 ? call.part[i] / call.count[i] : call.usual),
      0,
    );
    return whole[i] > 0 ? Math.max(0, 1 - (count * perRequest) / whole[i]) : 1;
  });
}

/** A parent's calls, counted by the spans of the caller alone: most of those whose parent is known have this one. */
function completeCalls(
  { operations }: ServiceSeries,
  parent: OperationSeries,
  calls: ReadonlyMap<string, OperationSeries>,
): CallSeries[] {
  return parent.calls.flatMap((call) => {
    const own = calls.get(call.operation);
    if (own === undefined) return [];
    const known = operations.flatMap((each) => each.calls).filter((each) => each.operation === call.operation);
    const isMainParent = sumAll(call.count) >= MIN_MAIN_SHARE * sumCalls(known);
    const dispersion = 1 + sumAll(own.count) / sumAll(parent.count);
    return isMainParent ? [{ ...call, count: own.count, dispersion }] : [];
  });
}

/** The service and entry operation that answer calls of an operation. */
interface Answering {
  readonly service: string;
  readonly operation: OperationSeries;
}

/**
 * Entry operations by the name that callers give them too: RPC instrumentations name both sides after the method, HTTP
 * ones after the route. Names that several services share tell nothing.
 */
function indexAnsweringOperations(services: readonly ServiceSeries[]): ReadonlyMap<string, Answering | undefined> {
  const index = new Map<string, Answering | undefined>();
  for (const { service, operations } of services)
    for (const operation of operations.filter(({ entry }) => entry)) {
      const key = toSharedName(operation.operation);
      if (key !== undefined) index.set(key, index.has(key) ? undefined : { service, operation });
    }
  return index;
}

const RPC_METHOD = /(?:^|\.)(\w+\/\w+)$/;

/** Service and method of RPCs, without packages; other names as they are, unless they are too common to tell anything. */
function toSharedName(operation: string): string | undefined {
  return RPC_METHOD.exec(operation)?.[1] ?? (operation.includes('/') ? operation : undefined);
}

/** Edges of calls whose operation is always answered by the same one, each beside the mean of that. */
function buildEdges(
  { service, operations }: ServiceSeries,
  services: ReadonlyMap<string, ServiceSeries>,
  index: ReadonlyMap<string, Answering | undefined>,
): EdgeSeries[] {
  return operations.filter(isCall).flatMap((call) => {
    const answering = findAnswering(service, call, services, index);
    return answering === undefined ? [] : [buildEdge(service, answering.service, call, answering.operation)];
  });
}

/** The operation that answered nearly all calls of which the answer is known; if none is, the one of the same name. */
function findAnswering(
  service: string,
  call: OperationSeries,
  services: ReadonlyMap<string, ServiceSeries>,
  index: ReadonlyMap<string, Answering | undefined>,
): Answering | undefined {
  const answers = call.calls.filter((each) => each.service !== service);
  if (answers.length === 0) {
    const named = index.get(toSharedName(call.operation) ?? '');
    return named?.service === service ? undefined : named;
  }
  const main = answers.find(({ count }) => sumAll(count) >= MIN_MAIN_SHARE * sumCalls(answers));
  const operation = services
    .get(main?.service ?? '')
    ?.operations.find((each) => each.entry && each.operation === main?.operation);
  return operation === undefined ? undefined : { service: main!.service, operation };
}

function buildEdge(source: string, target: string, call: OperationSeries, answering: OperationSeries): EdgeSeries {
  const paired = call.count.map((count, i) => (answering.count[i] > 0 ? count : 0));
  const durations = call.self();
  return {
    source,
    target,
    virtual: false,
    count: call.count,
    errors: call.originErrors,
    durationNs: call.durationNs,
    latency: durations,
    paired,
    wireNs: paired.map((count, i) =>
      count === 0 ? 0 : Math.max(0, call.durationNs[i] - (count * answering.durationNs[i]) / answering.count[i]),
    ),
    wire: durations,
    estimatedFromNs: sumAll(call.durationNs) / sumAll(call.count),
  };
}

/** Calls to nodes that send no spans: named ones, and unnamed ones of services none of whose calls are answered. */
function keepUnansweredCalls(
  edge: EdgeSeries,
  services: ReadonlyMap<string, ServiceSeries>,
  index: ReadonlyMap<string, Answering | undefined>,
): EdgeSeries[] {
  if (!edge.virtual || services.has(edge.target)) return [];
  if (edge.target !== UNKNOWN_TARGET) return [edge];
  const calls = services.get(edge.source)?.operations.filter(isCall) ?? [];
  const unanswered = calls.filter(
    (call) => sumCalls(call.calls) === 0 && findAnswering(edge.source, call, services, index) === undefined,
  );
  if (unanswered.length === 0) return [];
  const sumOver = (rowOf: (call: OperationSeries) => Float64Array) =>
    edge.count.map((_, i) => unanswered.reduce((sum, call) => sum + rowOf(call)[i], 0));
  return [
    {
      ...edge,
      count: sumOver(({ count }) => count),
      errors: sumOver(({ originErrors }) => originErrors),
      durationNs: sumOver(({ durationNs }) => durationNs),
    },
  ];
}

function sumCalls(calls: readonly CallSeries[]): number {
  return calls.reduce((sum, { count }) => sum + sumAll(count), 0);
}

function sumAll(row: Float64Array): number {
  return sumRange(row, 0, row.length);
}
