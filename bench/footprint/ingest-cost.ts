import http from 'node:http';
import { gzipSync } from 'node:zlib';
import type { OtlpPorts } from '../../src/http/otlp/otlp-server.js';
import { EventStoreDbServerDouble } from '../../test/support/eventstoredb-server/server.js';
import { post } from '../../test/unit/http/otlp/support/http-client.js';
import {
  compressedFrame,
  Http2Client,
  LOGS_METHOD,
  METRICS_METHOD,
  TRACES_METHOD,
} from '../../test/unit/http/otlp/support/http2-client.js';
import type { Signal } from '../../src/telemetry/signals.js';
import { MeteringProxy } from './metering-proxy.js';
import { MeasuredProcess } from './measured-process.js';
import { RECORDS, generateRequest, createShopGenerator } from './generated-requests.js';

/** Cost of ingesting one record. */
export interface IngestCost {
  readonly cpuMicros: number;
  /** Bytes from senders, and bytes to and from the log. */
  readonly requestBytes: number;
  readonly toLogBytes: number;
  readonly fromLogBytes: number;
}

export const INGEST_PROTOCOLS = ['http-gzip', 'http-identity', 'grpc-gzip', 'grpc-identity'] as const;
export type IngestProtocol = (typeof INGEST_PROTOCOLS)[number];

const WARM_UP = 100;
/** Runs; the cheapest counts, as other load on the machine only adds cost. */
const ROUNDS = 3;
const CONNECTIONS = 8;
const METHODS: Readonly<Record<Signal, string>> = { traces: TRACES_METHOD, logs: LOGS_METHOD, metrics: METRICS_METHOD };

type SendBody = (body: Uint8Array) => Promise<void>;

/**
 * CPU and bytes of an ingest process over the EventStoreDB adapter for one protocol, from three rounds of requests of
 * 512 records.
 */
export async function measureIngestCost(way: IngestProtocol, signal: Signal, requests: number): Promise<IngestCost> {
  const engine = await new EventStoreDbServerDouble().start();
  const wire = await MeteringProxy.listenFor(engine.port);
  const part = new MeasuredProcess('ingest-process');
  try {
    const { http: port } = await part.callMethod<OtlpPorts>('start', `esdb://127.0.0.1:${wire.port}?tls=false`);
    const [warmUp, ...rounds] = [WARM_UP, ...new Array<number>(ROUNDS).fill(requests)].map(
      createRequestSupply(way, signal),
    );
    const { send, close } = createSender(way, signal, port);
    await sendAll(send, warmUp);
    const { up, down } = wire.crossed;
    const cpu: number[] = [];
    for (const bodies of rounds) {
      const before = await part.readCpuMicros();
      await sendAll(send, bodies);
      cpu.push(((await part.readCpuMicros()) - before) / (requests * RECORDS));
    }
    const records = ROUNDS * requests * RECORDS;
    const cost = {
      cpuMicros: Math.min(...cpu),
      requestBytes: rounds.flat().reduce((sum, { byteLength }) => sum + byteLength, 0) / records,
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

/** Generates unique requests. */
function createRequestSupply(way: IngestProtocol, signal: Signal): (count: number) => Buffer[] {
  const shop = createShopGenerator(7, 50_000);
  const body = way.endsWith('gzip')
    ? () => gzipSync(generateRequest(shop, signal), { level: 6 })
    : () => generateRequest(shop, signal);
  return (count) => Array.from({ length: count }, body);
}

function createSender(
  way: IngestProtocol,
  signal: Signal,
  port: number,
): { readonly send: SendBody; readonly close: () => void } {
  const isZipped = way.endsWith('gzip');
  if (way.startsWith('grpc')) {
    const client = new Http2Client(port);
    const headers = { ':path': METHODS[signal], ...(isZipped && { 'grpc-encoding': 'gzip' }) };
    const send: SendBody = async (body) =>
      assertAccepted((await client.call(body, headers, isZipped ? compressedFrame(body) : undefined)).code, 0);
    return { send, close: () => client.close() };
  }
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = isZipped ? { 'content-encoding': 'gzip' } : {};
  const send: SendBody = async (body) =>
    assertAccepted((await post(port, { path: `/v1/${signal}`, body, agent, headers })).status, 200);
  return { send, close: () => agent.destroy() };
}

function assertAccepted(status: number, wanted: number): void {
  if (status !== wanted) throw new Error(`a request was answered with ${status}`);
}

async function sendAll(send: SendBody, bodies: readonly Uint8Array[]): Promise<void> {
  let next = 0;
  const keepSending = async (): Promise<void> => {
    while (next < bodies.length) await send(bodies[next++]);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, keepSending));
}
