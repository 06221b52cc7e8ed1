import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { ClosedConnectionLog } from '../connection/closed-connection-log.js';
import type { ClientResolver } from '../connection/client-resolver.js';
import { type AbortLimiter, ConnectionAborts } from '../limits/abort-limiter.js';
import type { ClosureReason } from '../../self-telemetry/prometheus-metrics.js';
import { findHttp2Flood } from './http2-first-bytes.js';
import type { Http2Handler } from './http2-transport.js';
import type { OtlpLimits } from './otlp-limits.js';

const KIB = 1024;

/**
 * Bytes that a connection may send besides bodies and answered requests (control frames, padding): at once, and per
 * second.
 */
const OVERHEAD_BURST = 2048 * KIB;
const OVERHEAD_PER_SECOND = 64 * KIB;
/** Bytes of an answered request that are not its body: headers, and the rest of a refused body that was under way. */
const OVERHEAD_PER_ANSWER = 512 * KIB;
/** Unused credit that a connection may keep. */
const MAX_CREDIT = 8192 * KIB;

/** Interval (ms) in which connections without an accepted export are checked: they can occupy the thread for as long. */
const UNPROVEN_CHECK_MS = 25;

export interface Http2FloodGuardOptions {
  readonly limits: Pick<OtlpLimits, 'http2CheckMs' | 'http2SilenceMs' | 'responseMs'>;
  readonly aborts: AbortLimiter;
  readonly clients: ClientResolver;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly closures: Pick<ClosedConnectionLog, 'record'>;
}

/**
 * Closes HTTP/2 connections whose clients cause work without sending requests that can be answered: rapid resets,
 * floods of control frames and padding, responses that are never read, and connections that ended by GOAWAY but stay
 * open. Node and nghttp2 limit CONTINUATION, SETTINGS and empty DATA frames themselves, but do not always close the
 * connection.
 */
