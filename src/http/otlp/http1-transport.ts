import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Peer } from '../connection/client-resolver.js';
import { type HttpExchange, type OtlpHttpResponse, toHttpErrorResponse } from './http-exchange.js';
import type { Socket } from 'node:net';
import type { OtlpLimits } from './otlp-limits.js';
import { createRefusal } from './export-outcome.js';

/** A rest of this size is read and dropped, so that the connection lives on. */
const MAX_DRAINED_BYTES = 64 * 1024;

export class Http1Exchange implements HttpExchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly peer: Peer;

  /**
   * @param lingerMs how long a sender may go on with a body that nobody reads any more
   * @param isClosing whether connections are to end after their answer
   */
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly lingerMs: number,
    private readonly isClosing: () => boolean,
  ) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.headers = request.headers;
    this.peer = request.socket;
  }

  takeBody(): Readable {
    if (this.headers.expect !== undefined) this.response.writeContinue();
    return this.request;
  }

  respond(answer: OtlpHttpResponse): void {
    const cutOff = !this.request.complete && !this.isRestSmall();
    this.writeHead(answer, cutOff || this.isClosing());
    if (cutOff) this.endLingering(answer.body);
    else this.end(answer.body);
  }

  abort(): void {
    this.request.socket.destroy();
  }

  private writeHead({ status, headers, body }: OtlpHttpResponse, close: boolean): void {
    this.response.writeHead(status, {
      ...headers,
      ...(status !== 204 && { 'content-length': body.byteLength }),
      ...(close && { connection: 'close' }),
    });
  }

  private end(body: Uint8Array): void {
    this.request.resume();
    this.response.end(body);
  }

  /**
   * A sender that is still writing sees a reset, not its answer, if the connection is closed at once. So the answer
   * goes out complete, what still comes is dropped for a moment, and only then the connection ends.
   */
  private endLingering(body: Uint8Array): void {
    const timer = setTimeout(() => this.request.socket.destroy(), this.lingerMs);
    this.request.once('close', () => clearTimeout(timer));
    this.request.once('end', () => this.response.end());
    this.response.write(body);
    this.request.resume();
  }

  private isRestSmall(): boolean {
    if (this.headers.expect !== undefined) return false;
    return Number(this.headers['content-length'] ?? Infinity) <= MAX_DRAINED_BYTES;
  }
}

/** Node looks this often for connections whose headers or request are late. */
const TIMEOUT_CHECK_MS = 1_000;

export type Http1Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/**
 * The HTTP/1.1 half: sockets come in through `emit('connection')`, it never listens itself.
 * `maxHeaderSize` and the timeouts are Node's own; the answers to what is no HTTP are a google.rpc.Status too.
 */
export function createHttp1Server(limits: OtlpLimits, handle: Http1Handler): http.Server {
  const server = http.createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headersMs),
  });
  server.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle);
  server.on('clientError', answerMalformedHttp);
  // Node starts its check for late headers when the server listens, and sets up the list of connections with it.
  server.emit('listening');
  return server;
}

function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  // A sender that is late gets no 408, at which it would drop its data, but a lost connection, at which it tries again.
  if (!socket.writable || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return void socket.destroy();
  const [status, text] = toStatusLine(error);
  const { body } = toHttpErrorResponse(createRefusal('malformed', 'this is no HTTP request that can be read'), 'json');
  const head = `HTTP/1.1 ${status} ${text}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.byteLength}\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy());
}

function toStatusLine(error: NodeJS.ErrnoException): [number, string] {
  if (error.code === 'HPE_HEADER_OVERFLOW') return [431, 'Request Header Fields Too Large'];
  return [400, 'Bad Request'];
}
