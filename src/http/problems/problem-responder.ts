import type { ErrorRequestHandler } from 'express';
import { type HttpLog, readRequestId } from '../steps/request-tracing.js';
import { sendText } from '../responses/send-response.js';
import { splitTarget } from '../requests/request-head.js';
import { Problem, toProblem, toProblemDocument } from './problem-details.js';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_TYPES, type ProblemSlug } from './problem-catalogue.js';

/** The one place that turns errors into answers. What is the service's own fault is logged here, with its cause. */
export function createErrorHandler(publicUrl: string, log: HttpLog, now: () => number = Date.now): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const requestId = readRequestId(response);
    const problem = toProblem(error, requestId, now());
    const { path } = splitTarget(request.originalUrl);
    if (problem.status >= 500) {
      log.error('A request failed', {
        requestId,
        method: request.method,
        path,
        problem: problem.slug,
        error: problem.cause ?? problem,
      });
    }
    if (response.headersSent) {
      // Half an answer is on the wire: cutting the connection is the only way left to say that it is not whole.
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
 * Answers what Node could not read as a request, so before there is one: written to the socket, which is then closed.
 * Nothing of what was sent is repeated.
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

/** What comes before TLS is agreed upon, such as plain HTTP on a port of TLS, has no channel on which to answer. */
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
