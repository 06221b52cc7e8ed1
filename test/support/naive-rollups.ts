import type {
  ChildCalls,
  EdgeRollup,
  ExceptionRollup,
  GridRollup,
  InstanceRollup,
  LogRollup,
  Measures,
  MetricKind,
  MetricRollup,
  MetricSeriesRollup,
  OperationRollup,
  ServiceRollup,
  ServiceTotals,
  VersionRollup,
} from '../../src/diagnostics/rollups/rollup-types.js';
import { Sketch } from '../../src/diagnostics/rollups/sketch.js';
import type { SpanKind } from '../../src/telemetry/span-kind.js';

/** All rollups of one minute of a Grid. */
export interface GridMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly grid: GridRollup;
  readonly services: readonly ServiceRollup[];
  readonly logs: readonly LogRollup[];
  readonly metrics: readonly MetricRollup[];
}

/** A span as a plain object. Ids are arbitrary text, "" for none. */
export interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly service: string;
  readonly operation: string;
  readonly kind: SpanKind;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly error: boolean;
  /** "" for none, as below. */
  readonly version?: string;
  readonly instance?: string;
  /** Peer of a CLIENT or PRODUCER span. */
  readonly peer?: string;
  readonly exceptions?: readonly { readonly type: string; readonly message: string }[];
}

export interface PlainLog {
  readonly service: string;
  readonly timeUs: number;
  /** 1 to 24. */
  readonly severity: number;
  readonly template: string;
  readonly exception?: { readonly type: string; readonly message: string };
}

export interface PlainPoint {
  readonly service: string;
  readonly instance: string;
  readonly metric: string;
  readonly unit: string;
  readonly kind: MetricKind;
  readonly monotonic: boolean;
  readonly attributes: readonly (readonly [string, string])[];
  readonly timeUs: number;
  /** Increment of a monotonic sum. */
  readonly value: number;
}

export interface PlainTelemetry {
  readonly spans?: readonly PlainSpan[];
  readonly logs?: readonly PlainLog[];
  readonly points?: readonly PlainPoint[];
}

/**
 * Reference implementation of the rollups of every minute, directly from their definitions: all telemetry in memory,
 * without limits, in any order, each span compared with all related spans. Exceptions have no ids.
 */
export function naiveRollups(
  { spans = [], logs = [], points = [] }: PlainTelemetry,
  apdexThresholdMs = 500,
): GridMinute[] {
  const family = relativesOf(spans);
  const spansByMinute = groupBy(spans, (span) => minuteOf(endUs(span)));
  const edgesByMinute = groupBy(
    spans.flatMap((span) => callsOf(span, family)),
    (call) => minuteOf(endUs(call.timed)),
  );
  const logsByMinute = groupBy(logs, (log) => minuteOf(log.timeUs));
  const pointsByMinute = groupBy(points, (point) => minuteOf(point.timeUs));
  const minutes = new Set([
    ...spansByMinute.keys(),
    ...edgesByMinute.keys(),
    ...logsByMinute.keys(),
    ...pointsByMinute.keys(),
  ]);
  return [...minutes].sort(ascending).map((minute) => {
    const services = groupBy(spansByMinute.get(minute) ?? [], (span) => span.service);
    return {
      minute,
      grid: {
        services: inOrder(services).map(([name, own]) => totals(name, own, apdexThresholdMs)),
        edges: edges(edgesByMinute.get(minute) ?? [], apdexThresholdMs),
      } satisfies GridRollup,
      services: inOrder(services).map(([name, own]) => serviceRollup(name, own, family, apdexThresholdMs)),
      logs: inOrder(groupBy(logsByMinute.get(minute) ?? [], (log) => log.service)).map(([name, own]) =>
        logRollup(name, own),
      ),
      metrics: inOrder(groupBy(pointsByMinute.get(minute) ?? [], (point) => point.service)).map(([name, own]) =>
        metricRollup(name, own),
      ),
    };
  });
}

/** Whether the span is an entry span of its service. */
export function isEntry(span: PlainSpan): boolean {
  return span.kind === 'SERVER' || span.kind === 'CONSUMER' || span.parentId === '';
}

export function durationOf(span: PlainSpan): number {
  return Math.max(0, Number(span.endNs - span.startNs));
}

interface Family {
  parentOf(span: PlainSpan): PlainSpan | undefined;
  childrenOf(span: PlainSpan): readonly PlainSpan[];
  /** Other spans with the same parent id. */
  siblingsOf(span: PlainSpan): readonly PlainSpan[];
}

