import { LOG_RECORD, SCOPE_ITEMS } from '../../src/telemetry/otlp/wire/otlp-field-tags.js';
import { OtlpWriter } from '../../test/support/generator/otlp-writer.js';
import { Random } from '../../test/support/generator/random.js';
import { namePods, PODS_PER_SERVICE, resourceOf, SERVICES, TABLES } from '../../test/support/generator/shop.js';

/** Share of the records that comes from the first service. */
const BUSIEST_SHARE = 0.65;
const MODULES = ['http', 'orders', 'pool', 'cache', 'billing', 'auth', 'scheduler', 'storage'] as const;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const STATUSES = [200, 200, 200, 201, 204, 400, 404, 500] as const;

/** A phrase that a twelfth of the bodies contain. */
export const SEARCHED_PHRASE = 'connection refused by upstream';

/**
 * Export requests of log records that differ as much as those of real services: ten services of which one sends 65 %,
 * 13 attributes a record, random trace and span ids, twelve kinds of bodies with numbers and ids in them.
 */
export class VariedLogs {
  private readonly random: Random;
  private readonly writer = new OtlpWriter();
  private readonly pods: string[][];
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

  /** One request, as a pod sends it: all records from one resource. */
  next(records: number): Buffer {
    const { random, writer } = this;
    const service = random.unit() < BUSIEST_SHARE ? 0 : 1 + random.below(SERVICES.length - 1);
    const resource = resourceOf(service, this.pods[service][random.below(PODS_PER_SERVICE)]);
    writer.resourceItems(resource, () => {
      for (let n = 0; n < records; n++) this.writeRecord(service);
    });
    const request = writer.finish();
    writer.clear();
    return request;
  }

  private writeRecord(service: number): void {
    const { random, writer } = this;
    this.nowUs += this.stepUs;
    const kind = random.below(12);
    const timeNs = BigInt(Math.floor(this.nowUs)) * 1000n + BigInt(random.below(1000));
    const message = writer.beginField(SCOPE_ITEMS.record);
    writer.time(LOG_RECORD.time, timeNs);
    writer.writeIntegerField(LOG_RECORD.severityNumber, kind === 0 ? 17 : kind < 3 ? 13 : 9);
    const body = writer.beginField(LOG_RECORD.body);
    writer.value(composeBody(kind, random));
    writer.endField(body);
    this.writeAttributes(service, kind);
    writer.writeBytesField(LOG_RECORD.traceId, random.bytes(16));
    writer.writeBytesField(LOG_RECORD.spanId, random.bytes(8));
    writer.time(LOG_RECORD.observedTime, timeNs + 1_000_000n);
    writer.endField(message);
  }

  private writeAttributes(service: number, kind: number): void {
    const { random, writer } = this;
    writer.attributes(LOG_RECORD.attribute, {
      'http.request.method': random.pick(METHODS),
      'http.route': `/api/v1/${SERVICES[service]}/${random.pick(TABLES)}`,
      'http.response.status_code': random.pick(STATUSES),
      'client.address': `10.${random.below(4)}.${random.below(256)}.${random.below(256)}`,
      'user.id': `user-${random.below(50_000)}`,
      'thread.name': `worker-${random.below(16)}`,
      'log.logger': `com.example.${SERVICES[service]}.${MODULES[kind % MODULES.length]}`,
      'code.function.name': `handle${MODULES[(kind * 5) % MODULES.length]}`,
      'code.line.number': 100 + kind * 17,
      'app.tenant': `tenant-${random.below(50)}`,
      'app.duration_ms': random.below(5000),
      'feature.flag': random.pick(['control', 'treatment']),
      'app.order.id': random.bytes(4).toString('hex'),
    });
  }
}

function composeBody(kind: number, random: Random): string {
  const id = (): string => random.bytes(4).toString('hex');
  const table = random.pick(TABLES);
  const other = random.pick(SERVICES);
  switch (kind) {
    case 0:
      return `connection refused by upstream ${other} after ${random.below(5000)} ms, request ${id()}`;
    case 1:
      return `pool of ${other} has ${random.below(5)} connections left, waiting for ${table}`;
    case 2:
      return `slow query on ${table} took ${random.below(9000)} ms: SELECT * FROM ${table} WHERE id = ${random.below(1e6)}`;
    case 3:
      return `order ${id()} placed by user-${random.below(50_000)} in ${random.below(900)} ms`;
    case 4:
      return `cache miss for key ${table}:${random.below(100_000)}, loading from ${other}`;
    case 5:
      return `processed ${random.below(200)} rows of ${table} for ${other}`;
    case 6:
      return `handled ${random.pick(METHODS)} /api/v1/${other}/${table} with status ${random.pick(STATUSES)} in ${random.below(2000)} ms`;
    case 7:
      return `session ${id()}${id()} of user-${random.below(50_000)} started from 10.${random.below(4)}.${random.below(256)}.${random.below(256)}`;
    case 8:
      return `retry ${random.below(5)} of 5 for ${other}, backing off ${random.below(3000)} ms`;
    case 9:
      return `payment of ${random.below(100_000) / 100} EUR accepted, reference ${id()}`;
    case 10:
      return `message ${id()} published to topic ${table} partition ${random.below(12)} offset ${random.below(1e7)}`;
    default:
      return `garbage collection took ${random.below(400)} ms and freed ${random.below(512)} MB`;
  }
}
