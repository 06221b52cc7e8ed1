import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AbortLimiter } from '../limits/abort-limiter.js';
import type { ClientResolver } from './client-resolver.js';
import { type ConnectionEnds, toConnectionKey } from './connection-limiter.js';

export interface Http1AbortCounterOptions {
  readonly aborts: Pick<AbortLimiter, 'countAborts'>;
  /** Connections of trusted proxies are not counted: many clients share them. */
  readonly clients: Pick<ClientResolver, 'isTrustedProxy'>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

interface Http1Connection {
  readonly openedAt: number;
  /** Requests that are being served. */
  readonly running: Set<ServerResponse>;
  /** Requests that ended without a complete response. */
  aborted: number;
  /** Requests that were answered. */
  answered: number;
}

/**
 * Counts what HTTP/1.1 clients begin and do not finish, by address: TLS handshakes, incomplete request headers, and
 * requests whose connection ends before the response has been sent. Opening a connection costs a client nearly nothing.
 */
export class Http1AbortCounter {
  private readonly open = new Map<string, Http1Connection>();

  constructor(private readonly options: Http1AbortCounterOptions) {}

  /** Watches a TCP connection, also one that carries TLS. */
  watch(socket: Socket): void {
    const { clients, now } = this.options;
    const address = socket.remoteAddress ?? '';
    if (clients.isTrustedProxy(address)) return;
    const key = toConnectionKey(socket);
    const connection: Http1Connection = { openedAt: now(), running: new Set(), aborted: 0, answered: 0 };
    this.open.set(key, connection);
    socket.once('close', () => {
      if (this.open.get(key) !== connection) return;
      this.open.delete(key);
      this.recordEnd(address, connection, socket.bytesRead);
    });
  }

  /** Forgets a connection that turned out not to use HTTP/1.1. */
  forget(ends: ConnectionEnds): void {
    this.open.delete(toConnectionKey(ends));
  }

  addRequest(ends: ConnectionEnds, response: ServerResponse): void {
    const connection = this.open.get(toConnectionKey(ends));
    if (connection === undefined) return;
    connection.running.add(response);
    response.once('close', () => {
      if (connection.running.delete(response)) recordResponse(connection, response);
    });
  }

  private recordEnd(address: string, connection: Http1Connection, bytesRead: number): void {
    // The responses of an ended connection may close later than its socket.
    for (const response of connection.running) recordResponse(connection, response);
    connection.running.clear();
    const { openedAt, aborted, answered } = connection;
    const isUnused = aborted + answered === 0;
    const count = isUnused && bytesRead > 0 ? 1 : aborted;
    if (count > 0) this.options.aborts.countAborts(address, count, this.options.now() - openedAt, answered > 0);
  }
}

function recordResponse(connection: Http1Connection, response: ServerResponse): void {
  if (response.writableFinished || isAnsweredEarly(response)) connection.answered++;
  else connection.aborted++;
}

/** The service refused the request before all of its body had arrived; its client need not send the rest. */
function isAnsweredEarly({ headersSent, req }: ServerResponse): boolean {
  return headersSent && !req.complete;
}