function relativesOf(spans: readonly PlainSpan[]): Family {
  const byId = new Map(spans.map((span) => [`${span.traceId}/${span.spanId}`, span]));
  const byParent = groupBy(
    spans.filter((span) => span.parentId !== ''),
    (span) => `${span.traceId}/${span.parentId}`,
  );
  return {
    parentOf: (span) => byId.get(`${span.traceId}/${span.parentId}`),
    childrenOf: (span) => byParent.get(`${span.traceId}/${span.spanId}`) ?? [],
    siblingsOf: (span) => (byParent.get(`${span.traceId}/${span.parentId}`) ?? []).filter((other) => other !== span),
  };
}

/** Duration that is not covered by children or sibling calls of the same service. */
export function selfTimeOf(span: PlainSpan, family: Family): number {
  const siblingCalls = family.siblingsOf(span).filter((other) => other.service === span.service && isCall(other));
  return durationOf(span) - covered(span, [...family.childrenOf(span), ...siblingCalls]);
}

/** Length of the union of the other spans within the span. */
function covered(span: PlainSpan, others: readonly PlainSpan[]): number {
  const parts = others
    .map((other) => [max(other.startNs, span.startNs), min(other.endNs, span.endNs)] as const)
    .filter(([from, to]) => from < to)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  let until = span.startNs;
  let sum = 0n;
  for (const [from, to] of parts) {
    if (to > until) sum += to - max(from, until);
    until = max(until, to);
  }
  return Number(sum);
}

function isCall(span: PlainSpan): boolean {
  return span.kind === 'CLIENT' || span.kind === 'PRODUCER';
}

interface Call {
  readonly source: string;
  readonly target: string;
  readonly virtual: boolean;
  /** The span whose duration, status and minute count: the client span, or the consumer span of messages. */
  readonly timed: PlainSpan;
  /** Client and server span, if both are present. */
  readonly pair?: readonly [client: PlainSpan, server: PlainSpan];
}

/** Calls of a span: from the service of its parent to its own, and to a virtual node if no server span answers it. */
function callsOf(span: PlainSpan, family: Family): Call[] {
  const calls: Call[] = [];
  const parent = family.parentOf(span);
  if (parent !== undefined && parent.service !== span.service) calls.push(answeredCall(parent, span));
  const unanswered =
    isCall(span) &&
    !family
      .childrenOf(span)
      .some((child) => child.kind === 'SERVER' || child.kind === 'CONSUMER' || child.service !== span.service);
  if (unanswered) calls.push({ source: span.service, target: span.peer || 'unknown', virtual: true, timed: span });
  return calls;
}

function answeredCall(parent: PlainSpan, child: PlainSpan): Call {
  const ends = { source: parent.service, target: child.service, virtual: false };
  if (parent.kind === 'CLIENT') return { ...ends, timed: parent, pair: [parent, child] };
  return { ...ends, timed: child };
}

function edges(calls: readonly Call[], apdexMs: number): EdgeRollup[] {
  return inOrder(groupBy(calls, (call) => JSON.stringify([call.source, call.target, call.virtual]))).map(([, own]) => {
    const { count, errors, durationNs, latency } = measures(
      own.map((call) => call.timed),
      apdexMs,
    );
    const wires = own.flatMap(({ pair }) =>
      pair === undefined ? [] : [Math.max(0, durationOf(pair[0]) - durationOf(pair[1]))],
    );
    const { source, target, virtual } = own[0];
    return {
      source,
      target,
      virtual,
      count,
      errors,
      durationNs,
      latency,
      paired: wires.length,
      wireNs: total(wires),
      wire: sketchOf(wires),
    };
  });
}

function totals(service: string, spans: readonly PlainSpan[], apdexMs: number): ServiceTotals {
  const entries = spans.filter(isEntry);
  return { service, ...measures(entries, apdexMs), kinds: kinds(spans), entryKinds: kinds(entries) };
}

function kinds(spans: readonly PlainSpan[]): [number, number, number, number, number] {
  const of = (kind: SpanKind) => spans.filter((span) => span.kind === kind).length;
  return [of('INTERNAL'), of('SERVER'), of('CLIENT'), of('PRODUCER'), of('CONSUMER')];
}

function measures(spans: readonly PlainSpan[], apdexMs: number): Measures {
  const durations = spans.map(durationOf);
  const well = spans.filter((span) => !span.error).map(durationOf);
  const satisfied = well.filter((ns) => ns <= apdexMs * 1e6).length;
  return {
    count: spans.length,
    errors: spans.length - well.length,
    durationNs: total(durations),
    satisfied,
    tolerating: well.filter((ns) => ns <= 4 * apdexMs * 1e6).length - satisfied,
    latency: sketchOf(durations),
  };
}

