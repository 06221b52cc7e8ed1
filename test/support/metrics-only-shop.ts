import { randomNumbers } from './random-numbers.js';

/**
 * A shop that sends request metrics and nothing else: frontend → checkout → payment, inventory (gRPC); payment →
 * orders-db. As SDKs do, each service exports delta histograms once a step, of its own requests and of its calls.
 */
export interface ShopFault {
  /** The faulty service, or `orders-db`. */
  readonly service: string;
  readonly kind: 'slow' | 'failing';
}

export interface ShopStep {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly requests: number;
  readonly fault?: ShopFault;
}

interface Program {
  readonly name: string;
  /** Own work, ms. */
  readonly ms: number;
  readonly protocol: 'http' | 'rpc' | 'db';
  readonly operation: string;
  readonly calls: readonly Program[];
}

const DATABASE: Program = { name: 'orders-db', ms: 6, protocol: 'db', operation: '', calls: [] };
const INVENTORY: Program = { name: 'inventory', ms: 9, protocol: 'rpc', operation: 'Reserve', calls: [] };
const PAYMENT: Program = { name: 'payment', ms: 14, protocol: 'http', operation: '/pay', calls: [DATABASE] };
const CHECKOUT: Program = {
  name: 'checkout',
  ms: 11,
  protocol: 'http',
  operation: '/checkout',
  calls: [PAYMENT, INVENTORY],
};
const FRONTEND: Program = { name: 'frontend', ms: 5, protocol: 'http', operation: '/cart', calls: [CHECKOUT] };

/** Services, by name ascending; `orders-db` sends nothing itself. */
export const METRIC_SHOP_SERVICES = ['checkout', 'frontend', 'inventory', 'payment'];

/** Source and target of each call, ascending. */
export const METRIC_SHOP_EDGES = [
  'checkout > inventory',
  'checkout > payment',
  'frontend > checkout',
  'payment > orders-db',
];

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const SLOW_FACTOR = 60;
const FAILING_SHARE = 0.4;

/** Histograms of one service by metric and attributes. */
type Exports = Map<string, Map<string, { metric: Metric; count: number; sum: number; counts: number[] }>>;

interface Metric {
  readonly name: string;
  readonly unit: 's' | 'ms';
  readonly attributes: Readonly<Record<string, string>>;
}

/** One export request for each service and step. */
export function metricsOnlyShop(steps: readonly ShopStep[], seed = 1): object[] {
  const random = randomNumbers(seed);
  return steps.flatMap((step) => {
    const exports: Exports = new Map();
    for (let i = 0; i < step.requests; i++) run(FRONTEND, step.fault, random, exports);
    return [...exports].map(([service, histograms]) => exportOf(service, step, [...histograms.values()]));
  });
}

/** Runs one request; returns its seconds and whether it failed. */
function run(
  program: Program,
  fault: ShopFault | undefined,
  random: () => number,
  exports: Exports,
): { readonly seconds: number; readonly failed: boolean } {
  const isFaulty = fault?.service === program.name;
  let seconds = (program.ms / 1000) * (0.5 + random()) * (isFaulty && fault.kind === 'slow' ? SLOW_FACTOR : 1);
  let failed = isFaulty && fault.kind === 'failing' && random() < FAILING_SHARE;
  for (const callee of failed ? [] : program.calls) {
    const called = run(callee, fault, random, exports);
    const callSeconds = called.seconds + 0.0005;
    observe(exports, program.name, clientMetric(callee, called.failed), callSeconds);
    seconds += callSeconds;
    failed ||= called.failed;
  }
  if (program.protocol !== 'db') observe(exports, program.name, serverMetric(program, failed), seconds);
  return { seconds, failed };
}

function serverMetric({ protocol, operation }: Program, failed: boolean): Metric {
  if (protocol === 'rpc')
    return {
      name: 'rpc.server.duration',
      unit: 'ms',
      attributes: {
        'rpc.system': 'grpc',
        'rpc.service': 'shop.Inventory',
        'rpc.method': operation,
        'rpc.grpc.status_code': failed ? '13' : '0',
      },
    };
  return {
    name: 'http.server.request.duration',
    unit: 's',
    attributes: {
      'http.request.method': 'POST',
      'http.route': operation,
      'http.response.status_code': failed ? '500' : '200',
    },
  };
}

function clientMetric({ name, protocol }: Program, failed: boolean): Metric {
  const address = `${name}.shop.svc.cluster.local`;
  if (protocol === 'db')
    return {
      name: 'db.client.operation.duration',
      unit: 's',
      attributes: {
        'db.system.name': 'postgresql',
        'db.namespace': name,
        ...(failed ? { 'error.type': 'timeout' } : {}),
      },
    };
  if (protocol === 'rpc')
    return {
      name: 'rpc.client.duration',
      unit: 'ms',
      attributes: { 'rpc.system': 'grpc', 'server.address': address, 'rpc.grpc.status_code': failed ? '13' : '0' },
    };
  return {
    name: 'http.client.request.duration',
    unit: 's',
    attributes: { 'server.address': address, 'http.response.status_code': failed ? '500' : '200' },
  };
}

function observe(exports: Exports, service: string, metric: Metric, seconds: number): void {
  const key = JSON.stringify(metric);
  const histograms = exports.get(service) ?? new Map<string, never>();
  exports.set(service, histograms);
  const histogram = histograms.get(key) ?? { metric, count: 0, sum: 0, counts: [...BOUNDS, 0].map(() => 0) };
  histograms.set(key, histogram);
  histogram.count++;
  histogram.sum += metric.unit === 's' ? seconds : seconds * 1000;
  const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
  histogram.counts[bucket < 0 ? BOUNDS.length : bucket]++;
}

function exportOf(
  service: string,
  { startMs, lengthMs }: ShopStep,
  histograms: readonly { metric: Metric; count: number; sum: number; counts: number[] }[],
): object {
  const [start, end] = [startMs, startMs + lengthMs].map((ms) => `${ms}000000`);
  return {
    resourceMetrics: [
      {
        resource: { attributes: pairs({ 'service.name': service, 'service.instance.id': `${service}-1` }) },
        scopeMetrics: [
          {
            metrics: histograms.map(({ metric: { name, unit, attributes }, count, sum, counts }) => ({
              name,
              unit,
              histogram: {
                aggregationTemporality: 1,
                dataPoints: [
                  {
                    attributes: pairs(attributes),
                    startTimeUnixNano: start,
                    timeUnixNano: end,
                    count: String(count),
                    sum,
                    bucketCounts: counts.map(String),
                    explicitBounds: unit === 's' ? BOUNDS : BOUNDS.map((bound) => bound * 1000),
                  },
                ],
              },
            })),
          },
        ],
      },
    ],
  };
}

function pairs(attributes: Readonly<Record<string, string>>): object[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}
