import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { ServedCertificate } from '../tls/served-certificate.js';
import type { Protocol } from './protocol-sniffer.js';

/** Puts TLS on accepted connections. Which protocol follows is agreed upon in the handshake (ALPN); without a word it is HTTP/1.1. */
export class SecureSockets {
  private readonly server: Server;
  private readonly open = new Set<TLSSocket>();
  private readonly carriers = new WeakSet<Socket>();

  /** @param patienceMs until the handshake is done; a connection that is slower, or speaks no TLS, is destroyed */
  constructor(certificate: ServedCertificate, patienceMs: number, handOn: (socket: TLSSocket, protocol: Protocol) => void) {
    this.server = createServer({ ...certificate.tlsOptions, ALPNProtocols: ['h2', 'http/1.1'], handshakeTimeout: patienceMs });
    certificate.serveWith(this.server);
    this.server.on('tlsClientError', (_error, socket) => socket.destroy());
    this.server.on('secureConnection', (socket) => {
      this.open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.open.delete(socket));
      handOn(socket, socket.alpnProtocol === 'h2' ? 'http2' : 'http1');
    });
  }

  handshake(socket: Socket): void {
    this.carriers.add(socket);
    this.server.emit('connection', socket);
  }

  /** Whether what is written to this connection is written by TLS. */
  carries(socket: Socket): boolean {
    return this.carriers.has(socket);
  }

  /** Lets each of these send what is already written, then closes it. */
  endThose(chosen: (socket: Socket) => boolean): void {
    for (const socket of this.open) if (chosen(socket)) socket.destroySoon();
  }
}
