import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Bytes of TCP payload: headers of TCP, IP and Ethernet come on top, about 4 % with full packets. */
export interface TransferredBytes {
  readonly up: number;
  readonly down: number;
}

/** A proxy between a process and an engine that counts bytes: `up` to the engine, `down` from it. */
export class MeteringProxy {
  private readonly sockets = new Set<Socket>();
  private up = 0;
  private down = 0;

  private constructor(private readonly server: Server) {}

  static async listenFor(port: number): Promise<MeteringProxy> {
    const wire: MeteringProxy = new MeteringProxy(
      createServer((client) => wire.forward(client, connect(port, '127.0.0.1'))),
    );
    wire.server.listen(0, '127.0.0.1');
    await once(wire.server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get crossed(): TransferredBytes {
    return { up: this.up, down: this.down };
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket, engine: Socket): void {
    for (const [socket, other] of [
      [client, engine],
      [engine, client],
    ]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      // An error on one side ends the other; the process reports it.
      socket.on('error', () => other.destroy());
      socket.on('close', () => (this.sockets.delete(socket), other.destroy()));
      socket.pipe(other);
    }
    client.on('data', (bytes) => (this.up += bytes.length));
    engine.on('data', (bytes) => (this.down += bytes.length));
  }
}
