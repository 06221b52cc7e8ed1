import type { TraceQuery } from '../../../../../src/queries/telemetry/telemetry-query-types.js';
import type { GivenSpan } from './requests.js';

/** Reference implementation of trace search over plain objects. */
export function naiveFindTraces(
  spans: readonly GivenSpan[],
  query: TraceQuery,
): { items: GivenSpan[]; totalCount: number } {
  const byTrace = new Map<string, GivenSpan[]>();
  for (const span of spans) {
    const trace = byTrace.get(span.traceId);
    if (trace === undefined) byTrace.set(span.traceId, [span]);
    else trace.push(span);
  }
  const items = [...byTrace.values()].map((trace) => itemOf(trace, query)).filter((item) => item !== undefined);
  items.sort(newestFirst);
  const from = (query.page - 1) * query.pageSize;
  return { items: items.slice(from, from + query.pageSize), totalCount: items.length };
}

function itemOf(trace: readonly GivenSpan[], query: TraceQuery): GivenSpan | undefined {
  const { serviceName, operationName, minDurationMs, maxDurationMs, status, tags } = query;
  const hasConditions =
    [serviceName, operationName, minDurationMs, maxDurationMs, status].some((value) => value !== undefined) ||
    Object.keys(tags ?? {}).length > 0;
  return hasConditions ? nearestMatch(trace, query) : rootItem(trace, query);
}

function rootItem(trace: readonly GivenSpan[], query: TraceQuery): GivenSpan | undefined {
  const roots = trace.filter((span) => span.parentId === undefined);
  if (roots.length > 0) return roots.filter((root) => inRange(root, query)).sort(oldestFirst)[0];
  const earliest = [...trace].sort(oldestFirst)[0];
  return inRange(earliest, query) ? earliest : undefined;
}

function nearestMatch(trace: readonly GivenSpan[], query: TraceQuery): GivenSpan | undefined {
  const matches = trace.filter((span) => meets(span, query));
  return matches.sort((a, b) => ancestors(a, trace) - ancestors(b, trace) || oldestFirst(a, b))[0];
}

function ancestors(span: GivenSpan, trace: readonly GivenSpan[]): number {
  const visited = new Set<string>([span.spanId]);
  let at: GivenSpan | undefined = span;
  while (at !== undefined) {
    const { parentId }: GivenSpan = at;
    at = trace.find((other) => other.spanId === parentId);
    if (at === undefined || visited.has(at.spanId)) break;
    visited.add(at.spanId);
  }
  return visited.size - 1;
}

function meets(span: GivenSpan, query: TraceQuery): boolean {
  const { serviceName, operationName, minDurationMs = 0, maxDurationMs = Infinity, status, tags = {} } = query;
  const millis = span.end > span.start ? Number((span.end - span.start) / 1_000_000n) : 0;
  return (
    inRange(span, query) &&
    (serviceName === undefined || span.service === serviceName) &&
    (operationName === undefined || span.operation === operationName) &&
    (status === undefined || (span.status === 2) === (status === 'ERROR')) &&
    millis >= minDurationMs &&
    millis <= maxDurationMs &&
    Object.entries(tags).every(([key, value]) => carries(span, key, value))
  );
}

/** Checks the span and its resource. */
function carries({ attributes, resource, service }: GivenSpan, key: string, value: string): boolean {
  return [attributes, { 'service.name': service, ...resource }].some(
    (values) => values?.[key] !== undefined && String(values[key]) === value,
  );
}

function inRange({ start }: GivenSpan, { range }: TraceQuery): boolean {
  return start >= BigInt(range.fromUs) * 1000n && start < BigInt(range.toUs) * 1000n;
}

function oldestFirst(a: GivenSpan, b: GivenSpan): number {
  return compare(a.start, b.start) || compare(a.spanId, b.spanId) || compare(a.traceId, b.traceId);
}

function newestFirst(a: GivenSpan, b: GivenSpan): number {
  return compare(b.start, a.start) || compare(a.spanId, b.spanId) || compare(a.traceId, b.traceId);
}

export function compare<T extends bigint | string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
