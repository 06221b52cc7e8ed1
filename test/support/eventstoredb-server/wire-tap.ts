import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A TCP proxy to the double whose connections can be closed and blocked. */
export class WireTap {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #target = 0;
  #refusing = false;

  constructor() {
    this.#server = createServer((client) => this.#join(client));
  }

  /** Listens on `port` (0: any) and forwards to `target`. Returns the port. */
  async open(target: number, port: number): Promise<number> {
    this.#target = target;
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Closes every connection, like a lost machine. New ones are accepted unless `refuse` is set. */
  cut(): void {
    for (const [client, server] of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    this.#pairs.clear();
  }

  /** True: closes all connections and rejects new ones. */
  refuse(refusing: boolean): void {
    this.#refusing = refusing;
    if (refusing) this.cut();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    // If one side fails, the other is closed, too.
    client.on('error', () => client.destroy());
    if (this.#refusing) return void client.resetAndDestroy();
    const server = connect(this.#target, '127.0.0.1');
    server.on('error', () => server.destroy());
    const pair = [client, server] as const;
    for (const socket of pair) socket.setNoDelay(true);
    this.#pairs.add(pair);
    client.on('close', () => this.#part(pair));
    server.on('close', () => this.#part(pair));
    client.pipe(server);
    server.pipe(client);
  }

  #part(pair: readonly [Socket, Socket]): void {
    this.#pairs.delete(pair);
    for (const socket of pair) socket.destroy();
  }
}
