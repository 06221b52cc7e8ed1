import { Router as ExpressRouter, type RequestHandler } from 'express';
import type { Health } from '../../component.js';
import { Problem } from '../problems/problem-details.js';
import { sendJson, sendText } from '../responses/send-response.js';
import { isProblemSlug, PROBLEM_TYPES } from '../problems/problem-catalogue.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';
/** The text format that Prometheus expects. */
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export type HealthChecks = Readonly<Record<string, Health>>;

/** The identity provider that issues tokens for the API. */
export interface TokenIssuer {
  /** OpenID issuer URL, the base of its discovery document. */
  readonly issuer: string;
  /** The scope that requests a token for this API. */
  readonly scope: string;
}

export interface ServicePageSettings {
  readonly publicUrl: string;
  /** Health by component of the process. MUST resolve within 2 s. */
  readonly checks: () => Promise<HealthChecks>;
  /** Absent if sign-in is not configured and only API keys are accepted. */
  readonly signIn?: TokenIssuer;
  /** Metrics as Prometheus text. Absent if `/metrics` is served on another port. */
  readonly metrics?: () => Promise<string>;
}

/** Serves probes, metrics and explanations of problems, without API version and credentials; GET and HEAD only. */
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

/** Serves `/metrics` only, for a separate port. */
export function createMetricsPage(metrics: () => Promise<string>): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  addReadOnlyPage(pages, '/metrics', async (_request, response) =>
    sendText(response, 200, PROMETHEUS_TEXT, await metrics()),
  );
  return pages;
}

/** Adds a page for GET and HEAD; all other methods give 405. */
export function addReadOnlyPage(pages: ExpressRouter, path: string, handler: RequestHandler): void {
  pages
    .route(path)
    .get(handler)
    .all(() => {
      throw new Problem('method-not-allowed', 'This path supports only GET, HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    });
}

/** Protected resource metadata (RFC 9728), with which clients discover the identity provider of this service. */
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

/** Removes credentials from URLs in the reason of a failed check. */
function redactCredentials(health: Health): Health {
  return health.ok ? health : { ok: false, reason: health.reason.replace(/\/\/[^/\s]*@/g, '//') };
}

/** The explanation of a problem type as plain text. Throws `not-found` for an unknown slug. */
function renderProblemPage(slug: string): string {
  if (!isProblemSlug(slug)) throw new Problem('not-found', 'There is no problem type with this name.');
  const { status, title, explanation } = PROBLEM_TYPES[slug];
  return `${title} (${status})\n\n${explanation}\n`;
}
