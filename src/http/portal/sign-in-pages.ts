import { Router as ExpressRouter, type Request, type Response } from 'express';
import type { PortalSessions, RedirectStep, SignOutResult } from '../../auth/portal/portal-sessions.js';
import { PORTAL_HOME, toReturnPath } from '../../auth/portal/return-path.js';
import { Problem, toProblem } from '../problems/problem-details.js';
import { headerValues, splitTarget } from '../requests/request-head.js';
import type { SignInRefusal } from '../../self-telemetry/prometheus-metrics.js';
import type { ClientResolver } from '../connection/client-resolver.js';
import { readRequestId } from '../steps/request-tracing.js';
import { isSameOrigin } from '../steps/same-origin.js';
import type { SignInRefusalLog } from './sign-in-refusals.js';
import { html, Html } from '../docs/html-template.js';
import { sendText } from '../responses/send-response.js';
import { createHash } from 'node:crypto';

const MAX_HINT_CHARS = 256;

/** Of the issuer's words, which may have come through a browser. */
const MAX_REASON_CHARS = 300;

/** What became of a sign-in, as the portal's page and the metrics name it, by the slug of the problem. */
const OUTCOMES: ReadonlyMap<string, SignInRefusal> = new Map([
  ['unauthenticated', 'refused'],
  ['unavailable', 'unavailable'],
  ['too-large', 'too-large'],
]);

export interface SignInPageSettings {
  readonly publicUrl: string;
  /** Absent: nobody can sign in. */
  readonly sessions?: PortalSessions | undefined;
  readonly refusals: SignInRefusalLog;
  readonly clients: ClientResolver;
}

/** What browsers are led through: each answer is a redirect, or a page that is one. */
export function createSignInRouter({ publicUrl, sessions, refusals, clients }: SignInPageSettings): ExpressRouter {
  const told = (request: Request, response: Response): RefusalContext => ({
    refusals,
    fields: { requestId: readRequestId(response), client: clients.resolve(request.socket, request.headers).address },
  });
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages
    .route('/sign-in')
    .get(async (request, response) => {
      const query = parseQuery(request);
      const elsewhere = toPublicUrl(request, query, publicUrl);
      if (elsewhere !== undefined) return sendRedirect(response, { location: elsewhere, cookies: [] });
      const returnTo = query.get('return');
      sendRedirect(
        response,
        await runSignInStep(
          () => requireSessions(sessions).beginSignIn(returnTo, readLoginHint(query), request.headers.cookie),
          toReturnPath(returnTo),
          told(request, response),
        ),
      );
    })
    .all(createMethodNotAllowedHandler('GET'));
  pages
    .route('/callback')
    .get(async (request, response) => {
      const { query } = splitTarget(request.originalUrl);
      sendRedirect(
        response,
        await runSignInStep(
          () => requireSessions(sessions).finishSignIn(query, request.headers.cookie),
          PORTAL_HOME,
          told(request, response),
        ),
      );
    })
    .all(createMethodNotAllowedHandler('GET'));
  pages
    .route('/sign-out')
    .post(async (request, response) => {
      if (!isSameOrigin(request.rawHeaders, publicUrl, false))
        throw new Problem('forbidden', 'Only the portal itself can sign out.');
      sendSignOutResponse(response, await requireSessions(sessions).signOut(request.headers.cookie));
    })
    .all(createMethodNotAllowedHandler('POST'));
  return pages;
}

/** Whom to tell of a refusal, and of which request it is. */
interface RefusalContext {
  readonly refusals: SignInRefusalLog;
  readonly fields: { readonly requestId: string; readonly client: string };
}

/** Who cannot be signed in is led back to the portal, which says so: the issuer's own words, and the reason, are for the log. */
async function runSignInStep(
  step: () => Promise<RedirectStep>,
  back: string,
  { refusals, fields }: RefusalContext,
): Promise<RedirectStep> {
  try {
    return await step();
  } catch (error) {
    const { slug, detail } = toProblem(error, fields.requestId, Date.now());
    const outcome = OUTCOMES.get(slug);
    if (outcome === undefined) throw error;
    refusals.record(outcome, {
      ...fields,
      ...(outcome === 'refused' ? { reason: detail.slice(0, MAX_REASON_CHARS) } : { error }),
    });
    return { location: appendOutcome(back, outcome), cookies: [] };
  }
}

/** The page, with why nobody is signed in there. */
function appendOutcome(path: string, outcome: string): string {
  const { pathname, search, hash } = new URL(path, 'http://portal.invalid');
  const query = new URLSearchParams(search);
  query.set('sign-in', outcome);
  return `${pathname}?${query.toString()}${hash}`;
}

