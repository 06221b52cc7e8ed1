import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { ClientResolver } from '../connection/client-resolver.js';
import { splitTarget } from '../requests/request-head.js';
import type { Tracer } from '../../self-telemetry/tracer.js';
import type { Route } from '../route.js';
import { Router } from '../router.js';

const REQUEST_ID_HEADER = 'X-Request-Id';

/** What may come from outside into our log and back into a header: a short token, nothing that could break a line. */
const SAFE_TOKEN = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives each request its correlation id, the caller's own where it is a safe token, and logs the outcome at debug level. */
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
      log.debug('Answered', { requestId, client, method: request.method, path, status: response.statusCode, ms });
    });
    next();
  };
}

/** The answer's own header is where the id lives: what the client sees and what the log says cannot differ. */
export function readRequestId(response: ServerResponse): string {
  return String(response.getHeader(REQUEST_ID_HEADER) ?? 'none');
}

/**
 * A span for each operation that is called, named by its id. Pages, probes and unknown paths have none; nor have answers that stay open,
 * whose length says nothing of us.
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
 * What the HTTP face needs of the service's log. Fields never hold a credential, a query string or a body;
 * values are escaped by the log, not here.
 */
export interface HttpLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
