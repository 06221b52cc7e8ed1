import type { SlowEndpoint } from './answers.js';
import { byText } from './by-text.js';
import type { DiagnosticsInput } from './input.js';
import { averageMs, errorRateOf, percentileMs, within } from './measures.js';
import { round2 } from './rounding.js';
import { sumMeasures } from './rollup-sums.js';
import type { Measures, ServiceRollup, Timed } from './rollups.js';
import type { Frames, Timeframe } from './timeframe.js';

const LISTED = 20;

interface Ranked extends Measures {
  readonly service: string;
  readonly operation: string;
  readonly p95: number;
  readonly p99: number;
}

/** SERVER spans by service and operation, slowest p99 first; equals by p95, then by average, then by name. */
export function slowestEndpoints({ services }: Pick<DiagnosticsInput, 'services'>, { current }: Frames): readonly SlowEndpoint[] {
  const ranked: Ranked[] = [];
  for (const [service, endpoints] of endpointsOf(services, current)) {
    for (const [operation, parts] of endpoints) {
      const sum = sumMeasures(parts);
      ranked.push({ ...sum, service, operation, p95: percentileMs(sum, 95), p99: percentileMs(sum, 99) });
    }
  }
  return ranked.sort(slowestFirst).slice(0, LISTED).map(answerOf);
}

function endpointsOf(services: readonly Timed<ServiceRollup>[], frame: Timeframe): Map<string, Map<string, Measures[]>> {
  const byService = new Map<string, Map<string, Measures[]>>();
  for (const { service, operations } of within(services, frame)) {
    const endpoints = byService.get(service) ?? new Map<string, Measures[]>();
    byService.set(service, endpoints);
    for (const part of operations) {
      if (part.kind !== 'SERVER' || part.count === 0) continue;
      const parts = endpoints.get(part.operation);
      if (parts === undefined) endpoints.set(part.operation, [part]);
      else parts.push(part);
    }
  }
  return byService;
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
