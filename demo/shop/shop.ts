import { SpanKind, type Context } from '@opentelemetry/api';
import { currentTimeMs, sleepUntil } from './simulation-clock.js';
import { NO_FAULTS, type FaultConditions } from './fault-conditions.js';
import { ConnectionPool } from './connection-pool.js';
import { type InstanceOptions, type OtlpDestination, ServiceInstance } from './service-instance.js';
import { WEIGHTED_VISITS, type ShopOperation, type ServiceName } from './shop-operations.js';
import { createRandomSource, type RandomSource } from './random-source.js';
import { RequestFailure, RequestTask } from './request-task.js';

const REQUESTS_PER_SECOND = 30;
/** Requests at once; above this the machine is too busy to simulate, and new visits are dropped. */
const MAX_IN_FLIGHT = 500;
const NETWORK_DELAY_MS = 0.5;
const CLOSE_TIMEOUT_MS = 3_000;

const INSTANCE_COUNTS: Readonly<Record<ServiceName, number>> = {
  frontend: 2,
  cart: 2,
  checkout: 2,
  payment: 2,
  inventory: 2,
  shipping: 1,
};
const VERSION = '1.4.0';
export const BAD_CART_VERSION = '1.5.0';

export interface DatabaseQuery {
  readonly system: string;
  readonly namespace?: string;
  readonly peer?: string;
  readonly name: string;
  readonly meanMs: number;
}

/** A shop of six services with real OpenTelemetry SDKs and simulated work. */
export class Shop {
  /** Set by the faults while the shop runs. */
  readonly conditions: FaultConditions = { ...NO_FAULTS };
  private readonly random: RandomSource;
  private readonly instances = new Map<ServiceName, ServiceInstance[]>();
  private readonly turns = new Map<ServiceName, number>();
  private readonly retiring: Promise<void>[] = [];
  private inFlight = 0;
  private open = false;

  constructor(
    private readonly destination: OtlpDestination,
    seed: number,
  ) {
    this.random = createRandomSource(seed);
    for (const service of Object.keys(INSTANCE_COUNTS) as ServiceName[])
      this.instances.set(service, this.createInstances(service, VERSION));
  }

  /** Simulates visits until `close`. */
  async run(): Promise<void> {
    this.open = true;
    for (let at = currentTimeMs(); this.open; at += this.random.nextArrivalMs(REQUESTS_PER_SECOND)) {
      await sleepUntil(at);
      if (this.inFlight < MAX_IN_FLIGHT) void this.startVisit(this.random.pick(WEIGHTED_VISITS), at);
    }
  }

  /** Stops visits; waits a few seconds at most for running requests and their telemetry. */
  async close(): Promise<void> {
    this.open = false;
    const deadline = currentTimeMs() + CLOSE_TIMEOUT_MS;
    while (this.inFlight > 0 && currentTimeMs() < deadline) await sleepUntil(currentTimeMs() + 20);
    const sent = Array.from(this.instances.values())
      .flat()
      .map((instance) => instance.telemetry.shutdown());
    // If the service has already stopped, exporters would retry for long.
    await Promise.race([Promise.all([...this.retiring, ...sent]), sleepUntil(deadline + CLOSE_TIMEOUT_MS)]);
  }

  /** Replaces the instances of a service by those of another version, like a deployment. */
  deploy(service: ServiceName, version = VERSION): void {
    const old = this.instances.get(service) ?? [];
    this.instances.set(service, this.createInstances(service, version));
    // The old instances finish their requests first.
    this.retiring.push(
      sleepUntil(currentTimeMs() + 2_000)
        .then(() => Promise.all(old.map((instance) => instance.telemetry.shutdown())))
        .then(() => undefined),
    );
  }

  /** Simulates a call between services, with client and server span. Throws `RequestFailure` when it fails. */
  async callService(caller: RequestTask, operation: ShopOperation): Promise<void> {
    const { service, method, route } = operation;
    const client = caller.startChild(`${method} ${route}`, SpanKind.CLIENT, {
      'http.request.method': method,
      'url.template': route,
      'server.address': service,
      'server.port': 8080,
    });
    const networkMs = NETWORK_DELAY_MS + (service === 'inventory' ? this.conditions.inventoryWireMs : 0);
    const { endedAt, failure } = await this.serve(
      operation,
      client.at + this.random.latency(networkMs),
      client.remoteContext,
    );
    client.at = endedAt + this.random.latency(networkMs);
    await sleepUntil(client.at);
    client.span.setAttribute('http.response.status_code', failure === undefined ? 200 : 500);
    const propagated = failure && new RequestFailure(`${service} answered 500`);
    client.end(propagated);
    caller.at = client.at;
    if (propagated !== undefined) throw propagated;
  }

