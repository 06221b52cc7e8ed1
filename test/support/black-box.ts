import assert from 'node:assert/strict';
import type { Signal } from '../../src/telemetry/signals.js';
import { ApiClient, type Answer } from './api-client.js';
import { ServiceProcess } from './service.js';
import { waitUntil } from './wait-until.js';

export interface OtlpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export interface Found<Item> {
  readonly items: readonly Item[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

export interface TraceItem {
  readonly traceId: string;
  readonly spanId: string;
  readonly operationName: string;
}

export interface LogItem {
  readonly id: string;
  readonly timestamp: string;
  readonly severityLevel: string;
  readonly body: string;
  readonly spanId: string;
}

/** Most times that a request is sent to a busy service. */
const MAX_ATTEMPTS = 20;

/** A service process that is accessed only through its public interfaces. */
export class BlackBox {
  private constructor(
    readonly service: ServiceProcess,
    readonly gridId: string,
    readonly apiKey: string,
  ) {}

  /** Without rate limits, since tests query more often than users. */
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<BlackBox> {
    const service = await ServiceProcess.start({
      RATE_LIMIT_USER_PER_MINUTE: '0',
      RATE_LIMIT_GRID_PER_MINUTE: '0',
      ...environment,
    });
    const { gridId, apiKey } = await service.bootstrap();
    const box = new BlackBox(service, gridId, apiKey);
    if (environment.NATS_URL !== undefined)
      await waitUntil(
        async () => (await box.api.get(`/apm/diagnostics/${gridId}/health`)).status === 200,
        'the first key is known',
      );
    return box;
  }

  dispose(): Promise<void> {
    return this.service.dispose();
  }

  get api(): ApiClient {
    return new ApiClient(this.service.apiUrl, { 'api-key': this.apiKey });
  }

  /** Sends an export request unchanged: an object as JSON, bytes as protobuf. */
  async send(
    signal: Signal,
    request: object | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OtlpReply> {
    const isBytes = request instanceof Uint8Array;
    const response = await fetch(`${this.service.otlpHttpUrl}/v1/${signal}`, {
      method: 'POST',
      headers: {
        'content-type': isBytes ? 'application/x-protobuf' : 'application/json',
        'api-key': this.apiKey,
        ...headers,
      },
      body: isBytes ? Uint8Array.from(request) : JSON.stringify(request),
    });
    return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  /**
   * Sends requests that must be accepted completely, one after the other, and waits until they are projected. Like
   * exporters, it repeats those that a busy service refuses for a while.
   */
  async record(signal: Signal, ...requests: readonly object[]): Promise<void> {
    for (const request of requests) {
      let reply = await this.send(signal, request);
      for (let attempt = 1; [429, 503].includes(reply.status) && attempt < MAX_ATTEMPTS; attempt++) {
        await this.settled();
        reply = await this.send(signal, request);
      }
      assert.deepEqual([reply.status, Buffer.from(reply.bytes).toString()], [200, '{}']);
    }
    await this.settled();
  }

  /** Waits until everything accepted is projected. Imported records are projected without having been accepted. */
  async settled(): Promise<void> {
    await waitUntil(async () => {
      const counters = await this.counters();
      return counters.sum('records_accepted_total') <= counters.sum('records_projected_total');
    }, 'all that was accepted is projected');
  }

  /** Current counters of `/metrics`. */
  async counters(): Promise<Counters> {
    return new Counters(await (await fetch(`${this.service.apiUrl}/metrics`)).text());
  }

  traces<Item = TraceItem>(filter: object): Promise<Answer<Found<Item>>> {
    return this.api.post(`/apm/traces/${this.gridId}`, filter);
  }

  logs<Item = LogItem>(filter: object): Promise<Answer<Found<Item>>> {
    return this.api.post(`/apm/logs/${this.gridId}`, filter);
  }

  /** GET request below the traces of the Grid. */
  trace<T = Record<string, unknown>>(path: string): Promise<Answer<T>> {
    return this.api.get(`/apm/traces/${this.gridId}/${path}`);
  }

  /** GET request below the logs of the Grid. */
  log<T = Record<string, unknown>>(path: string): Promise<Answer<T>> {
    return this.api.get(`/apm/logs/${this.gridId}/${path}`);
  }
}

/** Counters in Prometheus text format. */
export class Counters {
  constructor(private readonly text: string) {}

  /** Sum of the samples whose labels contain `labels`. */
  sum(name: string, labels = ''): number {
    const samples = this.text.matchAll(new RegExp(`^hindsight_${name}\\{([^}]*)\\} (\\S+)$`, 'gm'));
    return [...samples].reduce((total, [, given, value]) => total + (given.includes(labels) ? Number(value) : 0), 0);
  }
}

/** Sorted operation names of a search with a single page of results. */
export async function operationsFound(box: BlackBox, filter: object): Promise<string[]> {
  const { body } = await box.traces({ pageSize: 100, ...filter });
  assert.equal(body.totalCount, body.items.length);
  return body.items.map((item) => item.operationName).sort();
}
