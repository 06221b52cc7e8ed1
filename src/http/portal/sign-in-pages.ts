import { Router as ExpressRouter, type Request, type Response } from 'express';
import type { PortalSessions, Step } from '../../auth/portal/portal-sessions.js';
import { HOME, returnPath } from '../../auth/portal/return-path.js';
import { Problem } from '../problems/problem.js';
import { toProblem } from '../problems/translate.js';
import { headerValues } from '../headers.js';
import type { SignInRefusal } from '../../metrics/metrics.js';
import type { Clients } from '../clients.js';
import { splitTarget } from '../target.js';
import { requestIdOf } from '../correlation.js';
import { isFromOwnPage } from './own-page.js';
import type { RefusedSignIns } from './refused-sign-ins.js';
import { leaveForm, redirect } from './sign-out-page.js';

const MAX_HINT_CHARS = 256;
/** Of the issuer's words, which may have come through a browser. */
const MAX_REASON_CHARS = 300;

/** What became of a sign-in, as the portal's page and the metrics name it, by the slug of the problem. */
const OUTCOMES: ReadonlyMap<string, SignInRefusal> = new Map([['unauthenticated', 'refused'], ['unavailable', 'unavailable'], ['too-large', 'too-large']]);

export interface SignInPages {
  readonly publicUrl: string;
  /** Absent: nobody can sign in. */
  readonly sessions?: PortalSessions | undefined;
  readonly refusals: RefusedSignIns;
  readonly clients: Clients;
}

/** What browsers are led through: each answer is a redirect, or a page that is one. */
export function signInPages({ publicUrl, sessions, refusals, clients }: SignInPages): ExpressRouter {
  const told = (request: Request, response: Response): Told => ({ refusals, fields: { requestId: requestIdOf(response), client: clients.of(request.socket, request.headers).address } });
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages.route('/sign-in').get(async (request, response) => {
    const query = queryOf(request);
    const elsewhere = atPublicUrl(request, query, publicUrl);
    if (elsewhere !== undefined) return redirect(response, { location: elsewhere, cookies: [] });
    const returnTo = query.get('return');
    redirect(response, await led(() => offered(sessions).begin(returnTo, hintIn(query), request.headers.cookie), returnPath(returnTo), told(request, response)));
  }).all(onlyTakes('GET'));
  pages.route('/callback').get(async (request, response) => {
    const { query } = splitTarget(request.originalUrl);
    redirect(response, await led(() => offered(sessions).finish(query, request.headers.cookie), HOME, told(request, response)));
  }).all(onlyTakes('GET'));
  pages.route('/sign-out').post(async (request, response) => {
    if (!isFromOwnPage(request.rawHeaders, publicUrl, false)) throw new Problem('forbidden', 'Only the portal itself can sign out.');
    leaveForm(response, await offered(sessions).end(request.headers.cookie));
  }).all(onlyTakes('POST'));
  return pages;
}

/** Whom to tell of a refusal, and of which request it is. */
interface Told {
  readonly refusals: RefusedSignIns;
  readonly fields: { readonly requestId: string; readonly client: string };
}

/** Who cannot be signed in is led back to the portal, which says so: the issuer's own words, and the reason, are for the log. */
async function led(step: () => Promise<Step>, back: string, { refusals, fields }: Told): Promise<Step> {
  try {
    return await step();
  } catch (error) {
    const { slug, detail } = toProblem(error, fields.requestId, Date.now());
    const outcome = OUTCOMES.get(slug);
    if (outcome === undefined) throw error;
    refusals.note(outcome, { ...fields, ...(outcome === 'refused' ? { reason: detail.slice(0, MAX_REASON_CHARS) } : { error }) });
    return { location: withOutcome(back, outcome), cookies: [] };
  }
}

/** The page, with why nobody is signed in there. */
function withOutcome(path: string, outcome: string): string {
  const { pathname, search, hash } = new URL(path, 'http://portal.invalid');
  const query = new URLSearchParams(search);
  query.set('sign-in', outcome);
  return `${pathname}?${query.toString()}${hash}`;
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

export function onlyTakes(methods: string): () => never {
  return () => {
    throw new Problem('method-not-allowed', `This path takes ${methods}.`, { headers: { Allow: methods } });
  };
}
