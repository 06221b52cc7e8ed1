import type { SlowEndpoint } from '../diagnostic-results.js';
import { compareText } from '../text-order.js';
import type { DiagnosticsInput } from '../diagnostics-input.js';
import { averageMs, errorRatePercent, percentileMs, selectContainedValues } from '../request-measures.js';
import { memoizeWeak } from '../weak-memoize.js';
import { round2 } from '../rounding.js';
import { sumMeasures } from '../rollups/rollup-sums.js';
import type { Measures, OperationRollup, ServiceRollup, TimeBucket } from '../rollups/rollup-types.js';
import { Sketch } from '../rollups/sketch.js';
import type { AnalysisWindows, TimeWindow } from '../time-windows.js';

const MAX_LISTED = 20;

interface Endpoint {
  readonly service: string;
  readonly operation: string;
  /** One per time bucket. */
  readonly parts: Measures[];
  /** Largest p99 of a part, ns: an upper bound of the p99 of all parts, because at most 1 % of each part exceeds it. */
  bound: number;
}

interface RankedEndpoint extends Measures, Pick<Endpoint, 'service' | 'operation'> {
  readonly p95: number;
  readonly p99: number;
}

/** SERVER spans by service and operation, slowest p99 first; ties by p95, then by average, then by name. */
export function rankSlowestEndpoints(
  { services }: Pick<DiagnosticsInput, 'services'>,
  { current }: AnalysisWindows,
): readonly SlowEndpoint[] {
  return selectSlowest(collectEndpoints(services, current))
    .map(toRankedEndpoint)
    .sort(compareBySlowness)
    .slice(0, MAX_LISTED)
    .map(toSlowEndpoint);
}

function collectEndpoints(services: readonly TimeBucket<ServiceRollup>[], window: TimeWindow): Endpoint[] {
  const byService = new Map<string, Map<string, Endpoint>>();
  for (const rollup of selectContainedValues(services, window)) {
    const { service, operations } = rollup;
    const endpoints = byService.get(service) ?? new Map<string, Endpoint>();
    byService.set(service, endpoints);
    const p99s = memoizedP99s(rollup);
    operations.forEach((part, i) => {
      if (!isServerOperation(part)) return;
      const endpoint = endpoints.get(part.operation);
      if (endpoint === undefined)
        endpoints.set(part.operation, { service, operation: part.operation, parts: [part], bound: p99s[i] });
      else {
        endpoint.parts.push(part);
        endpoint.bound = Math.max(endpoint.bound, p99s[i]);
      }
    });
  }
  return [...byService.values()].flatMap((endpoints) => [...endpoints.values()]);
}

function isServerOperation({ kind, count }: OperationRollup): boolean {
  return kind === 'SERVER' && count > 0;
}

/** p99 in ns by operation index; 0 for operations that are not endpoints. */
const memoizedP99s = memoizeWeak(({ operations }: ServiceRollup) =>
  Float64Array.from(operations, (part) => (isServerOperation(part) ? part.latency.percentile(99) : 0)),
);

/** The endpoints that can be among the slowest by p99; avoids computing percentiles of all others. */
function selectSlowest(endpoints: readonly Endpoint[]): Endpoint[] {
  const candidates: { readonly endpoint: Endpoint; readonly p99: number }[] = [];
  const slowest: number[] = []; // ascending
  const sum = new Sketch();
  for (const endpoint of endpoints.toSorted((a, b) => b.bound - a.bound)) {
    if (slowest.length === MAX_LISTED && endpoint.bound < slowest[0]) break;
    sum.clear();
    for (const { latency } of endpoint.parts) sum.merge(latency);
    const p99 = sum.percentile(99);
    candidates.push({ endpoint, p99 });
    slowest.push(p99);
    slowest.sort((a, b) => a - b);
    if (slowest.length > MAX_LISTED) slowest.shift();
  }
  return candidates.filter(({ p99 }) => p99 >= slowest[0]).map(({ endpoint }) => endpoint);
}

function toRankedEndpoint({ service, operation, parts }: Endpoint): RankedEndpoint {
  const sum = sumMeasures(parts);
  return { ...sum, service, operation, p95: percentileMs(sum, 95), p99: percentileMs(sum, 99) };
}

function compareBySlowness(a: RankedEndpoint, b: RankedEndpoint): number {
  return (
    b.p99 - a.p99 ||
    b.p95 - a.p95 ||
    averageMs(b) - averageMs(a) ||
    compareText(a.service, b.service) ||
    compareText(a.operation, b.operation)
  );
}

function toSlowEndpoint(ranked: RankedEndpoint, index: number): SlowEndpoint {
  return {
    rank: index + 1,
    serviceName: ranked.service,
    operation: ranked.operation,
    avgLatencyMs: round2(averageMs(ranked)),
    p95LatencyMs: round2(ranked.p95),
    p99LatencyMs: round2(ranked.p99),
    requestCount: ranked.count,
    errorRate: round2(errorRatePercent(ranked)),
  };
}
