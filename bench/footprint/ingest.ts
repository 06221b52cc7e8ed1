import http from 'node:http';
import { gzipSync } from 'node:zlib';
import type { OtlpPorts } from '../../src/http/otlp/server.js';
import { EventStoreDbServerDouble } from '../../test/support/eventstoredb-server/server.js';
import { post } from '../../test/http/otlp/support/http-client.js';
import { compressedFrame, Http2Client, LOGS_METHOD, METRICS_METHOD, TRACES_METHOD } from '../../test/http/otlp/support/http2-client.js';
import type { Signal } from '../../src/telemetry/signals.js';
import { MeteredWire } from './metered-wire.js';
import { Part } from './part.js';
import { RECORDS, requestOf, shopOf } from './requests.js';

/** What one record costs on its way in. */
export interface IngestCost {
  readonly cpuMicros: number;
  /** Bytes that senders send, and bytes to and from the log. */
  readonly requestBytes: number;
  readonly toLogBytes: number;
  readonly fromLogBytes: number;
}

export const WAYS_IN = ['http-gzip', 'http-identity', 'grpc-gzip', 'grpc-identity'] as const;
export type WayIn = (typeof WAYS_IN)[number];

const WARM_UP = 150;
const CONNECTIONS = 8;
const METHODS: Readonly<Record<Signal, string>> = { traces: TRACES_METHOD, logs: LOGS_METHOD, metrics: METRICS_METHOD };

type Send = (body: Uint8Array) => Promise<void>;

/** CPU and bytes of an ingest process over the EventStoreDB adapter, for one way in, from so many requests of 512 records. */
export async function ingestCost(way: WayIn, signal: Signal, requests: number): Promise<IngestCost> {
  const engine = await new EventStoreDbServerDouble().start();
  const wire = await MeteredWire.to(engine.port);
  const part = new Part('ingest-part');
  try {
    const { http: port } = await part.ask<OtlpPorts>('start', `esdb://127.0.0.1:${wire.port}?tls=false`);
    const bodies = bodiesOf(way, signal, WARM_UP + requests);
    const { send, close } = sender(way, signal, port);
    await sendAll(send, bodies.slice(0, WARM_UP));
    const [cpu, { up, down }] = [await part.cpuMicros(), wire.crossed];
    await sendAll(send, bodies.slice(WARM_UP));
    const records = requests * RECORDS;
    const cost = {
      cpuMicros: ((await part.cpuMicros()) - cpu) / records,
      requestBytes: bodies.slice(WARM_UP).reduce((sum, { byteLength }) => sum + byteLength, 0) / records,
      toLogBytes: (wire.crossed.up - up) / records,
      fromLogBytes: (wire.crossed.down - down) / records,
    };
    close();
    return cost;
  } finally {
    part.stop();
    wire.close();
    await engine.stop();
  }
}

function bodiesOf(way: WayIn, signal: Signal, count: number): Buffer[] {
  const shop = shopOf(7, 50_000);
  return Array.from({ length: count }, () => {
    const body = requestOf(shop, signal);
    return way.endsWith('gzip') ? gzipSync(body, { level: 6 }) : body;
  });
}

function sender(way: WayIn, signal: Signal, port: number): { readonly send: Send; readonly close: () => void } {
  const isZipped = way.endsWith('gzip');
  if (way.startsWith('grpc')) {
    const client = new Http2Client(port);
    const headers = { ':path': METHODS[signal], ...(isZipped && { 'grpc-encoding': 'gzip' }) };
    const send: Send = async (body) => accepted((await client.call(body, headers, isZipped ? compressedFrame(body) : undefined)).code, 0);
    return { send, close: () => client.close() };
  }
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = isZipped ? { 'content-encoding': 'gzip' } : {};
  const send: Send = async (body) => accepted((await post(port, { path: `/v1/${signal}`, body, agent, headers })).status, 200);
  return { send, close: () => agent.destroy() };
}

function accepted(status: number, wanted: number): void {
  if (status !== wanted) throw new Error(`a request was answered with ${status}`);
}

async function sendAll(send: Send, bodies: readonly Uint8Array[]): Promise<void> {
  let next = 0;
  const keepSending = async (): Promise<void> => {
    while (next < bodies.length) await send(bodies[next++]);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, keepSending));
}
