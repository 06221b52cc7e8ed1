import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { PortalSessions } from '../auth/portal/portal-sessions.js';
import { Clients } from './clients.js';
import { correlate } from './correlation.js';
import { CredentialGuard } from './credential-guard.js';
import { serveApi } from './gate.js';
import { serveMcp } from './mcp/mcp.js';
import { documentationPages } from './openapi/pages.js';
import { answerWithProblems } from './problems/answer.js';
import type { PortalFiles } from './portal/portal-files.js';
import { servePortal } from './portal/portal.js';
import { RefusedSignIns, type SignInMeters } from './portal/refused-sign-ins.js';
import { Problem } from './problems/problem.js';
import { RateLimits, type RateLimitSettings } from './rate-limits.js';
import type { ApiPorts, Route } from './route.js';
import { ROUTES } from './routes.js';
import { apiHeaders, pageHeaders, secureTransport } from './security-headers.js';
import { metricsPage, servicePages, type ServicePageSettings } from './service-pages.js';
import type { ServiceLog } from './service-log.js';
import type { CredentialChecks } from './steps/credentials.js';
import type { Tracer } from '../tracing/tracer.js';
import { traceOperations } from './traced-requests.js';
import { originForm } from './target.js';

/** An Express handler, in the types of Node. */
export type MountedHandler = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export interface AppOptions extends CredentialChecks, ServicePageSettings {
  /** Base of problem types; never taken from a request. */
  readonly publicUrl: string;
  readonly ports: ApiPorts;
  readonly rateLimits: RateLimitSettings;
  /** Who is not believed for a while; shared with ingestion. Absent: all are looked at. */
  readonly guard?: CredentialGuard;
  /** Which proxies are trusted; none unless said otherwise. */
  readonly clients?: Clients;
  readonly log: ServiceLog;
  /** Base of OTLP over HTTP, for the document of the API. Absent: this process takes none. */
  readonly otlpUrl?: string;
  /** The development identity provider: mounted under `/auth`, with its own content policy. */
  readonly identityProvider?: MountedHandler;
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
  const { routes = ROUTES, answerTimeoutMs = 30_000, now = Date.now, clients = new Clients(), guard = new CredentialGuard({ failuresPerMinute: 0 }) } = options;
  const app = bareApp(options.log, clients);
  if (options.identityProvider !== undefined) app.use('/auth', pageHeaders(), options.identityProvider);
  const refusals = new RefusedSignIns(options.log, options.signInMeters);
  app.use('/portal', servePortal({ ...options, clients, refusals, files: options.portal, administration: options.ports.administration }));
  app.use(apiHeaders(), servicePages(options), documentationPages({ ...options, routes, hasMetrics: options.metrics !== undefined }));
  const settings = { ...options, routes, answerTimeoutMs, now, clients, guard, rateLimits: new RateLimits(options.rateLimits) };
  if (options.tracer !== undefined) app.use(traceOperations(routes, options.tracer));
  app.use(serveMcp(settings), serveApi(settings));
  return listener(app, options);
}

/** The pages of a process that does not answer the API. */
export function createPagesApp(options: ServicePageSettings & Pick<AppOptions, 'log' | 'clients'>): RequestListener {
  const app = bareApp(options.log, options.clients ?? new Clients());
  app.use(apiHeaders(), servicePages(options), () => {
    throw new Problem('not-found', 'This process does not answer the API: `api` is not among its ROLES.');
  });
  return listener(app, options);
}

/** Nothing but `/metrics`, for operators who keep it on a port of its own. */
export function createMetricsApp(options: Pick<AppOptions, 'publicUrl' | 'log' | 'clients'> & { readonly metrics: () => Promise<string> }): RequestListener {
  const app = bareApp(options.log, options.clients ?? new Clients());
  app.use(apiHeaders(), metricsPage(options.metrics), () => {
    throw new Problem('not-found', 'There is no such path.');
  });
  return listener(app, options);
}

function bareApp(log: ServiceLog, clients: Clients): Express {
  const app = express();
  // Whatever escapes every handler here must not show a stack.
  app.set('env', 'production');
  app.set('trust proxy', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use(correlate(log, clients), secureTransport(clients));
  return app;
}

function listener(app: Express, { publicUrl, log, now }: Pick<AppOptions, 'publicUrl' | 'log' | 'now'>): RequestListener {
  app.use(answerWithProblems(publicUrl, log, now));
  return (request, response) => {
    request.url = originForm(request.url ?? '/');
    app(request, response);
  };
}
