import http from 'node:http';
import { LOGS_METHOD, METRICS_METHOD, TRACES_METHOD, Http2Client } from '../../unit/http/otlp/support/http2-client.js';
import type { Batch } from './batches.js';

/** Result of one attempt. */
export interface Attempt {
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
  /** HTTP or gRPC status; absent without a response. */
  readonly status?: number;
  /** Whether a refusal has a retry delay, as required by OTLP. */
  readonly hinted: boolean;
  /** Milliseconds from sending to the response. */
  readonly ms: number;
}

/** Sends export requests, also concurrently. Never rejects. */
export interface Sender {
  send(batch: Batch): Promise<Attempt>;
  close(): void;
}

const METHODS = { traces: TRACES_METHOD, logs: LOGS_METHOD, metrics: METRICS_METHOD } as const;
const RETRYABLE_HTTP: readonly number[] = [429, 503];
/** RESOURCE_EXHAUSTED, UNAVAILABLE. */
const RETRYABLE_GRPC: readonly number[] = [8, 14];
const RETRY_INFO = 'google.rpc.RetryInfo';

export class HttpSender implements Sender {
  private readonly agent: http.Agent;

  constructor(
    private readonly port: number,
    private readonly apiKey: string,
    readonly connections: number,
  ) {
    this.agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  }

  send({ signal, body }: Batch): Promise<Attempt> {
    const began = performance.now();
    const headers = { 'api-key': this.apiKey, 'content-type': 'application/x-protobuf', 'content-length': body.length };
    return new Promise((resolve) => {
      const lost = (): void => resolve({ outcome: 'unknown', hinted: false, ms: performance.now() - began });
      const request = http.request(
        { host: '127.0.0.1', port: this.port, path: `/v1/${signal}`, method: 'POST', headers, agent: this.agent },
        (response) => {
          response.resume();
          response.once('error', lost);
          response.once('end', () => resolve(httpAttempt(response, performance.now() - began)));
        },
      );
      request.once('error', lost);
      request.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function httpAttempt({ statusCode: status = 0, headers }: http.IncomingMessage, ms: number): Attempt {
  const hinted = RETRYABLE_HTTP.includes(status) && /^[1-9]\d*$/.test(headers['retry-after'] ?? '');
  return { outcome: status === 200 ? 'acknowledged' : 'refused', status, hinted, ms };
}

export class GrpcSender implements Sender {
  private readonly client: Http2Client;

  constructor(
    port: number,
    private readonly apiKey: string,
  ) {
    this.client = new Http2Client(port);
  }

  async send({ signal, body }: Batch): Promise<Attempt> {
    const began = performance.now();
    try {
      const { code: status, details } = await this.client.call(body, {
        ':path': METHODS[signal],
        'api-key': this.apiKey,
      });
      const hinted = RETRYABLE_GRPC.includes(status) && details.includes(RETRY_INFO);
      return { outcome: status === 0 ? 'acknowledged' : 'refused', status, hinted, ms: performance.now() - began };
    } catch {
      return { outcome: 'unknown', hinted: false, ms: performance.now() - began };
    }
  }

  close(): void {
    this.client.close();
  }
}

/** Sends until acknowledged, like exporters; returns the number of refusals. */
export async function sendBatchUntilAcknowledged(sender: Sender, batch: Batch): Promise<number> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const { outcome } = await sender.send(batch);
    if (outcome === 'acknowledged') return attempt;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('never acknowledged');
}
