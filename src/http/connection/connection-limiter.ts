import type { Socket } from 'node:net';
import type { ClosureReason } from '../../self-telemetry/prometheus-metrics.js';
import { networkPrefix } from '../limits/credential-guard.js';
import type { ClosedConnectionLog } from './closed-connection-log.js';

export interface ConnectionLimits {
  readonly connections: number;
  /** Of one address (IPv6: one /64). Trusted proxies are exempt. 0: no limit. */
  readonly connectionsPerAddress: number;
}

export interface ConnectionLimiterOptions {
  readonly limits: ConnectionLimits;
  /** Addresses that many clients share; only the total limit applies to them. */
  readonly isProxy?: (address: string) => boolean;
  readonly closures?: Pick<ClosedConnectionLog, 'record'> | undefined;
}

/** The addresses and ports of both ends: the same for a TCP connection and for TLS on it. */
export type ConnectionEnds = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>;

interface Connection {
  readonly key: string;
  readonly socket: Socket;
  readonly address: string;
  readonly ofAddress: Connections;
  /** Requests that are being served. */
  requests: number;
}

interface Connections {
  count: number;
  /** Connections without a request, the longest idle first. */
  readonly idle: Set<Connection>;
}

/**
 * Limits the open connections of a server, in total and per address. At a limit the connection that has been idle for
 * longest is closed in favour of a new one, so that idle sockets cannot exclude other clients. A new connection is refused only
 * while all others are serving requests. Connections count as idle from the start and between requests.
 */
export class ConnectionLimiter {
  private readonly open = new Map<string, Connection>();
  private readonly byAddress = new Map<string, Connections>();
  private readonly idle = new Set<Connection>();
  private readonly emptyListeners: (() => void)[] = [];

  constructor(private readonly options: ConnectionLimiterOptions) {}

  get count(): number {
    return this.open.size;
  }

  /** Registers the connection, or destroys it and returns false if a limit is reached and no connection is idle. */
  admit(socket: Socket): boolean {
    // A connection reset also emits `close`. Without an error listener it would terminate the process.
    socket.on('error', () => undefined);
    const address = socket.remoteAddress ?? '';
    const prefix = networkPrefix(address);
    const reason = this.makeRoom(address, this.byAddress.get(prefix));
    if (reason !== undefined) {
      socket.destroy();
      this.options.closures?.record(reason, address);
      return false;
    }
    this.register(socket, address, prefix);
    return true;
  }

  /** Marks the connection as busy until the returned function is called, once. */
  beginRequest(ends: ConnectionEnds): () => void {
    const connection = this.open.get(toConnectionKey(ends));
    if (connection === undefined) return () => undefined;
    if (connection.requests++ === 0) this.setIdle(connection, false);
    return () => {
      connection.requests--;
      if (connection.requests === 0 && this.open.get(connection.key) === connection) this.setIdle(connection, true);
    };
  }

  /** Closes each matching connection after its written data has been sent. */
  endWhere(matches: (socket: Socket) => boolean): void {
    for (const { socket } of this.open.values()) if (matches(socket)) socket.destroySoon();
  }

  destroyAll(): void {
    for (const { socket } of this.open.values()) socket.destroy();
  }

  /** Resolves as soon as no connection is open. */
  waitUntilClosed(): Promise<void> {
    return this.open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.emptyListeners.push(resolve));
  }

  /** Closes idle connections until one more fits. Returns the limit that forbids it, if any. */
  private makeRoom(address: string, ofAddress: Connections | undefined): ClosureReason | undefined {
    const { limits, isProxy } = this.options;
    const perAddress = limits.connectionsPerAddress;
    if (perAddress > 0 && ofAddress !== undefined && ofAddress.count >= perAddress && isProxy?.(address) !== true)
      if (!this.closeIdle(ofAddress.idle, 'address-limit')) return 'address-limit';
    if (this.open.size >= limits.connections && !this.closeIdle(this.idle, 'total-limit')) return 'total-limit';
    return undefined;
  }

  private closeIdle(candidates: ReadonlySet<Connection>, reason: ClosureReason): boolean {
    const longest = candidates.values().next().value;
    if (longest === undefined) return false;
    const { socket, address } = longest;
    this.remove(longest);
    socket.destroy();
    this.options.closures?.record(reason, address);
    return true;
  }

  private register(socket: Socket, address: string, prefix: string): void {
    let ofAddress = this.byAddress.get(prefix);
    if (ofAddress === undefined) this.byAddress.set(prefix, (ofAddress = { count: 0, idle: new Set() }));
    const connection: Connection = { key: toConnectionKey(socket), socket, address, ofAddress, requests: 0 };
    const former = this.open.get(connection.key);
    if (former !== undefined) this.remove(former);
    ofAddress.count++;
    this.open.set(connection.key, connection);
    this.setIdle(connection, true);
    socket.once('close', () => this.remove(connection));
  }

  private setIdle(connection: Connection, isIdle: boolean): void {
    for (const idle of [this.idle, connection.ofAddress.idle]) {
      idle.delete(connection);
      if (isIdle) idle.add(connection);
    }
  }

  private remove(connection: Connection): void {
    if (this.open.get(connection.key) !== connection) return;
    this.open.delete(connection.key);
    this.setIdle(connection, false);
    const prefix = networkPrefix(connection.address);
    if (--connection.ofAddress.count === 0) this.byAddress.delete(prefix);
    if (this.open.size === 0) for (const resolve of this.emptyListeners.splice(0)) resolve();
  }
}

/** Identifies an open connection. */
export function toConnectionKey({ remoteAddress, remotePort, localPort }: ConnectionEnds): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
