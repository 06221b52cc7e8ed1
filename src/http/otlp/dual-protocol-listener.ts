import type { Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ClientResolver } from '../connection/client-resolver.js';
import type { ClosedConnectionLog } from '../connection/closed-connection-log.js';
import { ConnectionLimiter, toConnectionKey } from '../connection/connection-limiter.js';
import type { ReloadingCertificate } from '../connection/reloading-certificate.js';
import { ConnectionTurns, TURNS_PER_SECOND } from '../connection/connection-turns.js';
import { Http1AbortCounter } from '../connection/http1-abort-counter.js';
import { AbortLimiter, type AbortLimits, HTTP1_ABORT_LIMITS } from '../limits/abort-limiter.js';
import { createHttp1Server, type Http1Handler } from './http1-transport.js';
import { Http2FloodGuard } from './http2-flood-guard.js';
import { createHttp2Server, type Http2Handler, Http2Sessions } from './http2-transport.js';
import type { OtlpLimits } from './otlp-limits.js';
import { detectProtocol, type HttpProtocol, TlsHandshaker } from './protocol-detection.js';

/** Time for written responses to be flushed on close. */
const FLUSH_MS = 250;

export interface DualProtocolListenerOptions {
  readonly limits: OtlpLimits;
  readonly onRequest: Http1Handler;
  readonly onStream: Http2Handler;
  readonly clients: ClientResolver;
  /** Absent: no TLS. */
  readonly certificate?: ReloadingCertificate | undefined;
  readonly closures: Pick<ClosedConnectionLog, 'record' | 'recordDelay'>;
  /** Limits for what clients begin over HTTP/1.1 or TLS and do not finish. Default: `HTTP1_ABORT_LIMITS`. */
  readonly http1AbortLimits?: AbortLimits | undefined;
}

/** Listens on any number of ports, each of which accepts HTTP/1.1 and HTTP/2. With a certificate, over TLS only. */
export class DualProtocolListener {
  private readonly connections: ConnectionLimiter;
  private readonly http1: HttpServer;
  private readonly http2: Http2Server;
  private readonly sessions: Http2Sessions;
  private readonly tls: TlsHandshaker | undefined;
  private readonly listeners: Server[] = [];
  /** Their sessions buffer writes themselves, and close the socket when everything has been sent. */
  private readonly http2Sockets = new WeakSet<Socket>();
  private readonly limits: OtlpLimits;
  private readonly onStream: Http2Handler;
  private readonly floods: Http2FloodGuard;
  private readonly http1Aborts: Http1AbortCounter;
  /** For connections of addresses that flood the service by this protocol; over TLS they wait before the handshake. */
  private readonly turns: Readonly<Record<HttpProtocol | 'tls', ConnectionTurns>>;
  private readonly http2Aborts: AbortLimiter;
  /**
   * Open connections of addresses that flood over HTTP/2 which began in their turn, by the ends of their TCP
   * connection.
   */
  private readonly waited = new Set<string>();

  constructor(options: DualProtocolListenerOptions) {
    const { limits, onRequest, onStream, clients, certificate, closures } = options;
    const { http1AbortLimits = HTTP1_ABORT_LIMITS } = options;
    const now = (): number => performance.now();
    const http1Aborts = new AbortLimiter(now, http1AbortLimits);
    const http2Aborts = new AbortLimiter(now);
    this.limits = limits;
    const connections = new ConnectionLimiter({
      limits,
      isProxy: (address) => clients.isTrustedProxy(address),
      closures,
    });
    this.connections = connections;
    this.onStream = onStream;
    this.floods = new Http2FloodGuard({ limits, aborts: http2Aborts, clients, now, closures });
    this.http1Aborts = new Http1AbortCounter({ aborts: http1Aborts, clients, now });
    this.http2Aborts = http2Aborts;
    const createTurns = (perSecond: number, aborts: AbortLimiter): ConnectionTurns =>
      new ConnectionTurns({ perSecond, isFlooding: (address) => aborts.isFlooding(address), closures });
    this.turns = {
      http1: createTurns(TURNS_PER_SECOND.http1, http1Aborts),
      tls: createTurns(TURNS_PER_SECOND.tls, http1Aborts),
      http2: createTurns(TURNS_PER_SECOND.http2, http2Aborts),
    };
    this.http1 = createHttp1Server(limits, (request, response) => {
      this.http1Aborts.addRequest(request.socket, response);
      response.once('close', connections.beginRequest(request.socket));
      onRequest(request, response);
    });
    this.http2 = createHttp2Server(limits);
    this.sessions = new Http2Sessions(this.http2);
    this.tls =
      certificate &&
      new TlsHandshaker(certificate, limits.headersMs, (socket, protocol) => this.onSecured(socket, protocol));
  }

