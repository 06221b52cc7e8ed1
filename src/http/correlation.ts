import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Clients } from './clients.js';
import type { ServiceLog } from './service-log.js';
import { splitTarget } from './target.js';

const HEADER = 'X-Request-Id';

/** What may come from outside into our log and back into a header: a short token, nothing that could break a line. */
const SAFE_TOKEN = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives each request its correlation id, the caller's own where it is a safe token, and logs the outcome at debug level. */
export function correlate(log: ServiceLog, clients: Clients, newId: () => string = randomUUID): RequestHandler {
  return (request, response, next) => {
    const offered = request.headers['x-request-id'];
    const requestId = typeof offered === 'string' && SAFE_TOKEN.test(offered) ? offered : newId();
    const startedAt = performance.now();
    const { path } = splitTarget(request.originalUrl);
    const client = clients.of(request.socket, request.headers).address;
    response.setHeader(HEADER, requestId);
    response.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      log.debug('Answered', { requestId, client, method: request.method, path, status: response.statusCode, ms });
    });
    next();
  };
}

/** The answer's own header is where the id lives: what the client sees and what the log says cannot differ. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader(HEADER) ?? 'none');
}
