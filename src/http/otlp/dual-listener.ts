import type { Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Connections } from './connections.js';
import { createHttp1Server, type Http1Handler } from './http1-server.js';
import { createHttp2Server, Sessions, type Http2Handler } from './http2-server.js';
import type { OtlpLimits } from './limits.js';
import { sniffProtocol } from './protocol-sniffer.js';

/** How long written answers may take to leave. */
const FLUSH_MS = 250;

/** Listens on any number of ports, each of which takes HTTP/1.1 and HTTP/2. */
export class DualListener {
  private readonly connections: Connections;
  private readonly http1: HttpServer;
  private readonly http2: Http2Server;
  private readonly sessions: Sessions;
  private readonly listeners: Server[] = [];
  /** Their sessions write past the socket, and close it themselves when everything has left. */
  private readonly http2Sockets = new WeakSet<Socket>();

  constructor(
    private readonly limits: OtlpLimits,
    onRequest: Http1Handler,
    onStream: Http2Handler,
  ) {
    this.connections = new Connections(limits);
    this.http1 = createHttp1Server(limits, onRequest);
    this.http2 = createHttp2Server(limits, onStream);
    this.sessions = new Sessions(this.http2);
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
    this.connections.endThose((socket) => !this.http2Sockets.has(socket));
    const timer = setTimeout(() => this.connections.destroyAll(), FLUSH_MS);
    await this.connections.gone();
    clearTimeout(timer);
  }

  private onConnection(socket: Socket): void {
    if (!this.connections.admit(socket)) return;
    sniffProtocol(socket, this.limits.headersMs, (protocol) => {
      if (protocol === 'http2') this.http2Sockets.add(socket);
      const server = protocol === 'http2' ? this.http2 : this.http1;
      server.emit('connection', socket);
    });
  }
}
