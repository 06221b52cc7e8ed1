import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * One address before several: each connection goes to the next of them that takes one, as a load balancer does that looks at
 * connections alone.
 */
export class TcpLoadBalancer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  /** `ports`: those behind, on this machine. */
  constructor(private readonly ports: readonly number[]) {
    // Half-open: whoever has sent all may still wait for an answer.
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.forward(client));
  }

  /** On `port`, or on any where that is taken. Answers the address. */
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

  private connectToNext(client: Socket, turn: number, left: number): void {
    if (left === 0) return void client.destroy();
    const server = connect({
      port: this.ports[turn % this.ports.length],
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    });
    let joined = false;
    server.once('connect', () => {
      joined = true;
      this.trackSocket(server);
      client.pipe(server).pipe(client);
      client.once('close', () => server.destroy());
    });
    server.on('error', () => {
      if (!joined) this.connectToNext(client, turn + 1, left - 1);
    });
    server.once('close', () => joined && client.destroy());
  }

  private trackSocket(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy()); // whoever broke it, the other side hears of it by its end
    socket.once('close', () => this.sockets.delete(socket));
  }
}
