import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Component, Health } from '../component.js';
import { createClientErrorHandler } from './problems/problem-responder.js';
import { PipeliningLimiter } from './limits/pipelining-limiter.js';
import type { ReloadingCertificate } from './connection/reloading-certificate.js';

export interface ApiServerOptions {
  readonly app: RequestListener;
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly port: number;
  /** Base of problem types. */
  readonly publicUrl: string;
  readonly limits?: Partial<ServerLimits>;
  /** Absent: the server speaks without TLS. */
  readonly certificate?: ReloadingCertificate;
}

export interface ApiServer extends Component {
  /** Rejects when the address cannot be had. Resolves with the port that was bound. */
  listen(): Promise<number>;
  /** Takes no more requests, finishes those in flight, and cuts what is left after `deadlineMs`. Legal before `listen`, and twice. */
  stop(deadlineMs: number): Promise<void>;
}

/** Bounds for senders: slow ones are closed, not waited for. Times in ms. */
export interface ServerLimits {
  readonly headersTimeout: number;
  /** Until the last byte of the body. */
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
  /** Bytes of request line and headers together. */
  readonly maxHeaderSize: number;
}

const DEFAULT_SERVER_LIMITS: ServerLimits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
};
/** More than there may be open streams (live/streams.ts): nobody who only listens keeps others from asking. */
const MAX_CONNECTIONS = 12_000;

export function createApiServer(options: ApiServerOptions): ApiServer {
  return new NodeApiServer(options);
}

class NodeApiServer implements ApiServer {
  private readonly server: Server;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: ApiServerOptions) {
    const app = limitPipelining(options.app);
    this.server = createNodeServer({ ...options, app });
    this.server.maxConnections = MAX_CONNECTIONS;
    // An unknown expectation is ignored, as RFC 9110 allows; by default Node would answer 417 without a body.
    this.server.on('checkExpectation', app);
    this.server.on('clientError', createClientErrorHandler(options.publicUrl));
  }

  listen(): Promise<number> {
    const { server, options } = this;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.bindAddress, () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  stop(deadlineMs: number): Promise<void> {
    if (this.stopped === undefined && this.server.listening) this.stopped = this.drain(deadlineMs);
    return this.stopped ?? Promise.resolve();
  }

  async check(): Promise<Health> {
    return this.server.listening ? { ok: true } : { ok: false, reason: 'not listening' };
  }

  close(): Promise<void> {
    return this.stop(0);
  }

  private async drain(deadlineMs: number): Promise<void> {
    const { server } = this;
    // A kept-alive connection becomes idle only after its answer in flight, and would then wait for its time-out.
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearInterval(sweep);
    clearTimeout(cut);
  }
}

function limitPipelining(app: RequestListener): RequestListener {
  const pipelines = new PipeliningLimiter();
  return (request, response) => {
    if (pipelines.admit(request, response, () => undefined)) app(request, response);
  };
}

function createNodeServer({ app, limits, certificate }: ApiServerOptions): Server {
  const all = { ...DEFAULT_SERVER_LIMITS, ...limits };
  if (certificate === undefined) return createServer(all, app);
  const server = createSecureServer({ ...all, ...certificate.tlsOptions, handshakeTimeout: all.headersTimeout }, app);
  certificate.addServer(server);
  return server;
}
