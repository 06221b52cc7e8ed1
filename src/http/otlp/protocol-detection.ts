import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { ReloadingCertificate } from '../connection/reloading-certificate.js';

/** How every HTTP/2 connection begins (RFC 9113, section 3.4). No HTTP/1.1 method starts with its first three letters. */
const PREFACE = Buffer.from('PRI');

export type HttpProtocol = 'http1' | 'http2';

/** Undefined while the bytes may still become either. */
export function identifyProtocol(firstBytes: Uint8Array): HttpProtocol | undefined {
  const compared = Math.min(firstBytes.byteLength, PREFACE.byteLength);
  if (PREFACE.compare(firstBytes, 0, compared, 0, compared) !== 0) return 'http1';
  return compared === PREFACE.byteLength ? 'http2' : undefined;
}

/**
 * Finds out which protocol a fresh connection speaks, puts back what it read, and hands the socket on.
 * A connection that does not say within `patienceMs` is destroyed.
 */
export function detectProtocol(socket: Socket, patienceMs: number, handOn: (protocol: HttpProtocol) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const look = (): void => {
    seen = Buffer.concat([seen, (socket.read() as Buffer | null) ?? Buffer.alloc(0)]);
    const protocol = seen.byteLength === 0 ? undefined : identifyProtocol(seen);
    if (protocol === undefined) return;
    stop();
    socket.unshift(seen);
    handOn(protocol);
  };
  const giveUp = (): void => void socket.destroy();
  const timer = setTimeout(giveUp, patienceMs);
  const stop = (): void => {
    clearTimeout(timer);
    socket.off('readable', look).off('end', giveUp).off('close', stop);
  };
  socket.on('readable', look).on('end', giveUp).on('close', stop);
}

/** Puts TLS on accepted connections. Which protocol follows is agreed upon in the handshake (ALPN); without a word it is HTTP/1.1. */
export class TlsHandshaker {
  private readonly server: Server;
  private readonly open = new Set<TLSSocket>();
  private readonly carriers = new WeakSet<Socket>();

  /** @param patienceMs until the handshake is done; a connection that is slower, or speaks no TLS, is destroyed */
  constructor(
    certificate: ReloadingCertificate,
    patienceMs: number,
    handOn: (socket: TLSSocket, protocol: HttpProtocol) => void,
  ) {
    this.server = createServer({
      ...certificate.tlsOptions,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: patienceMs,
    });
    certificate.addServer(this.server);
    this.server.on('tlsClientError', (_error, socket) => socket.destroy());
    this.server.on('secureConnection', (socket) => {
      this.open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.open.delete(socket));
      handOn(socket, socket.alpnProtocol === 'h2' ? 'http2' : 'http1');
    });
  }

  startHandshake(socket: Socket): void {
    this.carriers.add(socket);
    this.server.emit('connection', socket);
  }

  /** Whether what is written to this connection is written by TLS. */
  isUnderTls(socket: Socket): boolean {
    return this.carriers.has(socket);
  }

  /** Lets each of these send what is already written, then closes it. */
  endWhere(chosen: (socket: Socket) => boolean): void {
    for (const socket of this.open) if (chosen(socket)) socket.destroySoon();
  }
}
