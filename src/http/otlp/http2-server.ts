import http2 from 'node:http2';
import type { OtlpLimits } from './limits.js';

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
export class Sessions {
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