/**
 * The same page at the address that the issuer knows, where the browser came by another name of this machine: it would not bring
 * back the cookie of the sign-in from there. Once: a proxy may show us any host name.
 */
function toPublicUrl(request: Request, query: URLSearchParams, publicUrl: string): string | undefined {
  const [host] = headerValues(request.rawHeaders, 'host');
  const known = new URL(publicUrl).hostname;
  const asked = `http://${host ?? ''}`;
  if (query.has('moved') || !URL.canParse(asked) || new URL(asked).hostname === known) return undefined;
  return `${publicUrl}/portal/sign-in?${new URLSearchParams([...query, ['moved', '1']]).toString()}`;
}

function requireSessions(sessions: PortalSessions | undefined): PortalSessions {
  if (sessions === undefined)
    throw new Problem('not-found', 'This service has no identity provider: nobody can sign in (see AUTH_URL).');
  return sessions;
}

function readLoginHint(query: URLSearchParams): string | undefined {
  const hint = query.get('user') ?? '';
  return hint === '' || hint.length > MAX_HINT_CHARS ? undefined : hint;
}

function parseQuery(request: Request): URLSearchParams {
  return new URLSearchParams(splitTarget(request.originalUrl).query);
}

export function createMethodNotAllowedHandler(methods: string): () => never {
  return () => {
    throw new Problem('method-not-allowed', `This path takes ${methods}.`, { headers: { Allow: methods } });
  };
}

/**
 * Where the form of a page of ours leads. To another origin by a page of its own: the content policy lets forms go nowhere else, and
 * browsers hold it against redirects of them, too. What did not go well is a page that stays.
 */
function sendSignOutResponse(response: Response, step: SignOutResult): void {
  const { location, cookies, isRecorded } = step;
  const isHere = location.startsWith('/');
  if (isRecorded && isHere) return sendRedirect(response, step);
  response.appendHeader('Set-Cookie', cookies);
  if (isRecorded) response.setHeader('Refresh', `0; url=${location}`);
  response.setHeader('Content-Security-Policy', plainContentPolicy);
  const told = isRecorded ? renderSigningOut(location) : renderUnrecordedSignOut(location, isHere);
  sendText(response, isRecorded ? 200 : 503, 'text/html; charset=utf-8', told.text);
}

function sendRedirect(response: Response, { location, cookies }: RedirectStep): void {
  response.appendHeader('Set-Cookie', cookies);
  response.setHeader('Location', location);
  response.statusCode = 303;
  response.end();
}

function renderSigningOut(location: string): Html {
  return renderPlainPage(
    'Signing out',
    html`<p>You are signed out of Hindsight. <a href="${location}">Sign out at your identity provider, too</a> …</p>`,
  );
}

function renderUnrecordedSignOut(location: string, isHere: boolean): Html {
  const on = html`<a href="${location}">${isHere ? 'Back to the portal' : 'Sign out at your identity provider, too'}</a>`;
  return renderPlainPage(
    'Signed out in this browser',
    html`
    <h1>You are signed out in this browser, but not yet everywhere</h1>
    <p>Hindsight cannot write to its log now, and goes on trying. Until it can, or should it be restarted first, somebody who has a copy of this session's cookie could use it elsewhere, for up to 7 days. Please tell whoever runs this service: a new <code>PORTAL_SESSION_SECRET</code> ends all sessions.</p>
    <p>${on}</p>`,
  );
}

const PLAIN_PAGE_STYLE = `
:root{color-scheme:light dark}
body{max-width:42rem;margin:12vh auto 0;padding:0 1.25rem;background:light-dark(#f6f8fa,#0d1117);color:light-dark(#16202a,#e8eef4);font:16px/1.55 Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
h1{font-size:1.4rem;line-height:1.3}
a{color:light-dark(#0067a8,#4cc2ff)}
code{font-size:.9em;overflow-wrap:anywhere}
`.trim();

/** The page may show this very style, and load or run nothing. */
const plainContentPolicy = `default-src 'none';style-src 'sha256-${createHash('sha256').update(PLAIN_PAGE_STYLE).digest('base64')}';base-uri 'none';form-action 'none';frame-ancestors 'none'`;

/** A page that needs nothing of the portal's files, dark or light as the browser is, and fits a phone. */
function renderPlainPage(title: string, content: Html): Html {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${new Html(PLAIN_PAGE_STYLE)}</style></head><body><main>${content}</main></body></html>`;
}