export class Http2FloodGuard {
  private readonly watched = new Set<WatchedConnection>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: Http2FloodGuardOptions) {}

  /**
   * Destroys a new connection and returns false if the first bytes, which are in the buffer of the socket, are a flood.
   */
  admitConnection(socket: Socket): boolean {
    const firstBytes = socket.read() as Buffer | null;
    const reason = firstBytes === null ? undefined : findHttp2Flood(firstBytes);
    if (reason === undefined) {
      if (firstBytes !== null) socket.unshift(firstBytes);
      return true;
    }
    this.recordFlood(reason, socket.remoteAddress ?? '');
    socket.destroy();
    return false;
  }

  /**
   * Watches a new connection. `socket` carries the session; over TLS it is the TLS socket.
   * @param hadTurn whether it waited for its turn, because its address was flooding the service
   */
  watch(session: ServerHttp2Session, socket: Socket, hadTurn: boolean, serve: Http2Handler): void {
    const connection = new WatchedConnection(session, socket, hadTurn, this.options.now());
    this.watched.add(connection);
    const { http2CheckMs } = this.options.limits;
    this.timer ??= setInterval(() => this.checkAll(), Math.min(UNPROVEN_CHECK_MS, http2CheckMs)).unref();
    session.once('close', () => this.forget(connection));
    session.on('stream', (stream, headers) => {
      // A session that is destroyed also emits `error` on its streams. Without a listener it would terminate the process.
      stream.on('error', () => undefined);
      if (!connection.closing && this.admit(connection, stream, headers)) serve(stream, headers);
    });
  }

  /**
   * Registers a new stream. Returns false if it must not be served: it was reset already, or its client, behind a
   * trusted proxy, has aborted too many requests.
   */
  private admit(connection: WatchedConnection, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): boolean {
    const { aborts, clients } = this.options;
    const proxied = clients.isTrustedProxy(connection.address);
    const client = proxied ? clients.resolve(connection.socket, headers).address : connection.address;
    if (proxied && aborts.isFlooding(client)) {
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return false;
    }
    connection.addStream(stream, this.options.now());
    stream.once('close', () => this.onStreamClosed(connection, stream, client, proxied));
    return !stream.destroyed;
  }

  private onStreamClosed(
    connection: WatchedConnection,
    stream: ServerHttp2Stream,
    client: string,
    proxied: boolean,
  ): void {
    const { aborts, now } = this.options;
    const { answered, openedAt } = connection.removeStream(stream);
    // What ends because this guard closes the connection is not the client's doing.
    if (answered || connection.closing) return;
    const { lost } = connection;
    if (!aborts.recordAbort(client, connection.abortsOf(client), now() - openedAt, lost)) return;
    if (proxied) aborts.block(client);
    else this.close(connection, 'aborted-requests');
  }

  private checkAll(): void {
    const { http2CheckMs, responseMs, http2SilenceMs } = this.options.limits;
    const nowMs = this.options.now();
    for (const connection of this.watched) {
      if (connection.closing || (connection.proven && nowMs - connection.checkedAt < http2CheckMs)) continue;
      connection.endUnreadResponses(nowMs, responseMs);
      const reason = connection.findFault(nowMs, http2SilenceMs);
      if (reason !== undefined) this.close(connection, reason);
    }
  }

  private close(connection: WatchedConnection, reason: ClosureReason): void {
    connection.closing = true;
    this.recordFlood(reason, connection.address);
    // Not at once: Node crashes when a session is destroyed while it handles received frames.
    setImmediate(() => connection.destroy());
  }

  private recordFlood(reason: ClosureReason, address: string): void {
    this.options.closures.record(reason, address);
    if (reason === 'unresponsive' || this.options.clients.isTrustedProxy(address)) return;
    this.options.aborts.recordClosure(address);
    this.closeUnproven(address);
  }

  /**
   * Closes the connections of a flooding address that have had no request accepted yet. At once, because what has
   * arrived on them would be handled before anything else: a hundred requests each. Those that began in their turn are
   * spared, because a client with a valid key is among them, and they are few.
   */
  private closeUnproven(address: string): void {
    for (const connection of this.watched) {
      if (connection.closing || connection.proven || connection.hadTurn || connection.address !== address) continue;
      connection.closing = true;
      this.options.closures.record('blocked', address);
      connection.destroy();
    }
  }

  private forget(connection: WatchedConnection): void {
    this.watched.delete(connection);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Maximum number of clients of a proxy whose aborted requests are counted for one connection. */
const MAX_CLIENTS = 1_000;

interface StreamTimes {
  readonly openedAt: number;
  /** When a check first found it answered. */
  answeredAt?: number;
}

class WatchedConnection {
  readonly address: string;
  /** It is about to be destroyed. */
  closing = false;
  /** An export was accepted. */
  proven = false;
  private readonly streams = new Map<ServerHttp2Stream, StreamTimes>();
  /** By client address; one entry unless the connection comes from a proxy. */
  private readonly aborts = new Map<string, ConnectionAborts>();
  /** Bytes that may still arrive without being part of a request. */
  private credit = OVERHEAD_BURST;
  private bytesRead = 0;
  checkedAt: number;
  private heardAt: number;
  private pingedAt: number | undefined;
  private endedAt: number | undefined;

  constructor(
    readonly session: ServerHttp2Session,
    readonly socket: Socket,
    readonly hadTurn: boolean,
    nowMs: number,
  ) {
    this.address = socket.remoteAddress ?? '';
    this.checkedAt = this.heardAt = nowMs;
  }

  addStream(stream: ServerHttp2Stream, openedAt: number): void {
    this.streams.set(stream, { openedAt });
    // A `data` listener would make the body flow before somebody reads it.
    stream.once('resume', () => stream.on('data', (chunk: Uint8Array) => (this.credit += chunk.byteLength)));
  }

  /** Returns whether the client took a complete response, and when the stream was opened. */
  removeStream(stream: ServerHttp2Stream): { readonly answered: boolean; readonly openedAt: number } {
    const openedAt = this.streams.get(stream)?.openedAt ?? 0;
    this.streams.delete(stream);
    const answered = stream.headersSent && stream.writableFinished;
    if (answered) this.credit += OVERHEAD_PER_ANSWER;
    this.proven ||= answered && isAccepted(stream.sentHeaders);
    return { answered, openedAt };
  }

  /** It has ended or broken; its streams end with it. */
  get lost(): boolean {
    return this.session.destroyed || this.socket.destroyed;
  }

  destroy(): void {
    this.session.destroy();
    // The session alone would wait until the client has read what it was sent.
    this.socket.destroy();
  }

  abortsOf(client: string): ConnectionAborts {
    let aborts = this.aborts.get(client);
    if (aborts !== undefined) return aborts;
    if (this.aborts.size >= MAX_CLIENTS) this.aborts.clear();
    this.aborts.set(client, (aborts = new ConnectionAborts()));
    return aborts;
  }

  /** Resets streams whose clients do not take the response, such as with a flow-control window of 0. */
  endUnreadResponses(nowMs: number, maxMs: number): void {
    for (const [stream, times] of this.streams)
      if (stream.headersSent && nowMs - (times.answeredAt ??= nowMs) >= maxMs) stream.close(constants.NGHTTP2_CANCEL);
  }

  /** Charges the bytes that have arrived since the last check to the credit; returns why the connection must be closed, if so. */
  findFault(nowMs: number, silenceMs: number): ClosureReason | undefined {
    const arrived = this.socket.bytesRead - this.bytesRead;
    this.bytesRead += arrived;
    this.credit -= arrived;
    if (this.credit < 0) return 'control-frames';
    const earned = ((nowMs - this.checkedAt) / 1000) * OVERHEAD_PER_SECOND;
    this.credit = Math.min(this.credit + earned, MAX_CREDIT);
    this.checkedAt = nowMs;
    return this.isUnresponsive(nowMs, arrived > 0, silenceMs) ? 'unresponsive' : undefined;
  }

  /**
   * Whether the client still does not close the connection some time after its session ended, or answers no ping while
   * it has open streams. After some protocol errors nghttp2 sends GOAWAY and neither reads nor writes any more.
   */
  private isUnresponsive(nowMs: number, hasReceived: boolean, silenceMs: number): boolean {
    if (this.session.destroyed) return nowMs - (this.endedAt ??= nowMs) >= silenceMs;
    if (hasReceived || this.streams.size === 0) {
      this.heardAt = nowMs;
      this.pingedAt = undefined;
    } else if (this.pingedAt !== undefined) {
      return nowMs - this.pingedAt >= silenceMs;
    } else if (nowMs - this.heardAt >= silenceMs) {
      this.pingedAt = nowMs;
      this.session.ping(ignorePong);
    }
    return false;
  }
}

/** The acknowledgement is noticed by the bytes that it takes. */
function ignorePong(): void {}

/** Errors of gRPC have the status 200, and their code in the headers. */
function isAccepted(headers: OutgoingHttpHeaders): boolean {
  return headers[':status'] === 200 && headers['grpc-status'] === undefined;
}
