import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Component, Health } from '../component.js';
import { createClientErrorHandler } from './problems/problem-responder.js';
import { PipeliningLimiter } from './limits/pipelining-limiter.js';
import { AbortLimiter, type AbortLimits, HTTP1_ABORT_LIMITS } from './limits/abort-limiter.js';
import { ClientResolver } from './connection/client-resolver.js';
import type { ClosedConnectionLog } from './connection/closed-connection-log.js';
import { ConnectionLimiter, type ConnectionLimits } from './connection/connection-limiter.js';
import { ConnectionTurns, TURNS_PER_SECOND } from './connection/connection-turns.js';
import { Http1AbortCounter } from './connection/http1-abort-counter.js';
import type { ReloadingCertificate } from './connection/reloading-certificate.js';

export interface ApiServerOptions {
  readonly app: RequestListener;
  readonly bindAddress: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** Base URL of problem types. */
  readonly publicUrl: string;
  readonly limits?: Partial<ServerLimits>;
  /** Absent: no TLS. */
  readonly certificate?: ReloadingCertificate;
  /** Limits the open connections. Default: `DEFAULT_API_CONNECTIONS`. */
  readonly connections?: ConnectionLimiter;
  /** Knows the trusted proxies. Default: none. */
  readonly clients?: ClientResolver;
  /** Records connections that were closed or delayed because of a limit. Default: not recorded. */
  readonly closures?: Pick<ClosedConnectionLog, 'record' | 'recordDelay'>;
  /** Limits for what clients begin and do not finish. Default: `HTTP1_ABORT_LIMITS`. */
  readonly abortLimits?: AbortLimits;
}

export interface ApiServer extends Component {
  /** Resolves to the bound port. Rejects if the address cannot be bound. */
  listen(): Promise<number>;
  /**
   * Stops accepting requests, waits for those in flight, and closes the remaining connections after `deadlineMs`.
   * Idempotent; may be called before `listen`.
   */
  stop(deadlineMs: number): Promise<void>;
}

/** Limits for clients, as in Node's http options. Connections of slow clients are closed. Times in ms. */
export interface ServerLimits {
  readonly headersTimeout: number;
  /** Until the last byte of the body has arrived. */
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
  /** Bytes of the request line and headers together. */
  readonly maxHeaderSize: number;
}

const DEFAULT_SERVER_LIMITS: ServerLimits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
};
/**
 * The total is higher than the limit of open streams (live-stream-hub.ts), so that streams cannot block other requests.
 */
export const DEFAULT_API_CONNECTIONS: ConnectionLimits = { connections: 12_000, connectionsPerAddress: 6_000 };

export function createApiServer(options: ApiServerOptions): ApiServer {
  return new NodeApiServer(options);
}

class NodeApiServer implements ApiServer {
  private readonly server: Server;
  private readonly turns: ConnectionTurns;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: ApiServerOptions) {
    const { connections = new ConnectionLimiter({ limits: DEFAULT_API_CONNECTIONS }), certificate } = options;
    const now = (): number => performance.now();
    const aborts = new AbortLimiter(now, options.abortLimits ?? HTTP1_ABORT_LIMITS);
    const counter = new Http1AbortCounter({ aborts, clients: options.clients ?? new ClientResolver(), now });
    const app = limitPipelining(options.app, connections, counter);
    this.server = createNodeServer({ ...options, app });
    this.turns = new ConnectionTurns({
      perSecond: certificate === undefined ? TURNS_PER_SECOND.http1 : TURNS_PER_SECOND.tls,
      isFlooding: (address) => aborts.isFlooding(address),
      closures: options.closures,
    });
    interceptConnections(this.server, (socket, serve) => {
      if (!connections.admit(socket)) return;
      this.turns.begin(socket, () => {
        counter.watch(socket);
        serve();
      });
    });
    // Ignore unknown expectations, as RFC 9110 allows. By default Node responds with 417 and no body.
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
    this.turns.destroyAll();
    // Without this, connections would stay open after their last response until the keep-alive timeout.
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
    const deadlineTimer = setTimeout(() => server.closeAllConnections(), deadlineMs);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearInterval(idleTimer);
    clearTimeout(deadlineTimer);
  }
}

/** Passes new connections to `accept`, which calls `serve` to let the server take them. */
function interceptConnections(server: Server, accept: (socket: Socket, serve: () => void) => void): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket) =>
    accept(socket, () => listeners.forEach((each) => each.call(server, socket) as unknown)),
  );
}

function limitPipelining(
  app: RequestListener,
  connections: ConnectionLimiter,
  counter: Http1AbortCounter,
): RequestListener {
  const pipelines = new PipeliningLimiter();
  return (request, response) => {
    counter.addRequest(request.socket, response);
    const endRequest = connections.beginRequest(request.socket);
    if (pipelines.admit(request, response, endRequest)) app(request, response);
  };
}

function createNodeServer({ app, limits, certificate }: ApiServerOptions): Server {
  const serverLimits = { ...DEFAULT_SERVER_LIMITS, ...limits };
  if (certificate === undefined) return createServer(serverLimits, app);
  const tlsOptions = { ...certificate.tlsOptions, handshakeTimeout: serverLimits.headersTimeout };
  const server = createSecureServer({ ...serverLimits, ...tlsOptions }, app);
  certificate.addServer(server);
  return server;
}
