import { Router as ExpressRouter, type RequestHandler } from 'express';
import type { Health } from '../../component.js';
import { Problem } from '../problems/problem-details.js';
import { sendJson, sendText } from '../responses/send-response.js';
import { isProblemSlug, PROBLEM_TYPES } from '../problems/problem-catalogue.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';
/** The version that Prometheus asks for. */
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export type HealthChecks = Readonly<Record<string, Health>>;

/** Where callers of the API get tokens from. */
export interface TokenIssuer {
  /** OpenID issuer, found by its discovery document. */
  readonly issuer: string;
  /** What to ask for there, so that the token is for this API. */
  readonly scope: string;
}

export interface ServicePageSettings {
  readonly publicUrl: string;
  /** One entry for each component of the process. MUST answer within 2 s. */
  readonly checks: () => Promise<HealthChecks>;
  /** Absent: only API keys are accepted, and nobody can sign in. */
  readonly signIn?: TokenIssuer;
  /** Prometheus text. Absent: `/metrics` is served elsewhere, and unknown here. */
  readonly metrics?: () => Promise<string>;
}

/** What operators and readers of problems ask for: without version and credentials, GET and HEAD only. */
export function createServicePages({ publicUrl, checks, signIn, metrics }: ServicePageSettings): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  addReadOnlyPage(pages, '/live', (_request, response) => sendJson(response, 200, { live: true }));
  addReadOnlyPage(pages, '/ready', async (_request, response) => {
    const readiness = presentReadiness(await checks());
    sendJson(response, readiness.ready ? 200 : 503, readiness);
  });
  addReadOnlyPage(pages, '/problems/:slug', (request, response) => {
    sendText(response, 200, PLAIN_TEXT, renderProblemPage(String(request.params['slug'])));
  });
  if (signIn !== undefined)
    addReadOnlyPage(pages, '/.well-known/oauth-protected-resource', (_request, response) =>
      sendJson(response, 200, presentProtectedResource(publicUrl, signIn)),
    );
  if (metrics !== undefined) pages.use(createMetricsPage(metrics));
  return pages;
}

/** `/metrics` alone, for a port of its own. */
export function createMetricsPage(metrics: () => Promise<string>): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  addReadOnlyPage(pages, '/metrics', async (_request, response) =>
    sendText(response, 200, PROMETHEUS_TEXT, await metrics()),
  );
  return pages;
}

/** A page that takes GET and HEAD, and refuses all else by 405. */
export function addReadOnlyPage(pages: ExpressRouter, path: string, handler: RequestHandler): void {
  pages
    .route(path)
    .get(handler)
    .all(() => {
      throw new Problem('method-not-allowed', 'This path takes GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
    });
}

/** Protected resource metadata (RFC 9728): from the address of the service alone, a client learns where to sign in. */
function presentProtectedResource(publicUrl: string, { issuer, scope }: TokenIssuer): object {
  return {
    resource: publicUrl,
    authorization_servers: [issuer],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Hindsight',
  };
}

interface Readiness {
  readonly ready: boolean;
  readonly checks: HealthChecks;
}

function presentReadiness(checks: HealthChecks): Readiness {
  const entries = Object.entries(checks);
  const ready = entries.every(([, health]) => health.ok);
  return { ready, checks: Object.fromEntries(entries.map(([name, health]) => [name, redactCredentials(health)])) };
}

/** A reason may quote the address of a store, and addresses may hold a password. */
function redactCredentials(health: Health): Health {
  return health.ok ? health : { ok: false, reason: health.reason.replace(/\/\/[^/\s]*@/g, '//') };
}

/** The page behind the `type` of a problem, as plain text. Throws `not-found` for a slug that no problem has. */
function renderProblemPage(slug: string): string {
  if (!isProblemSlug(slug)) throw new Problem('not-found', 'There is no problem type of this name.');
  const { status, title, explanation } = PROBLEM_TYPES[slug];
  return `${title} (${status})\n\n${explanation}\n`;
}
