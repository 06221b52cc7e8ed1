import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Peer } from '../clients.js';
import type { Exchange } from './exchange.js';
import type { HttpAnswer } from './http-answer.js';

/** OTLP/HTTP on a stream of HTTP/2. */
export class Http2Exchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly peer: Peer;

  constructor(
    private readonly stream: ServerHttp2Stream,
    readonly headers: IncomingHttpHeaders,
  ) {
    this.method = headers[':method'] ?? '';
    this.path = headers[':path'] ?? '';
    this.peer = peerOf(stream);
  }

  takeBody(): Readable {
    if (this.headers.expect !== undefined && !this.stream.destroyed) this.stream.additionalHeaders({ ':status': 100 });
    return this.stream;
  }

  answer({ status, headers, body }: HttpAnswer): void {
    if (this.stream.destroyed) return;
    this.stream.respond({ ...headers, ':status': status, ...(status !== 204 && { 'content-length': body.byteLength }) });
    closeAfterAnswer(this.stream);
    this.stream.end(body);
  }

  abandon(): void {
    this.stream.close(constants.NGHTTP2_CANCEL);
  }
}

/** A stream whose session is gone has no address any more. */
export function peerOf(stream: ServerHttp2Stream): Peer {
  return stream.session?.socket ?? { remoteAddress: undefined };
}

/** An answer given before the whole request was read ends the stream without blame: RFC 9113, section 8.1. */
export function closeAfterAnswer(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
  stream.resume();
}
