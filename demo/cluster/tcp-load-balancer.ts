import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP load balancer: assigns connections in turn, and tries the next server when one refuses. */
export class TcpLoadBalancer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  /** `ports` are those of the servers on this machine. */
  constructor(private readonly ports: readonly number[]) {
    // Half-open: a client that has finished sending may still wait for the response.
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.forward(client));
  }

  /** Listens on `port`, or on any free port if it is taken. Resolves to the URL. */
  async open(port: number): Promise<string> {
    try {
      await this.listen(port);
    } catch {
      await this.listen(0);
    }
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private async listen(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private forward(client: Socket): void {
    this.trackSocket(client);
    const first = this.turn++;
    this.connectToNext(client, first, this.ports.length);
  }

  private connectToNext(client: Socket, turn: number, attemptsLeft: number): void {
    if (attemptsLeft === 0) return void client.destroy();
    const server = connect({
      port: this.ports[turn % this.ports.length],
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    });
    let isConnected = false;
    server.once('connect', () => {
      isConnected = true;
      this.trackSocket(server);
      client.pipe(server).pipe(client);
      client.once('close', () => server.destroy());
    });
    server.on('error', () => {
      if (!isConnected) this.connectToNext(client, turn + 1, attemptsLeft - 1);
    });
    server.once('close', () => isConnected && client.destroy());
  }

  private trackSocket(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy()); // closing it also closes the other side
    socket.once('close', () => this.sockets.delete(socket));
  }
}
