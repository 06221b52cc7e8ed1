import { SpanKind, type Context } from '@opentelemetry/api';
import { clock, until } from './clock.js';
import { CALM, type Conditions } from './conditions.js';
import { ConnectionPool } from './connection-pool.js';
import { Instance, type InstanceOptions } from './instance.js';
import { VISITS, type Operation, type ServiceName } from './operations.js';
import { random, type Random } from './random.js';
import { Failure, Task } from './task.js';
import type { Destination } from './telemetry.js';

const REQUESTS_PER_SECOND = 30;
/** More than this under way at once means that the machine is too busy to simulate: visitors stay away. */
const MAX_UNDER_WAY = 500;
const WIRE_MS = 0.5;
const CLOSE_MS = 3_000;

const INSTANCES: Readonly<Record<ServiceName, number>> = { frontend: 2, cart: 2, checkout: 2, payment: 2, inventory: 2, shipping: 1 };
const VERSION = '1.4.0';
export const BAD_CART_VERSION = '1.5.0';

export interface Query {
  readonly system: string;
  readonly namespace?: string;
  readonly peer?: string;
  readonly name: string;
  readonly meanMs: number;
}

/** A shop of six services with real SDKs and simulated work. */
export class Shop {
  /** Faults change it while the shop is open. */
  readonly conditions: Conditions = { ...CALM };
  private readonly random: Random;
  private readonly instances = new Map<ServiceName, Instance[]>();
  private readonly turns = new Map<ServiceName, number>();
  private readonly retiring: Promise<void>[] = [];
  private underWay = 0;
  private open = false;

  constructor(
    private readonly destination: Destination,
    seed: number,
  ) {
    this.random = random(seed);
    for (const service of Object.keys(INSTANCES) as ServiceName[]) this.instances.set(service, this.instancesOf(service, VERSION));
  }

  /** Visitors come until `close`. */
  async run(): Promise<void> {
    this.open = true;
    for (let at = clock(); this.open; at += this.random.gap(REQUESTS_PER_SECOND)) {
      await until(at);
      if (this.underWay < MAX_UNDER_WAY) void this.visit(this.random.pick(VISITS), at);
    }
  }

  /** No more visitors; what is under way ends, and its telemetry is sent, as far as both take no longer than a few seconds. */
  async close(): Promise<void> {
    this.open = false;
    const deadline = clock() + CLOSE_MS;
    while (this.underWay > 0 && clock() < deadline) await until(clock() + 20);
    const sent = Array.from(this.instances.values()).flat().map((instance) => instance.telemetry.shutdown());
    // A service that has stopped already takes nothing any more, and exporters try for long.
    await Promise.race([Promise.all([...this.retiring, ...sent]), until(deadline + CLOSE_MS)]);
  }

  /** Replaces the instances of a service by those of another version, as a deployment does. */
  deploy(service: ServiceName, version = VERSION): void {
    const old = this.instances.get(service) ?? [];
    this.instances.set(service, this.instancesOf(service, version));
    // Requests that the old ones still work on end with their old spans.
    this.retiring.push(until(clock() + 2_000).then(() => Promise.all(old.map((instance) => instance.telemetry.shutdown()))).then(() => undefined));
  }

  /** A call from one service to another, with both of its spans. Throws what the caller has to make of a failure. */
  async call(caller: Task, operation: Operation): Promise<void> {
    const { service, method, route } = operation;
    const client = caller.child(`${method} ${route}`, SpanKind.CLIENT, { 'http.request.method': method, 'url.template': route, 'server.address': service, 'server.port': 8080 });
    const wire = WIRE_MS + (service === 'inventory' ? this.conditions.inventoryWireMs : 0);
    const { endedAt, failure } = await this.serve(operation, client.at + this.random.latency(wire), client.carried);
    client.at = endedAt + this.random.latency(wire);
    await until(client.at);
    client.span.setAttribute('http.response.status_code', failure === undefined ? 200 : 500);
    const passedOn = failure && new Failure(`${service} answered 500`);
    client.end(passedOn);
    caller.at = client.at;
    if (passedOn !== undefined) throw passedOn;
  }

