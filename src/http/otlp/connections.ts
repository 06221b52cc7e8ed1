import type { Socket } from 'node:net';

export interface ConnectionCaps {
  readonly connections: number;
  readonly connectionsPerAddress: number;
}

/** The open connections of all ports, bounded in total and by address. */
export class Connections {
  private readonly open = new Set<Socket>();
  private readonly byAddress = new Map<string, number>();
  private readonly emptied: (() => void)[] = [];

  /** @param isProxy whose connections are those of many; only the total bounds them */
  constructor(
    private readonly caps: ConnectionCaps,
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
    if (this.open.size >= this.caps.connections || (neighbours >= this.caps.connectionsPerAddress && !this.isProxy(address))) {
      socket.destroy();
      return false;
    }
    this.open.add(socket);
    this.byAddress.set(address, neighbours + 1);
    socket.once('close', () => this.leave(socket, address));
    return true;
  }

  /** Lets each of these connections send what is already written, then closes it. */
  endThose(chosen: (socket: Socket) => boolean): void {
    for (const socket of this.open) if (chosen(socket)) socket.destroySoon();
  }

  destroyAll(): void {
    for (const socket of this.open) socket.destroy();
  }

  /** Resolves when no connection is open. */
  gone(): Promise<void> {
    return this.open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.emptied.push(resolve));
  }

  private leave(socket: Socket, address: string): void {
    this.open.delete(socket);
    const left = (this.byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
    if (this.open.size === 0) for (const resolve of this.emptied.splice(0)) resolve();
  }
}