  /** Simulates a query of a database without telemetry of its own. */
  async queryDatabase(caller: RequestTask, { system, namespace, peer, name, meanMs }: DatabaseQuery): Promise<void> {
    const client = caller.startChild(name, SpanKind.CLIENT, {
      'db.system.name': system,
      'db.operation.name': name.split(' ')[0],
      'db.query.summary': name,
      ...(namespace !== undefined && { 'db.namespace': namespace }),
      ...(peer !== undefined && { 'peer.service': peer }),
    });
    await this.completeChild(caller, client, meanMs);
  }

  /** Simulates a call of an external service. */
  async callExternalService(caller: RequestTask, host: string, name: string, meanMs: number): Promise<void> {
    const client = caller.startChild(name, SpanKind.CLIENT, {
      'http.request.method': name.split(' ')[0],
      'server.address': host,
      'http.response.status_code': 200,
    });
    await this.completeChild(caller, client, meanMs);
  }

  /** Simulates a message that shipping handles a little later, in the same trace. */
  async publishMessage(
    caller: RequestTask,
    queue: string,
    handle: (shop: Shop, task: RequestTask) => Promise<void>,
  ): Promise<void> {
    const attributes = { 'messaging.system': 'rabbitmq', 'messaging.destination.name': queue };
    const producer = caller.startChild(`publish ${queue}`, SpanKind.PRODUCER, {
      ...attributes,
      'messaging.operation.type': 'send',
    });
    await this.completeChild(caller, producer, 1.5);
    const consumer = RequestTask.start(this.nextInstance('shipping'), this.random, {
      name: `process ${queue}`,
      kind: SpanKind.CONSUMER,
      attributes: { ...attributes, 'messaging.operation.type': 'process' },
      at: producer.at + this.random.latency(12),
      parent: producer.remoteContext,
    });
    void this.trackInFlight(
      handle(this, consumer).then(
        () => consumer.end(),
        (error: unknown) => consumer.end(toRequestFailure(error)),
      ),
    );
  }

  private async completeChild(caller: RequestTask, child: RequestTask, meanMs: number): Promise<void> {
    await child.simulateWork(meanMs);
    child.end();
    caller.at = child.at;
  }

  private startVisit(operation: ShopOperation, at: number): Promise<unknown> {
    return this.trackInFlight(this.serve(operation, at));
  }

  private async trackInFlight<Result>(work: Promise<Result>): Promise<Result> {
    this.inFlight += 1;
    try {
      return await work;
    } finally {
      this.inFlight -= 1;
    }
  }

  /** Simulates the server side of a request. */
  private async serve(
    operation: ShopOperation,
    at: number,
    parent?: Context,
  ): Promise<{ endedAt: number; failure?: RequestFailure }> {
    const { service, method, route } = operation;
    await sleepUntil(at);
    const instance = this.nextInstance(service);
    const task = RequestTask.start(instance, this.random, {
      name: `${method} ${route}`,
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'http.route': route },
      at,
      ...(parent && { parent }),
    });
    let failure: RequestFailure | undefined;
    try {
      await operation.run(this, task);
    } catch (error) {
      failure = toRequestFailure(error);
    }
    const status = failure === undefined ? 200 : 500;
    task.span.setAttribute('http.response.status_code', status);
    instance.requestDuration.record((task.at - at) / 1000, {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
    });
    task.end(failure);
    return { endedAt: task.at, ...(failure && { failure }) };
  }

  /** Returns the instances in turn. */
  private nextInstance(service: ServiceName): ServiceInstance {
    const turn = (this.turns.get(service) ?? 0) + 1;
    this.turns.set(service, turn);
    const instances = this.instances.get(service)!;
    return instances[turn % instances.length];
  }

  private createInstances(service: ServiceName, version: string): ServiceInstance[] {
    return Array.from(
      { length: INSTANCE_COUNTS[service] },
      (_, n) => new ServiceInstance(this.destination, this.instanceOptions(service, version, n + 1)),
    );
  }

  private instanceOptions(service: ServiceName, version: string, number: number): InstanceOptions {
    const isNoisy = () => service === 'payment' && number === 2 && this.conditions.noisyPaymentFactor > 1;
    const cpu = () => (isNoisy() ? 0.96 + 0.03 * Math.random() : 0.2 + 0.1 * Math.random());
    const options = { service, version, instanceId: `${service}-${version}-${number}`, cpu };
    if (service !== 'inventory') return options;
    return {
      ...options,
      pool: new ConnectionPool(10, () => this.conditions.leakedConnections),
      poolName: 'inventory_db',
    };
  }
}

/** Converts a thrown value to a `RequestFailure`. */
function toRequestFailure(error: unknown): RequestFailure {
  return error instanceof RequestFailure ? error : new RequestFailure((error as Error).message, (error as Error).name);
}
