import type { Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ReloadingCertificate } from '../connection/reloading-certificate.js';
import { createHttp1Server, type Http1Handler } from './http1-transport.js';
import { createHttp2Server, type Http2Handler, Http2Sessions } from './http2-transport.js';
import type { OtlpLimits } from './otlp-limits.js';
import { detectProtocol, type HttpProtocol, TlsHandshaker } from './protocol-detection.js';

/** How long written answers may take to leave. */
const FLUSH_MS = 250;

/** Listens on any number of ports, each of which takes HTTP/1.1 and HTTP/2; with a certificate, over TLS alone. */
export class DualProtocolListener {
  private readonly connections: ConnectionLimiter;
  private readonly http1: HttpServer;
  private readonly http2: Http2Server;
  private readonly sessions: Http2Sessions;
  private readonly secure: TlsHandshaker | undefined;
  private readonly listeners: Server[] = [];
  /** Their sessions write past the socket, and close it themselves when everything has left. */
  private readonly http2Sockets = new WeakSet<Socket>();

  constructor(
    private readonly limits: OtlpLimits,
    onRequest: Http1Handler,
    onStream: Http2Handler,
    {
      certificate,
      isProxy,
    }: {
      readonly certificate?: ReloadingCertificate | undefined;
      readonly isProxy?: (address: string) => boolean;
    } = {},
  ) {
    this.connections = new ConnectionLimiter(limits, isProxy);
    this.http1 = createHttp1Server(limits, onRequest);
    this.http2 = createHttp2Server(limits, onStream);
    this.sessions = new Http2Sessions(this.http2);
    this.secure =
      certificate &&
      new TlsHandshaker(certificate, limits.headersMs, (socket, protocol) => this.serve(socket, protocol));
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
    this.secure?.endWhere((socket) => !this.http2Sockets.has(socket));
    this.connections.endWhere((socket) => this.secure?.isUnderTls(socket) !== true && !this.http2Sockets.has(socket));
    const timer = setTimeout(() => this.connections.destroyAll(), FLUSH_MS);
    await this.connections.waitUntilClosed();
    clearTimeout(timer);
  }

  private onConnection(socket: Socket): void {
    if (!this.connections.admit(socket)) return;
    if (this.secure !== undefined) this.secure.startHandshake(socket);
    else detectProtocol(socket, this.limits.headersMs, (protocol) => this.serve(socket, protocol));
  }

  private serve(socket: Socket, protocol: HttpProtocol): void {
    if (protocol === 'http2') this.http2Sockets.add(socket);
    const server = protocol === 'http2' ? this.http2 : this.http1;
    server.emit('connection', socket);
  }
}

interface ConnectionLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
}

/** The open connections of all ports, bounded in total and by address. */
export class ConnectionLimiter {
  private readonly open = new Set<Socket>();
  private readonly byAddress = new Map<string, number>();
  private readonly emptied: (() => void)[] = [];

  /** @param isProxy whose connections are those of many; only the total bounds them */
  constructor(
    private readonly caps: ConnectionLimits,
    private readonly isProxy: (address: string) => boolean = () => false,
  ) {}

  get count(): number {
    return this.open.size;
  }

  /** Takes the connection in, or destroys it and answers false where a cap is reached. */
  admit(socket: Socket): boolean {
    // A reset is followed by `close`; without a listener it would end the process.
    socket.on('error', () => undefined);
    const address = socket.remoteAddress ?? '';
    const neighbours = this.byAddress.get(address) ?? 0;
    if (
      this.open.size >= this.caps.connections ||
      (neighbours >= this.caps.connectionsPerAddress && !this.isProxy(address))
    ) {
      socket.destroy();
      return false;
    }
    this.open.add(socket);
    this.byAddress.set(address, neighbours + 1);
    socket.once('close', () => this.remove(socket, address));
    return true;
  }

  /** Lets each of these connections send what is already written, then closes it. */
  endWhere(chosen: (socket: Socket) => boolean): void {
    for (const socket of this.open) if (chosen(socket)) socket.destroySoon();
  }

  destroyAll(): void {
    for (const socket of this.open) socket.destroy();
  }

  /** Resolves when no connection is open. */
  waitUntilClosed(): Promise<void> {
    return this.open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.emptied.push(resolve));
  }

  private remove(socket: Socket, address: string): void {
    this.open.delete(socket);
    const left = (this.byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
    if (this.open.size === 0) for (const resolve of this.emptied.splice(0)) resolve();
  }
}
