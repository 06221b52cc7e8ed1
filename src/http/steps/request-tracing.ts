import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { ClientResolver } from '../connection/client-resolver.js';
import { splitTarget } from '../requests/request-headers.js';
import type { Tracer } from '../../self-telemetry/tracer.js';
import type { Route } from '../route.js';
import { Router } from '../router.js';

const REQUEST_ID_HEADER = 'X-Request-Id';

/** Client-supplied request ids that are safe to log and to return: short tokens that cannot contain line breaks. */
const SAFE_TOKEN = /^[A-Za-z0-9._-]{1,64}$/;

/** Assigns each request a correlation id (that of the caller if it is a safe token) and logs the outcome at debug level. */
export function correlateRequests(
  log: HttpLog,
  clients: ClientResolver,
  newId: () => string = randomUUID,
): RequestHandler {
  return (request, response, next) => {
    const offered = request.headers['x-request-id'];
    const requestId = typeof offered === 'string' && SAFE_TOKEN.test(offered) ? offered : newId();
    const startedAt = performance.now();
    const { path } = splitTarget(request.originalUrl);
    const client = clients.resolve(request.socket, request.headers).address;
    response.setHeader(REQUEST_ID_HEADER, requestId);
    response.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      log.debug('Request completed', {
        requestId,
        client,
        method: request.method,
        path,
        status: response.statusCode,
        ms,
      });
    });
    next();
  };
}

/** Reads the correlation id from the response header, so that the client and the log always see the same id. */
export function readRequestId(response: ServerResponse): string {
  return String(response.getHeader(REQUEST_ID_HEADER) ?? 'none');
}

/**
 * Records a span for each called operation, named by its operation id. Pages, probes, unknown paths and event streams are
 * not traced; the duration of a stream depends on the client only.
 */
export function traceOperations(routes: readonly Route[], tracer: Tracer): RequestHandler {
  const router = new Router(routes.filter(({ path }) => !path.endsWith('/stream')));
  return (request, response, next) => {
    const match = router.match(request.method, splitTarget(request.originalUrl).path);
    if (match.kind !== 'found') return next();
    const { operationId, path } = match.route;
    const span = tracer.start(operationId, 'server', { 'http.request.method': request.method, 'http.route': path });
    response.once('close', () =>
      span.end({ 'http.response.status_code': response.statusCode }, response.statusCode >= 500),
    );
    span.runWithin(() => next());
  };
}

/**
 * The logger of the HTTP layer. Fields MUST NOT contain credentials, query strings or bodies; the logger escapes values.
 */
export interface HttpLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
