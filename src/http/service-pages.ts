import { Router as ExpressRouter, type RequestHandler } from 'express';
import type { Health } from '../component.js';
import { problemPage } from './problems/pages.js';
import { Problem } from './problems/problem.js';
import { sendBytes, sendJson } from './send.js';

const TEXT = 'text/plain; charset=utf-8';
/** The version that Prometheus asks for. */
const METRICS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export type Checks = Readonly<Record<string, Health>>;

/** Where callers of the API get tokens from. */
export interface SignInPlace {
  /** OpenID issuer, found by its discovery document. */
  readonly issuer: string;
  /** What to ask for there, so that the token is for this API. */
  readonly scope: string;
}

export interface ServicePageSettings {
  readonly publicUrl: string;
  /** One entry for each component of the process. MUST answer within 2 s. */
  readonly checks: () => Promise<Checks>;
  /** Absent: only API keys are accepted, and nobody can sign in. */
  readonly signIn?: SignInPlace;
  /** Prometheus text. Absent: `/metrics` is served elsewhere, and unknown here. */
  readonly metrics?: () => Promise<string>;
}

/** What operators and readers of problems ask for: without version and credentials, GET and HEAD only. */
export function servicePages({ publicUrl, checks, signIn, metrics }: ServicePageSettings): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  readOnly(pages, '/live', (_request, response) => sendJson(response, 200, { live: true }));
  readOnly(pages, '/ready', async (_request, response) => {
    const readiness = presentReadiness(await checks());
    sendJson(response, readiness.ready ? 200 : 503, readiness);
  });
  readOnly(pages, '/problems/:slug', (request, response) => {
    sendBytes(response, 200, TEXT, problemPage(String(request.params['slug'])));
  });
  if (signIn !== undefined) readOnly(pages, '/.well-known/oauth-protected-resource', (_request, response) => sendJson(response, 200, presentResource(publicUrl, signIn)));
  if (metrics !== undefined) pages.use(metricsPage(metrics));
  return pages;
}

/** `/metrics` alone, for a port of its own. */
export function metricsPage(metrics: () => Promise<string>): RequestHandler {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  readOnly(pages, '/metrics', async (_request, response) => sendBytes(response, 200, METRICS_TEXT, await metrics()));
  return pages;
}

/** A page that takes GET and HEAD, and refuses all else by 405. */
export function readOnly(pages: ExpressRouter, path: string, handler: RequestHandler): void {
  pages.route(path).get(handler).all(() => {
    throw new Problem('method-not-allowed', 'This path takes GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
  });
}

/** Protected resource metadata (RFC 9728): from the address of the service alone, a client learns where to sign in. */
function presentResource(publicUrl: string, { issuer, scope }: SignInPlace): object {
  return { resource: publicUrl, authorization_servers: [issuer], scopes_supported: [scope], bearer_methods_supported: ['header'], resource_name: 'Hindsight' };
}

interface Readiness {
  readonly ready: boolean;
  readonly checks: Checks;
}

function presentReadiness(checks: Checks): Readiness {
  const entries = Object.entries(checks);
  const ready = entries.every(([, health]) => health.ok);
  return { ready, checks: Object.fromEntries(entries.map(([name, health]) => [name, withoutCredentials(health)])) };
}

/** A reason may quote the address of a store, and addresses may hold a password. */
function withoutCredentials(health: Health): Health {
  return health.ok ? health : { ok: false, reason: health.reason.replace(/\/\/[^/\s]*@/g, '//') };
}
