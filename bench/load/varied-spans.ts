import { STATUS_ERROR } from '../../src/telemetry/columns/span-batch-columns.js';
import { SCOPE_ITEMS, SPAN, STATUS } from '../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { KIND_CLIENT, KIND_INTERNAL, KIND_SERVER } from '../../src/telemetry/span-kind.js';
import { OtlpWriter } from '../../test/support/generator/otlp-writer.js';
import { Random } from '../../test/support/generator/random.js';
import { METHODS, namePods, resourceOf, ROUTES, SERVICES, TABLES } from '../../test/support/generator/shop.js';

/** Share of the spans that comes from the first service. */
const BUSIEST_SHARE = 0.65;
const SPANS_PER_TRACE = 8;
const STATUSES = [200, 200, 200, 201, 204, 400, 404, 500] as const;

interface VariedSpan {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentId: Buffer | undefined;
  readonly service: number;
  readonly kind: number;
  readonly startUs: number;
  readonly durationUs: number;
}

/**
 * Export requests of spans that differ as much as those of real services: ten services of which one sends 65 %, 13
 * attributes a span, random ids, traces whose spans arrive in requests of different services.
 */
export class VariedSpans {
  private readonly random: Random;
  private readonly writer = new OtlpWriter();
  private readonly pods: string[][];
  /** Spans that wait for their request, by service. */
  private readonly waiting: VariedSpan[][] = SERVICES.map(() => []);
  private nowUs: number;

  constructor(
    seed: number,
    startNs: bigint,
    private readonly stepUs: number,
  ) {
    this.random = new Random(seed);
    this.pods = namePods(this.random);
    this.nowUs = Number(startNs / 1000n);
  }

  /** One request, as a pod sends it: all spans from one resource. */
  next(spans: number): Buffer {
    const { writer } = this;
    let service = -1;
    while ((service = this.waiting.findIndex((queue) => queue.length >= spans)) < 0) this.growTrace();
    const sent = this.waiting[service].splice(0, spans);
    writer.resourceItems(resourceOf(service, this.pods[service][0]), () => {
      for (const span of sent) this.writeSpan(span);
    });
    const request = writer.finish();
    writer.clear();
    return request;
  }

  private growTrace(): void {
    const { random } = this;
    const traceId = random.bytes(16);
    const spans: VariedSpan[] = [];
    for (let n = 0; n < SPANS_PER_TRACE; n++) {
      const parent = spans.length === 0 ? undefined : random.pick(spans);
      const service = random.unit() < BUSIEST_SHARE ? 0 : 1 + random.below(SERVICES.length - 1);
      const isEntry = parent === undefined || parent.service !== service;
      const span: VariedSpan = {
        traceId,
        spanId: random.bytes(8),
        parentId: parent?.spanId,
        service,
        kind: isEntry ? KIND_SERVER : random.pick([KIND_CLIENT, KIND_INTERNAL]),
        startUs: (parent?.startUs ?? Math.floor(this.nowUs)) + random.below(2000),
        durationUs: Math.round(Math.exp(4 + random.unit() * 7)),
      };
      spans.push(span);
      this.waiting[service].push(span);
    }
    this.nowUs += SPANS_PER_TRACE * this.stepUs;
  }

  private writeSpan(span: VariedSpan): void {
    const { random, writer } = this;
    const route = random.pick(ROUTES[span.service]);
    const method = random.pick(METHODS);
    const status = random.pick(STATUSES);
    const startNs = BigInt(span.startUs) * 1000n + BigInt(random.below(1000));
    const message = writer.beginField(SCOPE_ITEMS.record);
    writer.writeBytesField(SPAN.traceId, span.traceId);
    writer.writeBytesField(SPAN.spanId, span.spanId);
    if (span.parentId !== undefined) writer.writeBytesField(SPAN.parentSpanId, span.parentId);
    writer.writeTextField(SPAN.name, `${method} ${route}`);
    writer.writeIntegerField(SPAN.kind, span.kind);
    writer.time(SPAN.start, startNs);
    writer.time(SPAN.end, startNs + BigInt(span.durationUs) * 1000n);
    writer.attributes(SPAN.attribute, this.drawAttributes(span.service, method, route, status));
    const field = writer.beginField(SPAN.status);
    if (status === 500) writer.writeIntegerField(STATUS.code, STATUS_ERROR);
    writer.endField(field);
    writer.endField(message);
  }

  private drawAttributes(
    service: number,
    method: string,
    route: string,
    status: number,
  ): Record<string, string | number> {
    const { random } = this;
    return {
      'http.request.method': method,
      'http.route': route,
      'url.path': route.replace('{id}', String(random.below(1e6))),
      'app.request.id': random.bytes(16).toString('hex'),
      'http.response.status_code': status,
      'server.address': `${SERVICES[service]}.shop.svc.cluster.local`,
      'client.address': `10.${random.below(4)}.${random.below(256)}.${random.below(256)}`,
      'client.port': 1024 + random.below(60_000),
      'http.response.body.size': random.below(90_000),
      'app.user.id': `user-${random.below(50_000)}`,
      'app.tenant': `tenant-${random.below(50)}`,
      'thread.name': `worker-${random.below(16)}`,
      'db.collection.name': random.pick(TABLES),
    };
  }
}
