import type { Request, RequestHandler, Response } from 'express';
import { BinaryResponse, ImageResponse, StreamingResponse, TaggedResponse } from './responses/api-responses.js';
import type { ClientResolver } from './connection/client-resolver.js';
import { runWhileClientWaits, withTimeout } from './limits/response-timeout.js';
import { enforceRateLimit, type RateLimiter } from './limits/rate-limiter.js';
import type { ApiPorts } from './api-call.js';
import type { Route } from './route.js';
import { findRoute, Router } from './router.js';
import { sendChunks, sendEmpty, sendStreamedJson } from './responses/send-response.js';
import {
  authorizeGridAccess,
  createStreamAuthorization,
  findAssistantInstance,
  mayAdminister,
  requireRole,
} from './steps/authorization.js';
import {
  addSessionCredentials,
  authenticateGuarded,
  type GuardedCredentialChecks,
  type SessionCredentialSettings,
} from './steps/authentication.js';
import { readInput, readPathParams, requireApiVersion } from './steps/request-input.js';
import { splitTarget } from './requests/request-headers.js';
import { Problem } from './problems/problem-details.js';

export interface ApiHandlerSettings extends GuardedCredentialChecks, SessionCredentialSettings {
  readonly clients: ClientResolver;
  readonly routes: readonly Route[];
  readonly ports: ApiPorts;
  readonly rateLimits: RateLimiter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ms after which a call is answered with 503, so that no caller waits forever for a store that hangs. */
  readonly responseTimeoutMs: number;
}

/** Serves all routes. Every rejection is thrown and turned into a problem document by the error handler. */
export function createApiHandler(settings: ApiHandlerSettings): RequestHandler {
  const router = new Router(settings.routes);
  return async (request, response) => {
    const { status, body } = await handleRequest(settings, router, request, response);
    if (body instanceof StreamingResponse) await withTimeout(settings.responseTimeoutMs, body.open(response));
    else if (body instanceof ImageResponse)
      await body.send(request, response, (image) => withTimeout(settings.responseTimeoutMs, image));
    else if (body instanceof TaggedResponse) await body.send(request, response, status);
    else if (body instanceof BinaryResponse) await sendChunks(response, status, body);
    else if (status === 204) sendEmpty(response, status);
    else await sendStreamedJson(response, status, body);
  };
}

interface ApiResult {
  readonly status: 200 | NonNullable<Route['status']>;
  readonly body: object;
}

/** The order of the steps is part of the API contract (section 4): the first step that fails determines the response. */
async function handleRequest(
  settings: ApiHandlerSettings,
  router: Router,
  request: Request,
  response: Response,
): Promise<ApiResult> {
  const { path, query } = splitTarget(request.originalUrl);
  const parameters = new URLSearchParams(query);
  const match = findRoute(router, request.method, path);
  requireApiVersion(parameters, request.rawHeaders);
  const { route } = match;
  const rawHeaders = await addSessionCredentials(route, request, response, settings);
  const caller = await authenticateGuarded(
    {
      address: settings.clients.resolve(request.socket, request.headers).address,
      connection: request.socket,
    },
    rawHeaders,
    settings,
  );
  const params = readPathParams(match);
  const nowMs = settings.now();
  const instance = await findAssistantInstance(settings.ports.usage, route, caller, params, nowMs);
  const authorized = await authorizeGridAccess(
    settings.access,
    caller,
    route.grid === 'path' ? params['gridSecondaryId'] : instance?.gridId,
    route,
  );
  await enforceRateLimit(settings.rateLimits, authorized);
  requireRole(route, authorized);
  const input = await readInput(route, request, response, parameters, nowMs);
  const call = {
    principal: authorized.principal,
    mayAdminister: mayAdminister(authorized),
    params,
    instance,
    ...input,
    authorization: createStreamAuthorization(settings, route, rawHeaders, authorized),
    nowMs,
  };
  const timeoutMs = route.slow === true ? 2 * settings.responseTimeoutMs : settings.responseTimeoutMs;
  const result = await runWhileClientWaits(response, timeoutMs, (signal) =>
    route.run(settings.ports, { ...call, signal }),
  );
  return { status: route.status ?? 200, body: presentOrNotFound(route, result) };
}

/** The response body of the result. Throws 404 if no resource has the id in the path. */
function presentOrNotFound(route: Route, result: unknown): object {
  if (result === undefined) throw new Problem('not-found', route.missing ?? 'No resource has this id.');
  const content = route.present(result);
  return route.tagged === true && route.status !== 204 ? new TaggedResponse(content) : content;
}
