import type { PlainSpan } from '../../test/support/naive-rollups.js';
import type { RecordedLog } from './otlp-json-telemetry.js';
import type { RecordedTelemetry } from './recorded-telemetry.js';
import { delaySpans, groupByParent } from './trace-retiming.js';
import type { VariedCase } from './varied-case.js';

/** Telemetry of one trace. */
interface RecordedTrace {
  readonly spans: readonly PlainSpan[];
  readonly logs: readonly RecordedLog[];
}

/** Changes the traces of the time of the fault, in which `service` is at fault; undefined leaves a trace as it is. */
type Fault = (trace: RecordedTrace, target: FaultTarget, random: () => number) => RecordedTrace;

interface FaultTarget {
  readonly service: string;
  /** Operation of the server spans concerned. */
  readonly operation: string;
  /** Mean duration of a server span of the service, ms. */
  readonly meanMs: number;
}

/** Seconds with spans at the end of the fault-free recording that get the fault, and those that must precede them. */
const FAULTY_SECONDS = 90;
const MIN_HEALTHY_SECONDS = 90;

/** Labels of recorded faults are up to a minute late. */
const LABEL_DELAY_MS = 90_000;

/** Requests that the service must have had in the time of the fault. */
const MIN_REQUESTS = 20;

/**
 * Replaces the recorded fault: takes only what was recorded before it, and puts another fault of a random service into
 * its end. Without enough telemetry before the recorded fault nothing remains.
 */
export function inject(fault: Fault): (original: VariedCase, random: () => number) => VariedCase {
  return (original, random) => {
    const healthy = takeBefore(original.telemetry, original.injectMs - LABEL_DELAY_MS);
    const seconds = [...new Set(healthy.spans.map((span) => Math.floor(toEndMs(span) / 1000)))].sort((a, b) => a - b);
    const injectMs = (seconds[seconds.length - FAULTY_SECONDS] ?? Infinity) * 1000;
    const target =
      seconds.length < FAULTY_SECONDS + MIN_HEALTHY_SECONDS ? undefined : chooseTarget(healthy.spans, injectMs, random);
    if (target === undefined) return { ...original, telemetry: { spans: [], logs: [], points: [] } };
    return {
      ...original,
      telemetry: changeTraces(healthy, injectMs, (trace) => fault(trace, target, random)),
      service: target.service,
      injectMs,
      endMs: (seconds[seconds.length - 1] + 1) * 1000,
      quietPeriods: [],
    };
  };
}

/** Its own work takes longer by a random time, on average three times as long as its requests take. */
export const slowWork: Fault = ({ spans, logs }, { service, meanMs }, random) => ({
  spans: delaySpans(spans, (span) =>
    isRequestOf(span, service) ? -Math.log(1 - random()) * 3 * Math.max(5, meanMs) : 0,
  ),
  logs,
});

const NETWORK_DELAY_MS = 100;

/** Every call from and to it takes longer by the same time. */
export const slowNetwork: Fault = ({ spans, logs }, { service }) => {
  const children = groupByParent(spans);
  const isCall = (span: PlainSpan) =>
    span.kind === 'CLIENT' &&
    (span.service === service || (children.get(span.spanId) ?? []).some((child) => child.service === service));
  return { spans: delaySpans(spans, (span) => (isCall(span) ? NETWORK_DELAY_MS : 0)), logs };
};

/** All of its spans but calls take two to eight times as long as they took without their children. */
export const busyProcessor: Fault = ({ spans, logs }, { service }, random) => {
  const children = groupByParent(spans);
  const selfMs = (span: PlainSpan) =>
    Math.max(0, toMs(span) - (children.get(span.spanId) ?? []).reduce((sum, child) => sum + toMs(child), 0));
  return {
    spans: delaySpans(spans, (span) =>
      span.service === service && span.kind !== 'CLIENT' ? (1 + 6 * random()) * selfMs(span) : 0,
    ),
    logs,
  };
};

/** One of its operations returns early: what it called after that, and what it logged itself, is missing. */
export const earlyReturn: Fault = (trace, target) =>
  trace.spans
    .filter((span) => isConcerned(span, target))
    .reduce((rest, { spanId }) => returnEarly(rest, spanId), trace);

function isConcerned(span: PlainSpan, { service, operation }: FaultTarget): boolean {
  return isRequestOf(span, service) && span.operation === operation;
}

/** Like an early return, but the request fails, and so do the call that made it and what waited for that. */
export const exception: Fault = (trace, target, random) => {
  const failing = trace.spans.filter((span) => isConcerned(span, target));
  const returned = earlyReturn(trace, target, random);
  const byId = new Map(returned.spans.map((span) => [span.spanId, span]));
  const failed = new Set<PlainSpan>();
  for (const { spanId } of failing)
    for (let span = byId.get(spanId); span !== undefined; span = byId.get(span.parentId)) failed.add(span);
  return {
    spans: returned.spans.map((span) => (failed.has(span) ? { ...span, error: true } : span)),
    logs: [...returned.logs, ...failing.map((span) => toExceptionLog(span))],
  };
};

