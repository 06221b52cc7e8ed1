import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_TYPES, type ProblemSlug } from './problems/catalogue.js';
import { Problem, problemDocument } from './problems/problem.js';

/**
 * Answers what Node could not read as a request, so before there is one: written to the socket, which is then closed.
 * Nothing of what was sent is repeated.
 */
export function answerBrokenHttp(publicUrl: string): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    if (!socket.writable || isReset(error) || isHandshake(error)) {
      socket.destroy();
      return;
    }
    socket.end(asResponse(slugOf(error), publicUrl));
  };
}

function isReset(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

/** What comes before TLS is agreed upon, such as plain HTTP on a port of TLS, has no channel on which to answer. */
function isHandshake(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && /^ERR_(SSL|TLS)_/.test(error.code);
}

function slugOf(error: Error): ProblemSlug {
  if (!('code' in error)) return 'malformed-http';
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'malformed-http';
}

function asResponse(slug: ProblemSlug, publicUrl: string): string {
  const { status, explanation } = PROBLEM_TYPES[slug];
  const body = JSON.stringify(problemDocument(new Problem(slug, explanation), publicUrl));
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
