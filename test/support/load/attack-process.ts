/** Entry of the process behind attack.ts. Receives an AttackOrder, then `stop`; sends `started`, then an AttackReport. */
import http from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import type { Bootstrap } from '../service.js';
import { Batches } from './batches.js';

const MIB = 2 ** 20;
const DAY_MS = 86_400_000;

export type AttackKind = 'deflate bombs' | 'gzip bombs' | 'large bodies' | 'flood' | 'comparisons';

export interface AttackOrder {
  readonly kind: AttackKind;
  readonly httpPort: number;
  readonly otlpHttpPort: number;
  /** Used in turn. */
  readonly grids: readonly Bootstrap[];
  /** Requests at the same time, each on a connection of its own. */
  readonly lanes: number;
}

export interface AttackReport {
  /** Number of responses by status; 0: connections that were closed without a response. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Seconds; 0 without refusals. */
  readonly maxRetryAfter: number;
}

interface Request {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: Uint8Array;
}

/** Creates the requests of an attack, one after the other. */
function createRequests(order: AttackOrder): () => Request {
  const { grids } = order;
  let sent = 0;
  const takeGrid = (): AttackOrder['grids'][number] => grids[sent++ % grids.length];
  if (order.kind === 'comparisons') return () => createComparison(order.httpPort, takeGrid());
  const createBody = createBodies(order.kind, grids.length);
  const encoding = order.kind === 'deflate bombs' ? 'deflate' : order.kind === 'gzip bombs' ? 'gzip' : undefined;
  return () => createExport(order.otlpHttpPort, createBody(sent % grids.length), takeGrid().apiKey, encoding);
}

/** Returns the body of the next export to the Grid with this number. */
function createBodies(kind: Exclude<AttackOrder['kind'], 'comparisons'>, grids: number): (grid: number) => Uint8Array {
  switch (kind) {
    case 'deflate bombs': {
      const bomb = deflateSync(Buffer.alloc(70 * MIB));
      return () => bomb;
    }
    case 'gzip bombs': {
      const bomb = gzipSync(Buffer.alloc(70 * MIB));
      // The length that it claims.
      bomb.writeUInt32LE(100, bomb.byteLength - 4);
      return () => bomb;
    }
    case 'large bodies': {
      // One field that no message has, of 63 MiB.
      const body = Buffer.concat([Buffer.from([0xba, 0x3e, 0x80, 0x80, 0xc0, 0x1f]), Buffer.alloc(63 * MIB)]);
      return () => body;
    }
    case 'flood': {
      const batches = Array.from({ length: grids }, () => new Batches('traces', 500));
      return (grid) => batches[grid].next().body;
    }
  }
}

function createExport(port: number, body: Uint8Array, apiKey: string, encoding: string | undefined): Request {
  return {
    port,
    method: 'POST',
    path: '/v1/traces',
    headers: {
      'api-key': apiKey,
      'content-type': 'application/x-protobuf',
      'content-length': body.byteLength,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    body,
  };
}

/** Compares the last seven days with themselves. */
function createComparison(port: number, { gridId, apiKey }: AttackOrder['grids'][number]): Request {
  const now = Date.now();
  const [from, to] = [now - 7 * DAY_MS, now].map((ms) => new Date(ms).toISOString());
  return {
    port,
    method: 'GET',
    path: `/apm/diagnostics/${gridId}/compare?currentStart=${from}&currentEnd=${to}&baselineStart=${from}&baselineEnd=${to}`,
    headers: { 'api-key': apiKey, 'x-api-version': '2.0' },
  };
}

/** Resolves to status and retry time of the response. Never rejects. */
function send({ port, body, ...request }: Request, agent: http.Agent): Promise<readonly [number, number]> {
  return new Promise((resolve) => {
    const open = http.request({ host: '127.0.0.1', port, agent, ...request }, (response) => {
      response.resume();
      const answer = (): void => resolve([response.statusCode ?? 0, Number(response.headers['retry-after'] ?? 0)]);
      response.once('end', answer).once('error', answer);
    });
    open.once('error', () => resolve([0, 0]));
    open.end(body);
  });
}

async function attack(order: AttackOrder, isOver: () => boolean, onAnswer: () => void): Promise<AttackReport> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: order.lanes });
  const next = createRequests(order);
  const statuses: Record<number, number> = {};
  let maxRetryAfter = 0;
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const [status, retryAfter] = await send(next(), agent);
      statuses[status] = (statuses[status] ?? 0) + 1;
      maxRetryAfter = Math.max(maxRetryAfter, retryAfter);
      onAnswer();
      // A connection that was closed is opened again a little later.
      if (status === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(Array.from({ length: order.lanes }, lane));
  agent.destroy();
  return { statuses, maxRetryAfter };
}

process.once('message', (order: AttackOrder) => {
  let isOver = false;
  let hasStarted = false;
  process.once('message', () => (isOver = true));
  void attack(
    order,
    () => isOver,
    () => {
      if (!hasStarted) process.send?.('started');
      hasStarted = true;
    },
  ).then((report) => process.send?.(report, () => process.disconnect()));
});
