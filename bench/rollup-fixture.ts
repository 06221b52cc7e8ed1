import type {
  EdgeRollup,
  GridRollup,
  Measures,
  OperationRollup,
  ServiceRollup,
} from '../src/diagnostics/rollups/rollup-types.js';
import { Sketch } from '../src/diagnostics/rollups/sketch.js';
import { randomNumbers } from '../test/support/random-numbers.js';

/** Size of a Grid with generated rollups. */
export interface GridSize {
  readonly services: number;
  readonly operations: number;
  readonly edges: number;
  /** Requests of one operation in one minute. */
  readonly requests: number;
}

type Random = () => number;

export function serviceName(index: number): string {
  return `service-${String(index).padStart(2, '0')}`;
}

/** Rollups of one minute: one of the Grid, and one per service. Durations are lognormal, 2 % of the requests fail. */
export function createMinuteRollups(
  size: GridSize,
  seed: number,
): { grid: GridRollup; services: readonly ServiceRollup[] } {
  const random = randomNumbers(seed);
  const services = Array.from({ length: size.services }, (_, index) =>
    createServiceRollup(serviceName(index), size, random),
  );
  const totals = services.map(({ service: name, operations }) => {
    const entries = operations.filter(({ entry }) => entry);
    const count = entries.reduce((sum, operation) => sum + operation.count, 0);
    const calls = operations.reduce((sum, operation) => sum + operation.count, 0) - count;
    return {
      service: name,
      ...sumMeasures(entries),
      kinds: [0, count, calls, 0, 0] as const,
      entryKinds: [0, count, 0, 0, 0] as const,
    };
  });
  return { grid: { services: totals, edges: createEdgeRollups(size, random) }, services };
}

function createServiceRollup(name: string, { operations, requests }: GridSize, random: Random): ServiceRollup {
  return {
    service: name,
    operations: Array.from({ length: operations }, (_, index) => createOperationRollup(name, index, requests, random)),
    exceptions: [
      {
        type: 'TimeoutError',
        message: 'no answer within 2 s',
        count: 3,
        ids: [1, 2, 3].map((id) => id + Math.floor(random() * 2 ** 40)).sort((a, b) => a - b),
      },
    ],
    versions: [{ version: '1.4.2', spans: operations * requests, firstUs: 0, lastUs: 0 }],
    instances: ['a', 'b', 'c'].map((instance) => ({
      instance: `${name}-${instance}`,
      spans: requests,
      requests,
      errors: 0,
      durationNs: requests * 20e6,
      firstUs: 0,
      lastUs: 0,
    })),
  };
}

function createOperationRollup(name: string, index: number, requests: number, random: Random): OperationRollup {
  const entry = index % 2 === 0;
  const measures = createMeasures(requests, 5e6 * (1 + index), random);
  return {
    ...measures,
    operation: `${entry ? 'GET' : 'call'} /${name}/resource-${String(index).padStart(2, '0')}`,
    kind: entry ? 'SERVER' : 'CLIENT',
    entry,
    selfNs: Math.floor(measures.durationNs / 3),
    self: createMeasures(requests, 2e6, random).latency,
    originErrors: measures.errors,
    calls: [{ service: name, operation: `call /${name}/resource-${index + 1}`, count: requests }],
  };
}

function createEdgeRollups({ services, edges: count, requests }: GridSize, random: Random): EdgeRollup[] {
  return Array.from({ length: count }, (_, index) => {
    const calls = createMeasures(requests, 2e7, random);
    return {
      source: serviceName(index % services),
      target: serviceName((index * 7 + 1) % services),
      virtual: false,
      count: calls.count,
      errors: calls.errors,
      durationNs: calls.durationNs,
      latency: calls.latency,
      paired: calls.count,
      wireNs: calls.count * 1e6,
      wire: createMeasures(requests, 1e6, random).latency,
    };
  });
}

function createMeasures(count: number, medianNs: number, random: Random): Measures {
  const latency = new Sketch();
  let durationNs = 0;
  for (let i = 0; i < count; i++) {
    const duration = Math.floor(medianNs * Math.exp(random() + random() + random() - 1.5));
    latency.add(duration);
    durationNs += duration;
  }
  const errors = Math.floor(count * 0.02 + random());
  return { count, errors, durationNs, satisfied: count - errors, tolerating: 0, latency };
}

function sumMeasures(parts: readonly Measures[]): Measures {
  const latency = new Sketch();
  for (const part of parts) latency.merge(part.latency);
  const sum = (of: (part: Measures) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return {
    count: sum((p) => p.count),
    errors: sum((p) => p.errors),
    durationNs: sum((p) => p.durationNs),
    satisfied: sum((p) => p.satisfied),
    tolerating: sum((p) => p.tolerating),
    latency,
  };
}
