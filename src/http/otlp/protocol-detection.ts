import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { ReloadingCertificate } from '../connection/reloading-certificate.js';

/** Start of the HTTP/2 connection preface (RFC 9113, section 3.4). No HTTP/1.1 method starts with these letters. */
const PREFACE = Buffer.from('PRI');

export type HttpProtocol = 'http1' | 'http2';

/** The protocol by the first bytes of a connection; undefined while both are possible. */
export function identifyProtocol(firstBytes: Uint8Array): HttpProtocol | undefined {
  const compared = Math.min(firstBytes.byteLength, PREFACE.byteLength);
  if (PREFACE.compare(firstBytes, 0, compared, 0, compared) !== 0) return 'http1';
  return compared === PREFACE.byteLength ? 'http2' : undefined;
}

/**
 * Detects the protocol of a new connection, puts the read bytes back and calls `onDetected`. A connection that sends too few
 * bytes within `timeoutMs` is destroyed.
 */
export function detectProtocol(socket: Socket, timeoutMs: number, onDetected: (protocol: HttpProtocol) => void): void {
  let received: Buffer = Buffer.alloc(0);
  const onReadable = (): void => {
    received = Buffer.concat([received, (socket.read() as Buffer | null) ?? Buffer.alloc(0)]);
    const protocol = received.byteLength === 0 ? undefined : identifyProtocol(received);
    if (protocol === undefined) return;
    stop();
    socket.unshift(received);
    onDetected(protocol);
  };
  const giveUp = (): void => void socket.destroy();
  const timer = setTimeout(giveUp, timeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('readable', onReadable).off('end', giveUp).off('close', stop);
  };
  socket.on('readable', onReadable).on('end', giveUp).on('close', stop);
}

/** Performs TLS handshakes on accepted connections. ALPN selects the protocol; the default is HTTP/1.1. */
export class TlsHandshaker {
  private readonly server: Server;
  private readonly open = new Set<TLSSocket>();
  private readonly tlsSockets = new WeakSet<Socket>();

  /** @param timeoutMs limit for the handshake; slower connections and those without TLS are destroyed */
  constructor(
    certificate: ReloadingCertificate,
    timeoutMs: number,
    onSecured: (socket: TLSSocket, protocol: HttpProtocol) => void,
  ) {
    this.server = createServer({
      ...certificate.tlsOptions,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: timeoutMs,
    });
    certificate.addServer(this.server);
    this.server.on('tlsClientError', (_error, socket) => socket.destroy());
    this.server.on('secureConnection', (socket) => {
      socket.allowHalfOpen = true;
      this.open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.open.delete(socket));
      onSecured(socket, socket.alpnProtocol === 'h2' ? 'http2' : 'http1');
    });
  }

  startHandshake(socket: Socket): void {
    this.tlsSockets.add(socket);
    // Otherwise a client that leaves during the handshake would be noticed only when its time is over.
    socket.allowHalfOpen = false;
    this.server.emit('connection', socket);
  }

  /** Whether this TCP connection carries TLS. */
  isUnderTls(socket: Socket): boolean {
    return this.tlsSockets.has(socket);
  }

  /** Closes each matching connection after its written data has been sent. */
  endWhere(matches: (socket: Socket) => boolean): void {
    for (const socket of this.open) if (matches(socket)) socket.destroySoon();
  }
}
