import { connect, type Socket } from 'node:net';

/** Behaviour of a slow client. */
export type Slowness = 'silent' | 'drips headers' | 'drips a body' | 'reads nothing';

export const SLOWNESSES: readonly Slowness[] = ['silent', 'drips headers', 'drips a body', 'reads nothing'];

const DRIP_MS = 1_000;
/** Several times the limit of pipelined requests per connection. */
const REQUESTS_UNREAD = 150;

/** Many slow connections to one port, until the server closes them. */
export class SlowSockets {
  private readonly sockets: Socket[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly port: number,
    private readonly target: string,
    private readonly apiKey: string,
  ) {
    this.timer = setInterval(() => this.drip(), DRIP_MS);
  }

  get open(): number {
    return this.sockets.filter(({ closed }) => !closed).length;
  }

  /** Resolves when all are connected or rejected. */
  async add(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, n) => this.connect(SLOWNESSES[n % SLOWNESSES.length])));
  }

  close(): void {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.destroy();
  }

  private connect(how: Slowness): Promise<void> {
    const socket = connect(this.port, '127.0.0.1');
    this.sockets.push(socket);
    const head = `POST ${this.target} HTTP/1.1\r\nHost: x\r\napi-key: ${this.apiKey}\r\ncontent-type: application/x-protobuf\r\n`;
    const first = {
      silent: '',
      'drips headers': head,
      'drips a body': `${head}content-length: 100000\r\n\r\n`,
      'reads nothing': `${head}content-length: 0\r\n\r\n`.repeat(REQUESTS_UNREAD),
    }[how];
    slow.set(socket, how);
    socket.on('error', () => undefined);
    if (how !== 'reads nothing') socket.resume();
    return new Promise((resolve) => {
      socket.once('connect', () => {
        if (first !== '') socket.write(first);
        resolve();
      });
      socket.once('close', () => resolve());
    });
  }

  private drip(): void {
    for (const socket of this.sockets) {
      if (socket.closed) continue;
      if (slow.get(socket) === 'drips headers') socket.write('x');
      if (slow.get(socket) === 'drips a body') socket.write('\0');
    }
  }
}

const slow = new WeakMap<Socket, Slowness>();
