import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { PortalSessions } from '../auth/portal/portal-sessions.js';
import { ClientResolver } from './connection/client-resolver.js';
import { correlateRequests, type HttpLog, traceOperations } from './steps/request-tracing.js';
import { CredentialGuard } from './limits/credential-guard.js';
import { createApiHandler } from './api-handler.js';
import { createMcpHandler } from './mcp/mcp-endpoint.js';
import { createDocumentationPages } from './openapi/documentation-pages.js';
import { createErrorHandler } from './problems/problem-responder.js';
import type { PortalFiles } from './portal/portal-files.js';
import { createPortalRouter } from './portal/portal-router.js';
import { SignInRefusalLog, type SignInMeters } from './portal/sign-in-refusals.js';
import { Problem } from './problems/problem-details.js';
import { RateLimiter, type RateLimitSettings } from './limits/rate-limiter.js';
import type { ApiPorts, Route } from './route.js';
import { ROUTES } from './routes.js';
import { createApiHeaders, createPageHeaders, createTransportSecurityHeaders } from './responses/security-headers.js';
import { createMetricsPage, createServicePages, type ServicePageSettings } from './api/service-pages.js';
import type { CredentialChecks } from './steps/authentication.js';
import type { Tracer } from '../self-telemetry/tracer.js';
import { toOriginForm } from './requests/request-head.js';

/** An Express handler, in the types of Node. */
export type NodeRequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export interface AppOptions extends CredentialChecks, ServicePageSettings {
  /** Base of problem types; never taken from a request. */
  readonly publicUrl: string;
  readonly ports: ApiPorts;
  readonly rateLimits: RateLimitSettings;
  /** Who is not believed for a while; shared with ingestion. Absent: all are looked at. */
  readonly guard?: CredentialGuard;
  /** Which proxies are trusted; none unless said otherwise. */
  readonly clients?: ClientResolver;
  readonly log: HttpLog;
  /** Base of OTLP over HTTP, for the document of the API. Absent: this process takes none. */
  readonly otlpUrl?: string;
  /** The development identity provider: mounted under `/auth`, with its own content policy. */
  readonly identityProvider?: NodeRequestHandler;
  /** Browsers that are signed in to the portal. Absent: nobody can sign in. */
  readonly sessions?: PortalSessions | undefined;
  /** Told of each who could not be signed in to it. */
  readonly signInMeters?: SignInMeters | undefined;
  /** The built portal. Absent: it was not built. */
  readonly portal?: PortalFiles | undefined;
  /** The table of operations; another one in tests of the steps. */
  readonly routes?: readonly Route[];
  /** Told of each call of an operation. */
  readonly tracer?: Tracer | undefined;
  /** 30 s unless said otherwise. */
  readonly answerTimeoutMs?: number;
  /** Milliseconds since 1970; the clock of this machine unless said otherwise. */
  readonly now?: () => number;
}

/** The API and the pages of the service. Every answer that is not a success is a problem document, also for unknown paths. */
export function createApp(options: AppOptions): RequestListener {
  const {
    routes = ROUTES,
    answerTimeoutMs = 30_000,
    now = Date.now,
    clients = new ClientResolver(),
    guard = new CredentialGuard({ failuresPerMinute: 0 }),
  } = options;
  const app = createBaseApp(options.log, clients);
  if (options.identityProvider !== undefined) app.use('/auth', createPageHeaders(), options.identityProvider);
  const refusals = new SignInRefusalLog(options.log, options.signInMeters);
  app.use(
    '/portal',
    createPortalRouter({
      ...options,
      clients,
      refusals,
      files: options.portal,
      administration: options.ports.administration,
    }),
  );
  app.use(
    createApiHeaders(),
    createServicePages(options),
    createDocumentationPages({ ...options, routes, hasMetrics: options.metrics !== undefined }),
  );
  const settings = {
    ...options,
    routes,
    answerTimeoutMs,
    now,
    clients,
    guard,
    rateLimits: new RateLimiter(options.rateLimits),
  };
  if (options.tracer !== undefined) app.use(traceOperations(routes, options.tracer));
  app.use(createMcpHandler(settings), createApiHandler(settings));
  return toRequestListener(app, options);
}

/** The pages of a process that does not answer the API. */
export function createPagesApp(options: ServicePageSettings & Pick<AppOptions, 'log' | 'clients'>): RequestListener {
  const app = createBaseApp(options.log, options.clients ?? new ClientResolver());
  app.use(createApiHeaders(), createServicePages(options), () => {
    throw new Problem('not-found', 'This process does not answer the API: `api` is not among its ROLES.');
  });
  return toRequestListener(app, options);
}

/** Nothing but `/metrics`, for operators who keep it on a port of its own. */
export function createMetricsApp(
  options: Pick<AppOptions, 'publicUrl' | 'log' | 'clients'> & { readonly metrics: () => Promise<string> },
): RequestListener {
  const app = createBaseApp(options.log, options.clients ?? new ClientResolver());
  app.use(createApiHeaders(), createMetricsPage(options.metrics), () => {
    throw new Problem('not-found', 'There is no such path.');
  });
  return toRequestListener(app, options);
}

function createBaseApp(log: HttpLog, clients: ClientResolver): Express {
  const app = express();
  // Whatever escapes every handler here must not show a stack.
  app.set('env', 'production');
  app.set('trust proxy', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use(correlateRequests(log, clients), createTransportSecurityHeaders(clients));
  return app;
}

function toRequestListener(
  app: Express,
  { publicUrl, log, now }: Pick<AppOptions, 'publicUrl' | 'log' | 'now'>,
): RequestListener {
  app.use(createErrorHandler(publicUrl, log, now));
  return (request, response) => {
    request.url = toOriginForm(request.url ?? '/');
    app(request, response);
  };
}
