import { EXCEPTION_MESSAGE, EXCEPTION_STACKTRACE, EXCEPTION_TYPE } from '../../../src/telemetry/attributes.js';
import { SCOPE_ITEMS, SPAN, SPAN_EVENT, STATUS } from '../../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { KIND_CLIENT, KIND_INTERNAL, KIND_SERVER } from '../../../src/telemetry/span-kind.js';
import { STATUS_ERROR } from '../../../src/telemetry/columns/span-batch-columns.js';
import type { OtlpWriter, Value } from './otlp-writer.js';
import type { Random } from './random.js';
import { EXCEPTION, METHODS, PODS_PER_SERVICE, ROUTES, ROUTES_PER_SERVICE, SERVICES, TABLES } from './shop.js';

export interface GeneratedSpan {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentId: Buffer | undefined;
  readonly service: number;
  readonly pod: number;
  readonly kind: number;
  /** Whether a client span calls a database instead of `peer`. */
  readonly database: boolean;
  readonly peer: number;
  readonly startUs: number;
  readonly durationUs: number;
  readonly failed: boolean;
}

const FLAGS_SAMPLED = 0x101;

/** One trace: a root server span and a tree of server, client, database and internal spans below it. */
export function growTrace(random: Random, startUs: number): GeneratedSpan[] {
  const spans: GeneratedSpan[] = [];
  const traceId = random.bytes(16);
  const size = 6 + random.below(15);
  while (spans.length < size) spans.push(growSpan(random, traceId, startUs, spans));
  return spans;
}

function growSpan(random: Random, traceId: Buffer, startUs: number, spans: readonly GeneratedSpan[]): GeneratedSpan {
  const parent = spans.length === 0 ? undefined : random.pick(spans);
  const called = parent !== undefined && parent.kind === KIND_CLIENT && !parent.database;
  const kind =
    parent === undefined || called ? KIND_SERVER : random.pick([KIND_CLIENT, KIND_CLIENT, KIND_INTERNAL, KIND_CLIENT]);
  const draw = (): number => random.unit() * 3;
  return {
    traceId,
    spanId: random.bytes(8),
    parentId: parent?.spanId,
    service: parent === undefined ? 0 : called ? parent.peer : parent.service,
    pod: random.below(PODS_PER_SERVICE),
    kind,
    database: kind === KIND_CLIENT && random.unit() < 0.5,
    peer: random.below(SERVICES.length),
    startUs: parent === undefined ? startUs : parent.startUs + random.below(5000),
    durationUs: Math.round(Math.exp(draw() + draw() + draw() + 3)),
    failed: random.unit() < 0.02,
  };
}

export function writeSpan(writer: OtlpWriter, span: GeneratedSpan, random: Random): void {
  const endUs = span.startUs + span.durationUs;
  const message = writer.beginField(SCOPE_ITEMS.record);
  writer.writeBytesField(SPAN.traceId, span.traceId);
  writer.writeBytesField(SPAN.spanId, span.spanId);
  if (span.parentId !== undefined) writer.writeBytesField(SPAN.parentSpanId, span.parentId);
  const { name, attributes } = describe(span, random);
  writer.writeTextField(SPAN.name, name);
  writer.writeIntegerField(SPAN.kind, span.kind);
  writer.time(SPAN.start, BigInt(span.startUs) * 1000n + BigInt(random.below(1000)));
  writer.time(SPAN.end, BigInt(endUs) * 1000n + BigInt(random.below(1000)));
  writer.attributes(SPAN.attribute, attributes);
  if (span.failed) writeException(writer, endUs);
  const status = writer.beginField(SPAN.status);
  if (span.failed) {
    writer.writeTextField(STATUS.message, 'upstream timed out');
    writer.writeIntegerField(STATUS.code, STATUS_ERROR);
  }
  writer.endField(status);
  writer.writeVarint(SPAN.flags);
  writer.writeFixed32(FLAGS_SAMPLED);
  writer.endField(message);
}

