import { Router as ExpressRouter, type RequestHandler } from 'express';
import type { Health } from '../../component.js';
import type { LoginMetadata } from '../../auth/login/sign-in-request.js';
import { Problem } from '../problems/problem-details.js';
import { splitTarget } from '../requests/request-headers.js';
import { requireNoParameters } from '../steps/request-input.js';
import { sendJson, sendText } from '../responses/send-response.js';
import { isProblemSlug, PROBLEM_TYPES } from '../problems/problem-catalogue.js';

const PLAIN_TEXT = 'text/plain; charset=utf-8';
/** The text format that Prometheus expects. */
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
/** Metadata of `/mcp`: the path of a resource follows the well-known path (RFC 9728 §3.1). */
export const MCP_METADATA_PATH = `${RESOURCE_METADATA_PATH}/mcp`;

export type HealthChecks = Readonly<Record<string, Health>>;

/** The identity provider that issues tokens for the API. */
export interface TokenIssuer {
  /** OpenID issuer URL, the base of its discovery document. */
  readonly issuer: string;
  /** Scopes that request a token for this API, separated by spaces. */
  readonly scope: string;
  /** What the command line needs besides; absent: it knows. */
  readonly login?: LoginMetadata;
}

export interface ServicePageSettings {
  readonly publicUrl: string;
  /** Health by component of the process. MUST resolve within the store timeout. */
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
  if (signIn !== undefined) {
    addReadOnlyPage(pages, RESOURCE_METADATA_PATH, (_request, response) =>
      sendJson(response, 200, presentProtectedResource(publicUrl, signIn)),
    );
    addReadOnlyPage(pages, MCP_METADATA_PATH, (_request, response) =>
      sendJson(response, 200, presentProtectedResource(`${publicUrl}/mcp`, signIn)),
    );
  }
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

/** Adds a page for GET and HEAD, without query parameters; all other methods give 405. */
export function addReadOnlyPage(pages: ExpressRouter, path: string, handler: RequestHandler): void {
  pages
    .route(path)
    .get((request, _response, next) => {
      requireNoParameters(new URLSearchParams(splitTarget(request.originalUrl).query));
      next();
    }, handler)
    .all(() => {
      throw new Problem('method-not-allowed', 'This path supports only GET, HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    });
}

/** Protected resource metadata (RFC 9728), with which clients discover the identity provider of this service. */
function presentProtectedResource(resource: string, { issuer, scope, login }: TokenIssuer): object {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scope.split(' '),
    bearer_methods_supported: ['header'],
    resource_name: 'Hindsight',
    ...(login !== undefined && { hindsight_login: login }),
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
