import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { LinkAcknowledgements } from '../commands/notifications/link-acknowledgement.js';
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
import type { ApiPorts } from './api-call.js';
import type { Route } from './route.js';
import { ROUTES } from './routes.js';
import { createApiHeaders, createPageHeaders, createTransportSecurityHeaders } from './responses/send-response.js';
import { createMetricsPage, createServicePages, type ServicePageSettings } from './api/operational-pages.js';
import type { CredentialChecks } from './steps/authentication.js';
import type { Tracer } from '../self-telemetry/tracer.js';
import { toOriginForm } from './requests/request-headers.js';

/** An Express handler with the request and response types of Node. */
export type NodeRequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export interface AppOptions extends CredentialChecks, ServicePageSettings {
  /** Base URL of problem types; never derived from a request. */
  readonly publicUrl: string;
  readonly ports: ApiPorts;
  readonly rateLimits: RateLimitSettings;
  /** Limits failed authentication attempts; shared with ingestion. Default: no limit. */
  readonly guard?: CredentialGuard;
  /** Knows the trusted proxies. Default: none. */
  readonly clients?: ClientResolver;
  readonly log: HttpLog;
  /** Base URL of OTLP over HTTP, for the OpenAPI document. Absent if this process does not receive telemetry. */
  readonly otlpUrl?: string;
  /** The development identity provider, mounted under `/auth`. It sets its own content policy. */
  readonly identityProvider?: NodeRequestHandler;
  /** Sessions of the portal. Absent if sign-in is not configured. */
  readonly sessions?: PortalSessions | undefined;
  /** Counts rejected portal sign-ins. */
  readonly signInMeters?: SignInMeters | undefined;
  /** Acknowledges by the links in messages. Absent: there are no such links. */
  readonly linkAcknowledgements?: LinkAcknowledgements | undefined;
  /** The built portal. Absent if it has not been built. */
  readonly portal?: PortalFiles | undefined;
  /** Default: `ROUTES`. Tests pass others. */
  readonly routes?: readonly Route[];
  /** Records a span for each call of an operation. */
  readonly tracer?: Tracer | undefined;
  /** Default: 30 s. */
  readonly responseTimeoutMs?: number;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Serves the API, the portal and the service pages. Every error response is a problem document, also for unknown paths. */
export function createApp(options: AppOptions): RequestListener {
  const {
    routes = ROUTES,
    responseTimeoutMs = 30_000,
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
    responseTimeoutMs,
    now,
    clients,
    guard,
    rateLimits: new RateLimiter(options.rateLimits),
  };
  if (options.tracer !== undefined) app.use(traceOperations(routes, options.tracer));
  app.use(createMcpHandler(settings), createApiHandler(settings));
  return toRequestListener(app, options);
}

/** Serves the service pages of a process without the `api` role. */
export function createPagesApp(options: ServicePageSettings & Pick<AppOptions, 'log' | 'clients'>): RequestListener {
  const app = createBaseApp(options.log, options.clients ?? new ClientResolver());
  app.use(createApiHeaders(), createServicePages(options), () => {
    throw new Problem('not-found', 'This process does not serve the API: ROLES does not include `api`.');
  });
  return toRequestListener(app, options);
}

/** Serves `/metrics` only, for a separate port. */
export function createMetricsApp(
  options: Pick<AppOptions, 'publicUrl' | 'log' | 'clients'> & { readonly metrics: () => Promise<string> },
): RequestListener {
  const app = createBaseApp(options.log, options.clients ?? new ClientResolver());
  app.use(createApiHeaders(), createMetricsPage(options.metrics), () => {
    throw new Problem('not-found', 'This path does not exist.');
  });
  return toRequestListener(app, options);
}

function createBaseApp(log: HttpLog, clients: ClientResolver): Express {
  const app = express();
  // Keeps Express from sending stack traces for errors that escape every handler.
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