function serviceRollup(service: string, spans: readonly PlainSpan[], family: Family, apdexMs: number): ServiceRollup {
  return {
    service,
    operations: inOrder(groupBy(spans, (span) => JSON.stringify([span.operation, span.kind, isEntry(span)])))
      .map(([, own]) => operationRollup(own, family, apdexMs))
      .sort((a, b) => byText(a.operation, b.operation)),
    exceptions: exceptionRollups(spans.flatMap((span) => span.exceptions ?? [])),
    versions: inOrder(
      groupBy(
        spans.filter((span) => span.version),
        (span) => span.version ?? '',
      ),
    ).map(([version, own]) => ({ version, spans: own.length, ...observedTimes(own) }) satisfies VersionRollup),
    instances: inOrder(
      groupBy(
        spans.filter((span) => span.instance),
        (span) => span.instance ?? '',
      ),
    ).map(([instance, own]) => instanceRollup(instance, own)),
  };
}

function operationRollup(spans: readonly PlainSpan[], family: Family, apdexMs: number): OperationRollup {
  const { operation, kind } = spans[0];
  const selves = spans.map((span) => selfTimeOf(span, family));
  const origin = spans.filter((span) => span.error && !family.childrenOf(span).some((child) => child.error));
  const children = inOrder(
    groupBy(spans.flatMap(family.childrenOf), (child) => JSON.stringify([child.service, child.operation])),
  );
  const calls = children.map(
    ([, own]) => ({ service: own[0].service, operation: own[0].operation, count: own.length }) satisfies ChildCalls,
  );
  calls.sort((a, b) => byText(a.service, b.service) || byText(a.operation, b.operation));
  return {
    operation,
    kind,
    entry: isEntry(spans[0]),
    ...measures(spans, apdexMs),
    selfNs: total(selves),
    self: sketchOf(selves),
    originErrors: origin.length,
    calls,
  };
}

function instanceRollup(instance: string, spans: readonly PlainSpan[]): InstanceRollup {
  const entries = spans.filter(isEntry);
  return {
    instance,
    spans: spans.length,
    requests: entries.length,
    errors: entries.filter((span) => span.error).length,
    durationNs: total(entries.map(durationOf)),
    ...observedTimes(spans),
  };
}

function observedTimes(spans: readonly PlainSpan[]): { firstUs: number; lastUs: number } {
  const ends = spans.map(endUs).sort(ascending);
  return { firstUs: ends[0], lastUs: ends[ends.length - 1] };
}

function exceptionRollups(
  exceptions: readonly { readonly type: string; readonly message: string }[],
): ExceptionRollup[] {
  const groups = inOrder(groupBy(exceptions, ({ type, message }) => JSON.stringify([type, message])));
  return groups
    .map(([, own]) => ({ type: own[0].type, message: own[0].message, count: own.length, ids: [] }))
    .sort((a, b) => byText(a.type, b.type) || byText(a.message, b.message));
}

function logRollup(service: string, logs: readonly PlainLog[]): LogRollup {
  const severities: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
  for (const { severity } of logs) severities[Math.floor((severity - 1) / 4)] += 1;
  const templates = inOrder(groupBy(logs, (log) => log.template)).map(([template, own]) => ({
    template,
    severity: Math.max(...own.map((log) => log.severity)),
    count: own.length,
  }));
  return { service, severities, templates, exceptions: exceptionRollups(logs.flatMap((log) => log.exception ?? [])) };
}

function metricRollup(service: string, points: readonly PlainPoint[]): MetricRollup {
  return {
    service,
    series: inOrder(
      groupBy(
        points.filter((point) => Number.isFinite(point.value)),
        seriesKey,
      ),
    ).map(([, own]) => seriesRollup(own)),
  };
}

function seriesKey({ metric, instance, attributes }: PlainPoint): string {
  return JSON.stringify([metric, instance, attributes]);
}

function seriesRollup(points: readonly PlainPoint[]): MetricSeriesRollup {
  const { metric, unit, kind, monotonic, instance, attributes } = points[0];
  const values = points.map((point) => point.value);
  const newest = points.reduce((a, b) => (b.timeUs >= a.timeUs ? b : a));
  const numbers = {
    points: values.length,
    sum: total(values),
    count: values.length,
    min: Math.min(...values),
    max: Math.max(...values),
  };
  return {
    metric,
    unit,
    kind,
    monotonic,
    instance,
    attributes,
    ...numbers,
    last: newest.value,
    lastUs: newest.timeUs,
    buckets: [],
    quantiles: [],
    exemplars: [],
  };
}

function endUs(span: PlainSpan): number {
  return Number(span.endNs / 1000n);
}

function minuteOf(us: number): number {
  return Math.floor(us / 60e6);
}

function sketchOf(values: readonly number[]): Sketch {
  const sketch = new Sketch();
  for (const value of values) sketch.add(value);
  return sketch;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function inOrder<T>(groups: ReadonlyMap<string, T>): [string, T][] {
  return [...groups].sort(([a], [b]) => byText(a, b));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function ascending(a: number, b: number): number {
  return a - b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