function writeException(writer: OtlpWriter, timeUs: number): void {
  const event = writer.beginField(SPAN.event);
  writer.time(SPAN_EVENT.time, BigInt(timeUs) * 1000n);
  writer.writeTextField(SPAN_EVENT.name, 'exception');
  writer.attribute(SPAN_EVENT.attribute, EXCEPTION_TYPE, EXCEPTION.type);
  writer.attribute(SPAN_EVENT.attribute, EXCEPTION_MESSAGE, EXCEPTION.message);
  writer.attribute(SPAN_EVENT.attribute, EXCEPTION_STACKTRACE, EXCEPTION.stackTrace);
  writer.endField(event);
}

interface Description {
  readonly name: string;
  readonly attributes: Readonly<Record<string, Value>>;
}

function describe(span: GeneratedSpan, random: Random): Description {
  if (span.database) return describeQuery(random);
  return span.kind === KIND_INTERNAL ? describeStep(span, random) : describeRequest(span, random);
}

function describeRequest(span: GeneratedSpan, random: Random): Description {
  const server = span.kind === KIND_CLIENT ? span.peer : span.service;
  const number = random.below(ROUTES_PER_SERVICE);
  const route = ROUTES[server][number];
  const method = METHODS[number % METHODS.length];
  return {
    name: `${method} ${route}`,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'url.path': route.replace('{id}', String(random.below(1e6))),
      'url.scheme': 'https',
      'server.address': `${SERVICES[server]}.shop.svc.cluster.local`,
      'server.port': 8443,
      'http.response.status_code': span.failed ? 500 : random.pick([200, 200, 200, 201, 204, 404]),
      'network.protocol.version': '1.1',
      'user_agent.original': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
      'client.address': `10.1.${random.below(20)}.${random.below(250)}`,
      'http.request.body.size': random.below(4000),
      'http.response.body.size': random.below(90_000),
      'app.user.id': `user-${random.below(50_000)}`,
    },
  };
}

function describeStep(span: GeneratedSpan, random: Random): Description {
  const step = random.below(ROUTES_PER_SERVICE);
  return {
    name: `${SERVICES[span.service]}.handler.step${step}`,
    attributes: {
      'code.function.name': `handle.step${step}`,
      'code.file.path': `/app/src/${SERVICES[span.service]}/handler.ts`,
      'code.line.number': random.below(900),
      'app.user.id': `user-${random.below(50_000)}`,
      'app.cart.size': random.below(20),
      'app.feature.flag': random.unit() < 0.5,
      'app.tier': random.pick(['free', 'pro', 'enterprise']),
      'app.score': random.unit(),
      'thread.id': random.below(64),
      'thread.name': `worker-${random.below(16)}`,
    },
  };
}

function describeQuery(random: Random): Description {
  const table = random.pick(TABLES);
  const operation = random.pick(['SELECT', 'INSERT', 'UPDATE'] as const);
  const text = {
    SELECT: `SELECT id, name, price, created_at FROM ${table} WHERE tenant_id = $1 AND id = $2 ORDER BY created_at DESC LIMIT 50`,
    INSERT: `INSERT INTO ${table} (id, name, price, qty) VALUES ($1,$2,$3,$4)`,
    UPDATE: `UPDATE ${table} SET qty = $1 WHERE id = $2`,
  }[operation];
  return {
    name: `${operation} shop.${table}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.namespace': 'shop',
      'db.operation.name': operation,
      'db.collection.name': table,
      'db.query.text': text,
      'server.address': `pg-${random.below(4)}.db.svc.cluster.local`,
      'server.port': 5432,
      'network.peer.address': `10.0.${random.below(4)}.${random.below(250)}`,
      'network.peer.port': 5432,
      'db.response.returned_rows': random.below(200),
      'thread.id': random.below(64),
      'thread.name': `http-worker-${random.below(16)}`,
    },
  };
}
