import { KIND, spansOf, STATUS, type SpanFields } from './otlp-requests.js';
import { randomNumbers } from './random-numbers.js';

/** A span with its service, both for the oracle and for sending. */
export interface PlainSpan extends SpanFields {
  readonly service: string;
  readonly name: string;
  readonly kind: number;
}

export interface TrafficOptions {
  readonly seed: number;
  readonly traces: number;
  /** Range of trace start times (ms since 1970): from ≤ t < to. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Traffic of a small shop. A probe calls the gateway, which calls orders (with a database, a queue to the mailer, and a
 * queue without consumers) and payments, which fails occasionally; a job runs separately.
 */
export function shopTraffic({ seed, traces, fromMs, toMs }: TrafficOptions): PlainSpan[] {
  const random = randomNumbers(seed);
  const spans: PlainSpan[] = [];
  for (let number = 1; number <= traces; number++) {
    const startMs = fromMs + Math.floor(random() * (toMs - fromMs));
    spans.push(...(random() < 0.1 ? job : order)(number, BigInt(startMs) * 1_000_000n, random));
  }
  return spans;
}

type Random = () => number;

/** Builds the spans of one trace; times are offsets (ms) from its start. */
class Trace {
  readonly spans: PlainSpan[] = [];
  private readonly traceId: string;

  constructor(
    private readonly number: number,
    private readonly start: bigint,
  ) {
    this.traceId = number.toString(16).padStart(32, 'c');
  }

  add(
    service: string,
    name: string,
    kind: number,
    [fromMs, untilMs]: readonly [number, number],
    more: Partial<SpanFields> = {},
  ): string {
    const spanId = `${this.number.toString(16).padStart(12, 'd')}${this.spans.length.toString(16).padStart(4, '0')}`;
    const at = (ms: number): bigint => this.start + BigInt(Math.round(ms * 1_000_000));
    this.spans.push({
      service,
      name,
      kind,
      traceId: this.traceId,
      spanId,
      start: at(fromMs),
      end: at(untilMs),
      ...more,
    });
    return spanId;
  }
}

function job(number: number, start: bigint, random: Random): PlainSpan[] {
  const trace = new Trace(number, start);
  const root = trace.add('cron', 'nightly', KIND.internal, [0, 1000 + 2000 * random()]);
  trace.add('cron', 'step', KIND.internal, [1, 500], { parentSpanId: root });
  return trace.spans;
}

function order(number: number, start: bigint, random: Random): PlainSpan[] {
  const trace = new Trace(number, start);
  const gatewayMs = 60 * Math.exp(2 * random());
  const ordersMs = gatewayMs * (0.3 + 0.2 * random());
  const paymentsMs = gatewayMs * (0.1 + 0.2 * random());
  const failed = random() < 0.07;
  const error: Partial<SpanFields> = failed ? { status: { code: STATUS.error } } : {};
  const exception = failed
    ? {
        events: [
          {
            name: 'exception',
            time: start + 1_000_000n,
            attributes: [
              ['exception.type', random() < 0.3 ? 'Declined' : 'Timeout'],
              ['exception.message', 'no money'],
            ] as const,
          },
        ],
      }
    : {};
  const probe = trace.add('probe', 'probe', KIND.client, [0, gatewayMs + 4]);
  const gateway = trace.add(
    'gateway',
    random() < 0.5 ? 'GET /orders' : 'POST /orders',
    KIND.server,
    [2, gatewayMs + 2],
    { parentSpanId: probe, ...error },
  );
  const callOrders = trace.add('gateway', 'call orders', KIND.client, [5, ordersMs + 11], { parentSpanId: gateway });
  const orders = trace.add('orders', 'place', KIND.server, [8, ordersMs + 8], {
    parentSpanId: callOrders,
    status: { code: STATUS.ok },
  });
  trace.add('orders', 'SELECT', KIND.client, [9, 9 + ordersMs / 3], {
    parentSpanId: orders,
    attributes: [
      ['db.namespace', 'orders-db'],
      ['server.address', 'db.internal'],
    ],
  });
  const send = trace.add('orders', 'send', KIND.producer, [10, 12], {
    parentSpanId: orders,
    attributes: [['messaging.destination.name', 'mails']],
  });
  trace.add('mailer', 'process mails', KIND.consumer, [40, 40 + 100 * random()], { parentSpanId: send });
  trace.add('orders', 'audit', KIND.producer, [12, 13], {
    parentSpanId: orders,
    attributes: [['messaging.destination.name', 'audits']],
  });
  const callPayments = trace.add('gateway', 'call payments', KIND.client, [ordersMs + 12, ordersMs + paymentsMs + 18], {
    parentSpanId: gateway,
    ...error,
  });
  trace.add('payments', 'charge', KIND.server, [ordersMs + 14, ordersMs + paymentsMs + 14], {
    parentSpanId: callPayments,
    ...error,
    ...exception,
  });
  return trace.spans;
}

/** Export requests with all spans in random order; each request has spans of one service. */
export function exportRequests(spans: readonly PlainSpan[], seed: number, spansARequest = 150): object[] {
  const random = randomNumbers(seed);
  const byService = new Map<string, PlainSpan[]>();
  for (const span of shuffled(spans, random))
    byService.set(span.service, [...(byService.get(span.service) ?? []), span]);
  const requests: object[] = [];
  for (const [service, own] of byService) {
    for (let from = 0; from < own.length; from += spansARequest) {
      requests.push(
        spansOf(service, ...own.slice(from, from + spansARequest).map(({ service: _, ...fields }) => fields)),
      );
    }
  }
  return shuffled(requests, random);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