function toExceptionLog({ service, traceId, spanId, endNs }: PlainSpan): RecordedLog {
  return { service, traceId, spanId, timeUs: Number(endNs / 1000n), severity: 17, template: 'request failed: null' };
}

/**
 * Leaves out the first child that starts after the middle, else the last child, and all that comes after it. Children
 * called before run to their end, as those who work for a caller do not know that it returns early.
 */
function returnEarly(trace: RecordedTrace, spanId: string): RecordedTrace {
  const children = groupByParent(trace.spans);
  const span = trace.spans.find((each) => each.spanId === spanId);
  if (span === undefined) return trace;
  const called = children.get(spanId) ?? [];
  const middleNs = (span.startNs + span.endNs) / 2n;
  const firstLeftOut = called.find(({ startNs }) => startNs > middleNs) ?? called.at(-1);
  const returnNs = clamp(firstLeftOut?.startNs ?? middleNs, span);
  const leftOut = new Set(
    called
      .filter(({ startNs }) => firstLeftOut !== undefined && startNs >= firstLeftOut.startNs)
      .flatMap((child) => [...collectBelow(child, children)]),
  );
  const isLate = (log: RecordedLog) => log.spanId === spanId && BigInt(log.timeUs) * 1000n > returnNs;
  return {
    spans: delaySpans(
      trace.spans.filter((each) => !leftOut.has(each.spanId)),
      (each) => (each === span ? -Number(span.endNs - returnNs) / 1e6 : 0),
    ),
    logs: trace.logs.filter((log) => !leftOut.has(log.spanId) && !isLate(log)),
  };
}

function clamp(ns: bigint, { startNs, endNs }: PlainSpan): bigint {
  return ns < startNs ? startNs : ns > endNs ? endNs : ns;
}

/** Ids of the span and all below it. */
function collectBelow({ spanId }: PlainSpan, children: ReadonlyMap<string, readonly PlainSpan[]>): Set<string> {
  const below = new Set([spanId]);
  for (const id of below) for (const child of children.get(id) ?? []) below.add(child.spanId);
  return below;
}

function takeBefore({ spans, logs, points }: RecordedTelemetry, ms: number): RecordedTelemetry {
  return {
    spans: spans.filter((span) => toEndMs(span) < ms),
    logs: logs.filter(({ timeUs }) => timeUs / 1000 < ms),
    points: points.filter(({ timeUs }) => timeUs / 1000 < ms),
  };
}

function chooseTarget(spans: readonly PlainSpan[], fromMs: number, random: () => number): FaultTarget | undefined {
  const requests = new Map<string, PlainSpan[]>();
  for (const span of spans)
    if (span.kind === 'SERVER' && toEndMs(span) >= fromMs)
      requests.set(span.service, [...(requests.get(span.service) ?? []), span]);
  const services = [...requests.keys()].filter((service) => requests.get(service)!.length >= MIN_REQUESTS).sort();
  if (services.length === 0) return undefined;
  const service = services[Math.floor(random() * services.length)];
  const own = requests.get(service)!;
  return {
    service,
    operation: own[Math.floor(random() * own.length)].operation,
    meanMs: own.reduce((sum, span) => sum + toMs(span), 0) / own.length,
  };
}

function changeTraces(
  { spans, logs, points }: RecordedTelemetry,
  fromMs: number,
  change: (trace: RecordedTrace) => RecordedTrace,
): RecordedTelemetry {
  const traces = new Map<string, { spans: PlainSpan[]; logs: RecordedLog[] }>();
  const traceOf = (traceId: string) => {
    const trace = traces.get(traceId) ?? { spans: [], logs: [] };
    traces.set(traceId, trace);
    return trace;
  };
  for (const span of spans) traceOf(span.traceId).spans.push(span);
  for (const log of logs) traceOf(log.traceId).logs.push(log);
  const changed = [...traces.values()].map((trace) =>
    trace.spans.some((span) => Number(span.startNs) / 1e6 >= fromMs) ? change(trace) : trace,
  );
  return { spans: changed.flatMap((trace) => trace.spans), logs: changed.flatMap((trace) => trace.logs), points };
}

function isRequestOf({ service, kind }: PlainSpan, name: string): boolean {
  return service === name && kind === 'SERVER';
}

function toMs({ startNs, endNs }: PlainSpan): number {
  return Number(endNs - startNs) / 1e6;
}

function toEndMs({ endNs }: PlainSpan): number {
  return Number(endNs / 1_000_000n);
}
