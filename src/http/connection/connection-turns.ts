import type { Socket } from 'node:net';
import { networkPrefix } from '../limits/credential-guard.js';
import type { ClosedConnectionLog } from './closed-connection-log.js';

/** Connections of one address, and of all addresses, that may wait at a time. */
const MAX_PER_ADDRESS = 500;
const MAX_WAITING = 2_000;
/**
 * A waiting connection is read until this much has come, so that its end is noticed; the last read takes all that is
 * buffered.
 */
const MAX_HELD_BYTES = 4_096;

/**
 * Connections of flooding addresses that begin per second. One can cost 0.7 ms over HTTP/1.1, 2 ms more over TLS, and
 * over HTTP/2 4 ms by aborted requests or 25 ms by control frames.
 */
export const TURNS_PER_SECOND = { http1: 150, tls: 40, http2: 10 } as const;

/** Passes a connection to the server, with whether it had to wait; returns false if the server refuses it. */
export type ServeConnection = (hasWaited: boolean) => unknown;

export interface ConnectionTurnsOptions {
  /** Connections that begin per second, of all flooding addresses together. */
  readonly perSecond: number;
  /** Whether new connections of the address have to wait. */
  readonly isFlooding: (address: string) => boolean;
  readonly closures?: Pick<ClosedConnectionLog, 'record' | 'recordDelay'> | undefined;
}

/**
 * Begins the new connections of flooding addresses one after another, in the order of their arrival, and of several
 * addresses in turns: a bounded number per second. So a client behind the same address as an attacker is served late,
 * and not refused.
 */
export class ConnectionTurns {
  private readonly waiting = new Map<string, Set<WaitingConnection>>();
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ConnectionTurnsOptions) {}

  /**
   * Calls `serve` at once, or when it is the turn of the connection unless it ends before; what it has sent is put back
   * into the socket. Destroys the connection if too many are waiting.
   * @param serve returns false if it has refused the connection; then the turn passes to the next one
   */
  begin(socket: Socket, serve: ServeConnection): void {
    const { isFlooding, closures } = this.options;
    const address = socket.remoteAddress ?? '';
    if (!isFlooding(address)) return void serve(false);
    if (this.wait(socket, networkPrefix(address), serve)) return closures?.recordDelay(address);
    socket.destroy();
    closures?.record('blocked', address);
  }

  private wait(socket: Socket, prefix: string, serve: ServeConnection): boolean {
    const ofAddress = this.waiting.get(prefix) ?? new Set();
    if (ofAddress.size >= MAX_PER_ADDRESS || this.count >= MAX_WAITING) return false;
    const connection = new WaitingConnection(socket, serve, () => this.remove(prefix, connection));
    this.waiting.set(prefix, ofAddress.add(connection));
    this.count++;
    this.timer ??= setInterval(() => this.beginNext(), 1000 / this.options.perSecond).unref();
    return true;
  }

  /** Destroys all connections that are waiting. */
  destroyAll(): void {
    for (const ofAddress of this.waiting.values()) for (const { socket } of ofAddress) socket.destroy();
  }

  /** Begins the next connection that is not refused; called by a timer. */
  beginNext(): void {
    for (let next = this.takeNext(); next !== undefined; next = this.takeNext()) if (next.begin()) return;
  }

  private takeNext(): WaitingConnection | undefined {
    for (const [prefix, ofAddress] of this.waiting) {
      // To the end of the addresses.
      this.waiting.delete(prefix);
      this.waiting.set(prefix, ofAddress);
      for (const next of ofAddress) {
        this.remove(prefix, next);
        return next;
      }
    }
    return undefined;
  }

  private remove(prefix: string, connection: WaitingConnection): void {
    const ofAddress = this.waiting.get(prefix);
    if (ofAddress?.delete(connection) !== true) return;
    this.count--;
    if (ofAddress.size === 0) this.waiting.delete(prefix);
    if (this.count > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Reads the first bytes of a connection, because Node notices its end only then, and keeps them. */
class WaitingConnection {
  private received: Buffer = Buffer.alloc(0);

  constructor(
    readonly socket: Socket,
    private readonly serve: ServeConnection,
    private readonly onGone: () => void,
  ) {
    socket.on('readable', this.read).on('end', this.end).on('close', onGone);
  }

  /** Returns false if the connection is refused. */
  begin(): boolean {
    this.socket.off('readable', this.read).off('end', this.end).off('close', this.onGone);
    if (this.received.byteLength > 0) this.socket.unshift(this.received);
    return this.serve(true) !== false;
  }

  private readonly read = (): void => {
    if (this.received.byteLength >= MAX_HELD_BYTES) return;
    const chunk = this.socket.read() as Buffer | null;
    if (chunk !== null) this.received = Buffer.concat([this.received, chunk]);
  };

  private readonly end = (): void => void this.socket.destroy();
}
