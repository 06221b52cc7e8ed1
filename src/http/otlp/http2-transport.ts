import http2, { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Peer } from '../connection/client-resolver.js';
import type { HttpExchange, OtlpHttpResponse } from './http-exchange.js';
import type { OtlpLimits } from './otlp-limits.js';

/** OTLP/HTTP on a stream of HTTP/2. */
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

/** A stream whose session is gone has no address any more. */
export function resolvePeer(stream: ServerHttp2Stream): Peer {
  return stream.session?.socket ?? { remoteAddress: undefined };
}

/** An answer given before the whole request was read ends the stream without blame: RFC 9113, section 8.1. */
export function closeAfterResponse(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
  stream.resume();
}

const KIB = 1024;

/** What a peer may send before we have read it: per request, and per connection. Bounds what a paused reader holds. */
const STREAM_WINDOW = 256 * KIB;

const CONNECTION_WINDOW = 512 * KIB;

/** Larger frames than the 16 KiB of the default save work per byte. */
const FRAME_BYTES = 64 * KIB;

export type Http2Handler = (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void;

/** The HTTP/2 half: sockets come in through `emit('connection')`, it never listens itself. */
export function createHttp2Server(limits: OtlpLimits, handle: Http2Handler): http2.Http2Server {
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
  server.on('stream', handle);
  server.on('session', (session) => {
    session.setLocalWindowSize(CONNECTION_WINDOW);
    session.setTimeout(limits.keepAliveMs, () => session.close());
  });
  return server;
}

/** Follows the sessions of a server, to tell all peers of its end. */
export class Http2Sessions {
  private readonly open = new Set<http2.ServerHttp2Session>();

  constructor(server: http2.Http2Server) {
    server.on('session', (session) => {
      this.open.add(session);
      session.once('close', () => this.open.delete(session));
    });
  }

  /** Tells all peers to open no more requests (GOAWAY); a connection ends with the last of those in flight. */
  closeAll(): void {
    for (const session of this.open) session.close();
  }
}

/**
 * Resets a stream whose request has not come to its end in time. Node does this for HTTP/1.1 (`requestTimeout`) and not
 * for HTTP/2, where a sender that brings a byte now and then would keep its place for ever. What comes after the request,
 * such as waiting for the store, has no part in it. The connection and its other streams live on.
 */
export function setRequestDeadline(stream: ServerHttp2Stream, ms: number): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ms);
  const done = (): void => clearTimeout(timer);
  stream.once('end', done).once('close', done);
}
