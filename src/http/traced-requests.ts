import type { RequestHandler } from 'express';
import type { Tracer } from '../tracing/tracer.js';
import type { Route } from './route.js';
import { Router } from './router.js';
import { splitTarget } from './target.js';

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
    response.once('close', () => span.end({ 'http.response.status_code': response.statusCode }, response.statusCode >= 500));
    span.around(() => next());
  };
}
