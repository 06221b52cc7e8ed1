import type { SlowEndpoint } from './answers.js';
import { byText } from './by-text.js';
import type { DiagnosticsInput } from './input.js';
import { averageMs, errorRateOf, percentileMs, within } from './measures.js';
import { remembered } from './remembered.js';
import { round2 } from './rounding.js';
import { sumMeasures } from './rollup-sums.js';
import type { Measures, OperationRollup, ServiceRollup, Timed } from './rollups.js';
import { Sketch } from './sketch.js';
import type { Frames, Timeframe } from './timeframe.js';

const LISTED = 20;

interface Endpoint {
  readonly service: string;
  readonly operation: string;
  /** One of each stretch. */
  readonly parts: Measures[];
  /** The largest p99 of a part, ns. That of all is no larger: of each part at most 1 % lies above its own. */
  bound: number;
}

interface Ranked extends Measures, Pick<Endpoint, 'service' | 'operation'> {
  readonly p95: number;
  readonly p99: number;
}

/** SERVER spans by service and operation, slowest p99 first; equals by p95, then by average, then by name. */
export function slowestEndpoints({ services }: Pick<DiagnosticsInput, 'services'>, { current }: Frames): readonly SlowEndpoint[] {
  return slowest(endpointsOf(services, current)).map(figuresOf).sort(slowestFirst).slice(0, LISTED).map(answerOf);
}

function endpointsOf(services: readonly Timed<ServiceRollup>[], frame: Timeframe): Endpoint[] {
  const byService = new Map<string, Map<string, Endpoint>>();
  for (const rollup of within(services, frame)) {
    const { service, operations } = rollup;
    const endpoints = byService.get(service) ?? new Map<string, Endpoint>();
    byService.set(service, endpoints);
    const p99s = p99sOf(rollup);
    operations.forEach((part, i) => {
      if (!isAnswered(part)) return;
      const endpoint = endpoints.get(part.operation);
      if (endpoint === undefined) endpoints.set(part.operation, { service, operation: part.operation, parts: [part], bound: p99s[i] });
      else {
        endpoint.parts.push(part);
        endpoint.bound = Math.max(endpoint.bound, p99s[i]);
      }
    });
  }
  return [...byService.values()].flatMap((endpoints) => [...endpoints.values()]);
}

function isAnswered({ kind, count }: OperationRollup): boolean {
  return kind === 'SERVER' && count > 0;
}

/** In ns, by operation; 0 for those that are no endpoints. */
const p99sOf = remembered(({ operations }: ServiceRollup) => Float64Array.from(operations, (part) => (isAnswered(part) ? part.latency.percentile(99) : 0)));

/** Those that can be among the first by p99, so that nothing else need be known of the many others. */
function slowest(endpoints: readonly Endpoint[]): Endpoint[] {
  const found: { readonly endpoint: Endpoint; readonly p99: number }[] = [];
  const first: number[] = []; // ascending
  const sum = new Sketch();
  for (const endpoint of endpoints.toSorted((a, b) => b.bound - a.bound)) {
    if (first.length === LISTED && endpoint.bound < first[0]) break;
    sum.clear();
    for (const { latency } of endpoint.parts) sum.merge(latency);
    const p99 = sum.percentile(99);
    found.push({ endpoint, p99 });
    first.push(p99);
    first.sort((a, b) => a - b);
    if (first.length > LISTED) first.shift();
  }
  return found.filter(({ p99 }) => p99 >= first[0]).map(({ endpoint }) => endpoint);
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
