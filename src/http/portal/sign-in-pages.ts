import { Router as ExpressRouter, type Request, type Response } from 'express';
import type { PortalSessions, Step } from '../../auth/portal/portal-sessions.js';
import { Problem } from '../problems/problem.js';
import { toProblem } from '../problems/translate.js';
import { headerValues } from '../headers.js';
import type { ServiceLog } from '../service-log.js';
import { splitTarget } from '../target.js';
import { requestIdOf } from '../correlation.js';
import { isFromOwnPage } from './own-page.js';

const HOME = '/portal/';
const MAX_HINT_CHARS = 256;

export interface SignInPages {
  readonly publicUrl: string;
  /** Absent: nobody can sign in. */
  readonly sessions?: PortalSessions | undefined;
  readonly log: ServiceLog;
}

/** What browsers are led through: each answer is a redirect. */
export function signInPages({ publicUrl, sessions, log }: SignInPages): ExpressRouter {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages.route('/sign-in').get(async (request, response) => {
    const query = queryOf(request);
    const elsewhere = atPublicUrl(request, query, publicUrl);
    if (elsewhere !== undefined) return redirect(response, { location: elsewhere, cookies: [] });
    redirect(response, await offered(sessions).begin(query.get('return'), hintIn(query), request.headers.cookie));
  }).all(onlyTakes('GET'));
  pages.route('/callback').get(async (request, response) => {
    redirect(response, await arrived(offered(sessions), request, response, log));
  }).all(onlyTakes('GET'));
  pages.route('/sign-out').post(async (request, response) => {
    if (!isFromOwnPage(request.rawHeaders, publicUrl, false)) throw new Problem('forbidden', 'Only the portal itself can sign out.');
    redirect(response, { location: HOME, cookies: await offered(sessions).end(request.headers.cookie) });
  }).all(onlyTakes('POST'));
  return pages;
}

/** Who cannot be signed in is led to the portal, which says so: the issuer's own words, and the reason, are for the log. */
async function arrived(sessions: PortalSessions, request: Request, response: Response, log: ServiceLog): Promise<Step> {
  try {
    return await sessions.finish(splitTarget(request.originalUrl).query, request.headers.cookie);
  } catch (error) {
    const { slug, detail } = toProblem(error, requestIdOf(response), Date.now());
    if (slug !== 'unauthenticated' && slug !== 'unavailable') throw error;
    log.debug('a sign-in to the portal failed', { requestId: requestIdOf(response), reason: detail });
    return { location: `${HOME}?sign-in=${slug === 'unavailable' ? 'unavailable' : 'refused'}`, cookies: [] };
  }
}

/**
 * The same page at the address that the issuer knows, where the browser came by another name of this machine: it would not bring
 * back the cookie of the sign-in from there. Once: a proxy may show us any host name.
 */
function atPublicUrl(request: Request, query: URLSearchParams, publicUrl: string): string | undefined {
  const [host] = headerValues(request.rawHeaders, 'host');
  const known = new URL(publicUrl).hostname;
  const asked = `http://${host ?? ''}`;
  if (query.has('moved') || !URL.canParse(asked) || new URL(asked).hostname === known) return undefined;
  return `${publicUrl}/portal/sign-in?${new URLSearchParams([...query, ['moved', '1']]).toString()}`;
}

function offered(sessions: PortalSessions | undefined): PortalSessions {
  if (sessions === undefined) throw new Problem('not-found', 'This service has no identity provider: nobody can sign in (see AUTH_URL).');
  return sessions;
}

function hintIn(query: URLSearchParams): string | undefined {
  const hint = query.get('user') ?? '';
  return hint === '' || hint.length > MAX_HINT_CHARS ? undefined : hint;
}

function queryOf(request: Request): URLSearchParams {
  return new URLSearchParams(splitTarget(request.originalUrl).query);
}

function redirect(response: Response, { location, cookies }: Step): void {
  response.appendHeader('Set-Cookie', cookies);
  response.setHeader('Location', location);
  response.statusCode = 303;
  response.end();
}

export function onlyTakes(methods: string): () => never {
  return () => {
    throw new Problem('method-not-allowed', `This path takes ${methods}.`, { headers: { Allow: methods } });
  };
}
