import type { Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { ServedCertificate } from '../tls/served-certificate.js';
import { Connections } from './connections.js';
import { createHttp1Server, type Http1Handler } from './http1-server.js';
import { createHttp2Server, Sessions, type Http2Handler } from './http2-server.js';
import type { OtlpLimits } from './limits.js';
import { sniffProtocol, type Protocol } from './protocol-sniffer.js';
import { SecureSockets } from './secure-sockets.js';

/** How long written answers may take to leave. */
const FLUSH_MS = 250;

/** Listens on any number of ports, each of which takes HTTP/1.1 and HTTP/2; with a certificate, over TLS alone. */
export class DualListener {
  private readonly connections: Connections;
  private readonly http1: HttpServer;
  private readonly http2: Http2Server;
  private readonly sessions: Sessions;
  private readonly secure: SecureSockets | undefined;
  private readonly listeners: Server[] = [];
  /** Their sessions write past the socket, and close it themselves when everything has left. */
  private readonly http2Sockets = new WeakSet<Socket>();

  constructor(
    private readonly limits: OtlpLimits,
    onRequest: Http1Handler,
    onStream: Http2Handler,
    { certificate, isProxy }: { readonly certificate?: ServedCertificate | undefined; readonly isProxy?: (address: string) => boolean } = {},
  ) {
    this.connections = new Connections(limits, isProxy);
    this.http1 = createHttp1Server(limits, onRequest);
    this.http2 = createHttp2Server(limits, onStream);
    this.sessions = new Sessions(this.http2);
    this.secure = certificate && new SecureSockets(certificate, limits.headersMs, (socket, protocol) => this.serve(socket, protocol));
  }

  get isListening(): boolean {
    return this.listeners.length > 0 && this.listeners.every((listener) => listener.listening);
  }

  /** Resolves to the port, the given one or (for 0) a free one. */
  listen(host: string, port: number): Promise<number> {
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.onConnection(socket));
    this.listeners.push(listener);
    return new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(port, host, () => resolve((listener.address() as AddressInfo).port));
    });
  }

  /** New connections are refused, open ones live on; those of HTTP/2 end with their last request. */
  stopAccepting(): void {
    for (const listener of this.listeners) listener.close();
    this.sessions.closeAll();
  }

  /** Closes what is open, after what is already written has left, and within a moment. */
  async close(): Promise<void> {
    this.stopAccepting();
    this.http1.close();
    this.secure?.endThose((socket) => !this.http2Sockets.has(socket));
    this.connections.endThose((socket) => this.secure?.carries(socket) !== true && !this.http2Sockets.has(socket));
    const timer = setTimeout(() => this.connections.destroyAll(), FLUSH_MS);
    await this.connections.gone();
    clearTimeout(timer);
  }

  private onConnection(socket: Socket): void {
    if (!this.connections.admit(socket)) return;
    if (this.secure !== undefined) this.secure.handshake(socket);
    else sniffProtocol(socket, this.limits.headersMs, (protocol) => this.serve(socket, protocol));
  }

  private serve(socket: Socket, protocol: Protocol): void {
    if (protocol === 'http2') this.http2Sockets.add(socket);
    const server = protocol === 'http2' ? this.http2 : this.http1;
    server.emit('connection', socket);
  }
}
