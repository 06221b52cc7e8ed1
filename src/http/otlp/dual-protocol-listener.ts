import type { Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ClientResolver } from '../connection/client-resolver.js';
import type { ClosedConnectionLog } from '../connection/closed-connection-log.js';
import { ConnectionLimiter } from '../connection/connection-limiter.js';
import type { ReloadingCertificate } from '../connection/reloading-certificate.js';
import { AbortLimiter } from '../limits/abort-limiter.js';
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
  readonly closures: Pick<ClosedConnectionLog, 'record'>;
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
  private readonly closures: Pick<ClosedConnectionLog, 'record'>;
  private readonly onStream: Http2Handler;
  private readonly aborts = new AbortLimiter(() => performance.now());
  private readonly floods: Http2FloodGuard;

  constructor({ limits, onRequest, onStream, clients, certificate, closures }: DualProtocolListenerOptions) {
    const { aborts } = this;
    const now = (): number => performance.now();
    this.limits = limits;
    this.closures = closures;
    const connections = new ConnectionLimiter({
      limits,
      isProxy: (address) => clients.isTrustedProxy(address),
      closures,
    });
    this.connections = connections;
    this.onStream = onStream;
    this.floods = new Http2FloodGuard({ limits, aborts, clients, now, closures });
    this.http1 = createHttp1Server(limits, (request, response) => {
      response.once('close', connections.beginRequest(request.socket));
      onRequest(request, response);
    });
    this.http2 = createHttp2Server(limits);
    this.sessions = new Http2Sessions(this.http2);
    this.tls =
      certificate &&
      new TlsHandshaker(certificate, limits.headersMs, (socket, protocol) => this.serve(socket, protocol));
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
    if (this.tls === undefined)
      return detectProtocol(socket, this.limits.headersMs, (protocol) => this.serve(socket, protocol));
    // Before the handshake, which costs most.
    if (!this.refuseBlocked(socket)) this.tls.startHandshake(socket);
  }

  /** Destroys the connection and returns true if its address may not connect at the moment. */
  private refuseBlocked(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    if (!this.aborts.isBlocked(address)) return false;
    socket.destroy();
    this.closures.record('blocked', address);
    return true;
  }

  private serve(socket: Socket, protocol: HttpProtocol): void {
    if (protocol === 'http1') return void this.http1.emit('connection', socket);
    if (this.refuseBlocked(socket)) return;
    this.http2Sockets.add(socket);
    // The server announces the session while it handles the connection, before any of its streams.
    this.http2.once('session', (session) =>
      this.floods.watch(session, socket, (stream, headers) => {
        stream.once('close', this.connections.beginRequest(socket));
        this.onStream(stream, headers);
      }),
    );
    this.http2.emit('connection', socket);
  }
}
