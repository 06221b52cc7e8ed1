import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

/** A lightweight client of a live stream. */
export class Listener {
  private constructor(
    private readonly socket: Socket,
    readonly status: number,
  ) {}

  /** Resolves after the response headers; status 0: the connection was closed without a response. */
  static async open(port: number, path: string, apiKey: string): Promise<Listener> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\napi-key: ${apiKey}\r\nAccept: text/event-stream\r\n\r\n`);
    const [head] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
    socket.resume();
    return new Listener(socket, Buffer.isBuffer(head) ? Number(head.toString('latin1', 9, 12)) : 0);
  }

  /** Stops reading without disconnecting. */
  pause(): void {
    this.socket.removeAllListeners('data');
    this.socket.pause();
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Opens `count` streams, `atOnce` concurrently, like clients after a restart. */
export async function openListeners(
  count: number,
  open: (n: number) => Promise<Listener>,
  atOnce = 200,
): Promise<Listener[]> {
  const listeners: Listener[] = [];
  let started = 0;
  const lane = async (): Promise<void> => {
    for (let n = started++; n < count; n = started++) listeners.push(await open(n));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  return listeners;
}