  /** A query of a database that sends no spans of its own. */
  async query(caller: Task, { system, namespace, peer, name, meanMs }: Query): Promise<void> {
    const client = caller.child(name, SpanKind.CLIENT, {
      'db.system.name': system, 'db.operation.name': name.split(' ')[0], 'db.query.summary': name,
      ...(namespace !== undefined && { 'db.namespace': namespace }), ...(peer !== undefined && { 'peer.service': peer }),
    });
    await this.passThrough(caller, client, meanMs);
  }

  /** A call of somebody else's service. */
  async ask(caller: Task, host: string, name: string, meanMs: number): Promise<void> {
    const client = caller.child(name, SpanKind.CLIENT, { 'http.request.method': name.split(' ')[0], 'server.address': host, 'http.response.status_code': 200 });
    await this.passThrough(caller, client, meanMs);
  }

  /** Puts a message into a queue. Shipping takes it a little later, in the same trace. */
  async publish(caller: Task, queue: string, handle: (shop: Shop, task: Task) => Promise<void>): Promise<void> {
    const attributes = { 'messaging.system': 'rabbitmq', 'messaging.destination.name': queue };
    const producer = caller.child(`publish ${queue}`, SpanKind.PRODUCER, { ...attributes, 'messaging.operation.type': 'send' });
    await this.passThrough(caller, producer, 1.5);
    const consumer = Task.begin(this.next('shipping'), this.random, {
      name: `process ${queue}`, kind: SpanKind.CONSUMER, attributes: { ...attributes, 'messaging.operation.type': 'process' }, at: producer.at + this.random.latency(12), parent: producer.carried,
    });
    void this.counted(handle(this, consumer).then(() => consumer.end(), (error: unknown) => consumer.end(failureOf(error))));
  }

  private async passThrough(caller: Task, child: Task, meanMs: number): Promise<void> {
    await child.spend(meanMs);
    child.end();
    caller.at = child.at;
  }

  private visit(operation: Operation, at: number): Promise<unknown> {
    return this.counted(this.serve(operation, at));
  }

  private async counted<Result>(work: Promise<Result>): Promise<Result> {
    this.underWay += 1;
    try {
      return await work;
    } finally {
      this.underWay -= 1;
    }
  }

  /** The server's side of a request. */
  private async serve(operation: Operation, at: number, parent?: Context): Promise<{ endedAt: number; failure?: Failure }> {
    const { service, method, route } = operation;
    await until(at);
    const instance = this.next(service);
    const task = Task.begin(instance, this.random, { name: `${method} ${route}`, kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route }, at, ...(parent && { parent }) });
    let failure: Failure | undefined;
    try {
      await operation.run(this, task);
    } catch (error) {
      failure = failureOf(error);
    }
    const status = failure === undefined ? 200 : 500;
    task.span.setAttribute('http.response.status_code', status);
    instance.requestDuration.record((task.at - at) / 1000, { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
    task.end(failure);
    return { endedAt: task.at, ...(failure && { failure }) };
  }

  /** Instances take turns. */
  private next(service: ServiceName): Instance {
    const turn = (this.turns.get(service) ?? 0) + 1;
    this.turns.set(service, turn);
    const instances = this.instances.get(service)!;
    return instances[turn % instances.length];
  }

  private instancesOf(service: ServiceName, version: string): Instance[] {
    return Array.from({ length: INSTANCES[service] }, (_, n) => new Instance(this.destination, this.describe(service, version, n + 1)));
  }

  private describe(service: ServiceName, version: string, number: number): InstanceOptions {
    const isNoisy = () => service === 'payment' && number === 2 && this.conditions.noisyPaymentFactor > 1;
    const cpu = () => (isNoisy() ? 0.96 + 0.03 * Math.random() : 0.2 + 0.1 * Math.random());
    const options = { service, version, instanceId: `${service}-${version}-${number}`, cpu };
    if (service !== 'inventory') return options;
    return { ...options, pool: new ConnectionPool(10, () => this.conditions.leakedConnections), poolName: 'inventory_db' };
  }
}

/** Whatever a handler throws, as a failure of its own or one that it passes on. */
function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure((error as Error).message, (error as Error).name);
}
