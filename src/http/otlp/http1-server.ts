import http from 'node:http';
import type { Socket } from 'node:net';
import { httpRefusal } from './http-answer.js';
import type { OtlpLimits } from './limits.js';
import { refuse } from './outcome.js';

/** Node looks this often for connections whose headers or request are late. */
const CHECK_MS = 1_000;

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
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
  });
  server.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle);
  server.on('clientError', answerNonsense);
  // Node starts its check for late headers when the server listens, and sets up the list of connections with it.
  server.emit('listening');
  return server;
}

function answerNonsense(error: NodeJS.ErrnoException, socket: Socket): void {
  // A sender that is late gets no 408, at which it would drop its data, but a lost connection, at which it tries again.
  if (!socket.writable || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return void socket.destroy();
  const [status, text] = statusOf(error);
  const { body } = httpRefusal(refuse('malformed', 'this is no HTTP request that can be read'), 'json');
  const head = `HTTP/1.1 ${status} ${text}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.byteLength}\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy());
}

function statusOf(error: NodeJS.ErrnoException): [number, string] {
  if (error.code === 'HPE_HEADER_OVERFLOW') return [431, 'Request Header Fields Too Large'];
  return [400, 'Bad Request'];
}