  get isListening(): boolean {
    return this.listeners.length > 0 && this.listeners.every((listener) => listener.listening);
  }

  /** Resolves to the bound port; 0 selects a free one. */
  listen(host: string, port: number): Promise<number> {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.onConnection(socket));
    this.listeners.push(listener);
    return new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(port, host, () => resolve((listener.address() as AddressInfo).port));
    });
  }

  /** Refuses new connections. Open ones stay open; HTTP/2 connections end with their last request. */
  stopAccepting(): void {
    for (const listener of this.listeners) listener.close();
    this.sessions.closeAll();
  }

  /** Closes all connections after their written data has been sent, or after a short timeout. */
  async close(): Promise<void> {
    this.stopAccepting();
    this.http1.close();
    this.tls?.endWhere((socket) => !this.http2Sockets.has(socket));
    this.connections.endWhere((socket) => this.tls?.isUnderTls(socket) !== true && !this.http2Sockets.has(socket));
    const timer = setTimeout(() => this.connections.destroyAll(), FLUSH_MS);
    await this.connections.waitUntilClosed();
    clearTimeout(timer);
  }

  private onConnection(socket: Socket): void {
    if (!this.connections.admit(socket)) return;
    const { tls } = this;
    if (tls === undefined) return this.detect(socket, (protocol) => this.onPlainConnection(socket, protocol));
    const turns = this.http2Aborts.isFlooding(socket.remoteAddress ?? '') ? this.turns.http2 : this.turns.tls;
    // Before the handshake, which costs most.
    turns.begin(socket, (hasWaited) => {
      if (hasWaited && turns === this.turns.http2) this.addWaited(socket);
      this.http1Aborts.watch(socket);
      tls.startHandshake(socket);
    });
  }

  private detect(socket: Socket, onDetected: (protocol: HttpProtocol) => void): void {
    detectProtocol(socket, this.limits.headersMs, onDetected);
  }

  private onPlainConnection(socket: Socket, protocol: HttpProtocol): void {
    this.turns[protocol].begin(socket, (hasWaited) => {
      if (protocol === 'http2') {
        if (hasWaited) this.addWaited(socket);
        return this.serveHttp2(socket);
      }
      this.http1Aborts.watch(socket);
      return this.http1.emit('connection', socket);
    });
  }

  private onSecured(socket: Socket, protocol: HttpProtocol): void {
    if (protocol === 'http1') return void this.http1.emit('connection', socket);
    this.detect(socket, () => this.serveHttp2(socket));
  }

  private addWaited(socket: Socket): void {
    const key = toConnectionKey(socket);
    this.waited.add(key);
    socket.once('close', () => this.waited.delete(key));
  }

  /** Returns false if the connection is refused. The first bytes MUST have been read and put back into the socket. */
  private serveHttp2(socket: Socket): boolean {
    if (!this.floods.admitConnection(socket)) return false;
    this.http2Sockets.add(socket);
    // As in servers of Node that speak HTTP/2 only; otherwise a connection that its client has closed would stay open.
    socket.allowHalfOpen = false;
    const hadTurn = this.waited.has(toConnectionKey(socket));
    // The server announces the session while it handles the connection, before any of its streams.
    this.http2.once('session', (session) =>
      this.floods.watch(session, socket, hadTurn, (stream, headers) => {
        // From its first request on, HTTP/2 has a guard of its own; until then the handshake counts.
        this.http1Aborts.forget(socket);
        stream.once('close', this.connections.beginRequest(socket));
        this.onStream(stream, headers);
      }),
    );
    this.http2.emit('connection', socket);
    return true;
  }
}
