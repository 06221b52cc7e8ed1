import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Peer } from '../connection/client-resolver.js';
import { type HttpExchange, type OtlpHttpResponse, toHttpErrorResponse } from './http-exchange.js';
import type { Socket } from 'node:net';
import type { OtlpLimits } from './otlp-limits.js';
import { createRefusal } from './export-outcome.js';

/** An unread rest of the body up to this size is read and discarded, so that the connection can be reused. */
const MAX_DRAINED_BYTES = 64 * 1024;

/** OTLP/HTTP over HTTP/1.1. */
export class Http1Exchange implements HttpExchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly peer: Peer;

  /**
   * @param lingerMs how long a sender may continue to send a body that is discarded
   * @param isClosing whether connections should be closed after the response
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

  respond(response: OtlpHttpResponse): void {
    const isCutOff = !this.request.complete && !this.isRestSmall();
    this.writeHead(response, isCutOff || this.isClosing());
    if (isCutOff) this.endLingering(response.body);
    else this.end(response.body);
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
   * If the connection were closed at once, a sender that is still writing would see a reset instead of the response. Therefore
   * the response is sent completely, and incoming data is discarded for a while before the connection is closed.
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

/** Interval in which Node checks for connections with late headers or requests. */
const TIMEOUT_CHECK_MS = 1_000;

export type Http1Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/**
 * The HTTP/1.1 server. It does not listen itself: sockets are passed by `emit('connection')`. Header size and timeouts are
 * enforced by Node; responses to malformed HTTP are a google.rpc.Status as well.
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
  // Node starts its timeout checks and its connection list when the server listens, so emit the event.
  server.emit('listening');
  return server;
}

function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  // Closing the connection makes a late sender retry; after a 408 it would drop its data.
  if (!socket.writable || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return void socket.destroy();
  const [status, text] = toStatusLine(error);
  const { body } = toHttpErrorResponse(
    createRefusal('malformed', 'the received data is not a valid HTTP request'),
    'json',
  );
  const head = `HTTP/1.1 ${status} ${text}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.byteLength}\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy());
}

function toStatusLine(error: NodeJS.ErrnoException): [number, string] {
  if (error.code === 'HPE_HEADER_OVERFLOW') return [431, 'Request Header Fields Too Large'];
  return [400, 'Bad Request'];
}
