import type { SlowEndpoint } from './answers.js';
import { byText } from './by-text.js';
import type { DiagnosticsInput } from './input.js';
import { averageMs, errorRateOf, percentileMs, within } from './measures.js';
import { round2 } from './rounding.js';
import { sumMeasures } from './rollup-sums.js';
import type { Measures, ServiceRollup, Timed } from './rollups.js';
import { Sketch } from './sketch.js';
import type { Frames, Timeframe } from './timeframe.js';

const LISTED = 20;

interface Endpoint {
  readonly service: string;
  readonly operation: string;
  /** One of each stretch. */
  readonly parts: Measures[];
}

interface Ranked extends Measures, Omit<Endpoint, 'parts'> {
  readonly p95: number;
  readonly p99: number;
}

/** SERVER spans by service and operation, slowest p99 first; equals by p95, then by average, then by name. */
export function slowestEndpoints({ services }: Pick<DiagnosticsInput, 'services'>, { current }: Frames): readonly SlowEndpoint[] {
  return slowest(endpointsOf(services, current)).map(figuresOf).sort(slowestFirst).slice(0, LISTED).map(answerOf);
}

function endpointsOf(services: readonly Timed<ServiceRollup>[], frame: Timeframe): Endpoint[] {
  const byService = new Map<string, Map<string, Endpoint>>();
  for (const { service, operations } of within(services, frame)) {
    const endpoints = byService.get(service) ?? new Map<string, Endpoint>();
    byService.set(service, endpoints);
    for (const part of operations) {
      if (part.kind !== 'SERVER' || part.count === 0) continue;
      const endpoint = endpoints.get(part.operation);
      if (endpoint === undefined) endpoints.set(part.operation, { service, operation: part.operation, parts: [part] });
      else endpoint.parts.push(part);
    }
  }
  return [...byService.values()].flatMap((endpoints) => [...endpoints.values()]);
}

/** Those that can be among the first by p99, so that nothing else need be known of the many others. */
function slowest(endpoints: readonly Endpoint[]): Endpoint[] {
  if (endpoints.length <= LISTED) return [...endpoints];
  const sum = new Sketch();
  const p99 = endpoints.map(({ parts }) => {
    sum.clear();
    for (const { latency } of parts) sum.merge(latency);
    return sum.percentile(99);
  });
  const last = p99.toSorted((a, b) => b - a)[LISTED - 1];
  return endpoints.filter((_, i) => p99[i] >= last);
}

function figuresOf({ service, operation, parts }: Endpoint): Ranked {
  const sum = sumMeasures(parts);
  return { ...sum, service, operation, p95: percentileMs(sum, 95), p99: percentileMs(sum, 99) };
}

function slowestFirst(a: Ranked, b: Ranked): number {
  return b.p99 - a.p99 || b.p95 - a.p95 || averageMs(b) - averageMs(a) || byText(a.service, b.service) || byText(a.operation, b.operation);
}

function answerOf(ranked: Ranked, place: number): SlowEndpoint {
  return {
    rank: place + 1,
    serviceName: ranked.service,
    operation: ranked.operation,
    avgLatencyMs: round2(averageMs(ranked)),
    p95LatencyMs: round2(ranked.p95),
    p99LatencyMs: round2(ranked.p99),
    requestCount: ranked.count,
    errorRate: round2(errorRateOf(ranked)),
  };
}
