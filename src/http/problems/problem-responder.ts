import type { ErrorRequestHandler } from 'express';
import { type HttpLog, readRequestId } from '../steps/request-tracing.js';
import { sendText } from '../responses/send-response.js';
import { splitTarget } from '../requests/request-headers.js';
import { Problem, toProblem, toProblemDocument } from './problem-details.js';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_TYPES, type ProblemSlug } from './problem-catalogue.js';

/** Sends errors as problem documents. Logs those with status 5xx, with their cause. */
export function createErrorHandler(publicUrl: string, log: HttpLog, now: () => number = Date.now): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const requestId = readRequestId(response);
    const problem = toProblem(error, requestId, now());
    const { path } = splitTarget(request.originalUrl);
    if (problem.status >= 500) {
      log.error('Request failed', {
        requestId,
        method: request.method,
        path,
        problem: problem.slug,
        error: problem.cause ?? problem,
      });
    }
    if (response.headersSent) {
      // Part of the response has been sent: closing the connection is the only way to signal that it is incomplete.
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
    sendText(
      response,
      problem.status,
      'application/problem+json',
      JSON.stringify(toProblemDocument(problem, publicUrl, path)),
    );
  };
}

/**
 * Responds to data that Node could not parse as a request: writes a problem document to the socket and closes it. The
 * response does not repeat any of the received data.
 */
export function createClientErrorHandler(publicUrl: string): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    if (!socket.writable || isConnectionReset(error) || isHandshakeError(error)) {
      socket.destroy();
      return;
    }
    socket.end(formatRawResponse(toProblemSlug(error), publicUrl));
  };
}

function isConnectionReset(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

/** Failed TLS handshakes, such as plain HTTP on a TLS port. No response can be sent. */
function isHandshakeError(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /^ERR_(SSL|TLS)_/.test(error.code);
}

function toProblemSlug(error: Error): ProblemSlug {
  if (!('code' in error)) return 'malformed-http';
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'malformed-http';
}

function formatRawResponse(slug: ProblemSlug, publicUrl: string): string {
  const { status, explanation } = PROBLEM_TYPES[slug];
  const body = JSON.stringify(toProblemDocument(new Problem(slug, explanation), publicUrl));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
