import http2, { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Peer } from '../connection/client-resolver.js';
import type { HttpExchange, OtlpHttpResponse } from './http-exchange.js';
import type { OtlpLimits } from './otlp-limits.js';

/** OTLP/HTTP over an HTTP/2 stream. */
export class Http2Exchange implements HttpExchange {
  readonly method: string;
  readonly path: string;
  readonly peer: Peer;

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
  ) {
    this.method = headers[':method'] ?? '';
    this.path = headers[':path'] ?? '';
    this.peer = resolvePeer(stream);
  }

  takeBody(): Readable {
    if (this.headers.expect !== undefined && !this.stream.destroyed) this.stream.additionalHeaders({ ':status': 100 });
    return this.stream;
  }

  respond({ status, headers, body }: OtlpHttpResponse): void {
    if (this.stream.destroyed) return;
    this.stream.respond({
      ...headers,
      ':status': status,
      ...(status !== 204 && { 'content-length': body.byteLength }),
    });
    closeAfterResponse(this.stream);
    this.stream.end(body);
  }

  abort(): void {
    this.stream.close(constants.NGHTTP2_CANCEL);
  }
}

/** The remote end of the connection; without an address if the session is closed. */
export function resolvePeer(stream: ServerHttp2Stream): Peer {
  return stream.session?.socket ?? { remoteAddress: undefined };
}

/** Ends a stream whose request was not read completely with NO_ERROR after the response (RFC 9113, section 8.1). */
export function closeAfterResponse(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
  stream.resume();
}

const KIB = 1024;

/** Flow-control windows per stream and per connection. They limit the unread data in memory. */
const STREAM_WINDOW = 256 * KIB;

const CONNECTION_WINDOW = 512 * KIB;

/** Larger than the default of 16 KiB, which reduces the overhead per byte. */
const FRAME_BYTES = 64 * KIB;

export type Http2Handler = (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void;

/** The HTTP/2 server. It does not listen itself: sockets are passed by `emit('connection')`, streams come from their sessions. */
export function createHttp2Server(limits: OtlpLimits): http2.Http2Server {
  const server = http2.createServer({
    maxSessionMemory: 10,
    maxHeaderListPairs: 64,
    maxSettings: 32,
    maxOutstandingPings: 10,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    settings: {
      maxConcurrentStreams: limits.streamsPerConnection,
      maxHeaderListSize: limits.headerBytes,
      initialWindowSize: STREAM_WINDOW,
      maxFrameSize: FRAME_BYTES,
    },
  });
  server.on('session', (session) => {
    session.setLocalWindowSize(CONNECTION_WINDOW);
    session.setTimeout(limits.keepAliveMs, () => session.close());
  });
  return server;
}

/** Tracks the open sessions of a server. */
export class Http2Sessions {
  private readonly open = new Set<http2.ServerHttp2Session>();

  constructor(server: http2.Http2Server) {
    server.on('session', (session) => {
      this.open.add(session);
      session.once('close', () => this.open.delete(session));
    });
  }

  /** Sends GOAWAY on all sessions: each closes when its requests in flight are done. */
  closeAll(): void {
    for (const session of this.open) session.close();
  }
}

/**
 * Resets a stream whose request does not arrive completely in time. Node has `requestTimeout` for HTTP/1.1 only; without a
 * deadline, a very slow HTTP/2 sender could occupy its stream forever. The time after the last byte of the request does not
 * count. The connection and its other streams stay open.
 */
export function setRequestDeadline(stream: ServerHttp2Stream, ms: number): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ms);
  const done = (): void => clearTimeout(timer);
  stream.once('end', done).once('close', done);
}
