import { Router as ExpressRouter, type Request, type Response } from 'express';
import type { PortalSessions, RedirectStep, SignOutResult } from '../../auth/portal/portal-sessions.js';
import { PORTAL_HOME, toReturnPath } from '../../auth/portal/return-path.js';
import { Problem, toProblem } from '../problems/problem-details.js';
import { headerValues, splitTarget } from '../requests/request-headers.js';
import type { SignInRefusal } from '../../self-telemetry/prometheus-metrics.js';
import type { ClientResolver } from '../connection/client-resolver.js';
import { readRequestId } from '../steps/request-tracing.js';
import { isSameOrigin } from '../steps/same-origin.js';
import type { SignInRefusalLog } from './sign-in-refusals.js';
import { html, Html } from '../docs/html-template.js';
import { sendText } from '../responses/send-response.js';
import { createHash } from 'node:crypto';

const MAX_HINT_CHARS = 256;

/** Maximum length of the issuer's error text in the log, since it may come from a browser. */
const MAX_REASON_CHARS = 300;

/** Outcome of a failed sign-in, as named on the portal page and in metrics, by problem slug. */
const OUTCOMES: ReadonlyMap<string, SignInRefusal> = new Map([
  ['unauthenticated', 'refused'],
  ['unavailable', 'unavailable'],
  ['too-large', 'too-large'],
]);

export interface SignInPageSettings {
  readonly publicUrl: string;
  /** Absent if sign-in is not configured. */
  readonly sessions?: PortalSessions | undefined;
  readonly refusals: SignInRefusalLog;
  readonly clients: ClientResolver;
}

/** Serves the steps of sign-in and sign-out. Each response is a redirect or a page that redirects. */
export function createSignInRouter({ publicUrl, sessions, refusals, clients }: SignInPageSettings): ExpressRouter {
  const toContext = (request: Request, response: Response): RefusalContext => ({
    refusals,
    fields: { requestId: readRequestId(response), client: clients.resolve(request.socket, request.headers).address },
  });
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages
    .route('/sign-in')
    .get(async (request, response) => {
      const query = parseQuery(request);
      const canonicalUrl = toPublicUrl(request, query, publicUrl);
      if (canonicalUrl !== undefined) return sendRedirect(response, { location: canonicalUrl, cookies: [] });
      const returnTo = query.get('return');
      sendRedirect(
        response,
        await runSignInStep(
          () => requireSessions(sessions).beginSignIn(returnTo, readLoginHint(query), request.headers.cookie),
          toReturnPath(returnTo),
          toContext(request, response),
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
          toContext(request, response),
        ),
      );
    })
    .all(createMethodNotAllowedHandler('GET'));
  pages
    .route('/sign-out')
    .post(async (request, response) => {
      if (!isSameOrigin(request.rawHeaders, publicUrl, false))
        throw new Problem('forbidden', 'Only the portal can sign out.');
      sendSignOutResponse(response, await requireSessions(sessions).signOut(request.headers.cookie));
    })
    .all(createMethodNotAllowedHandler('POST'));
  return pages;
}

/** Where to record a failed sign-in, and the log fields of its request. */
interface RefusalContext {
  readonly refusals: SignInRefusalLog;
  readonly fields: { readonly requestId: string; readonly client: string };
}

/** Redirects a failed sign-in to the portal, which shows the outcome. The reason and the issuer's text are only logged. */
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

/** Adds the outcome of the sign-in to the query of the page. */
function appendOutcome(path: string, outcome: string): string {
  const { pathname, search, hash } = new URL(path, 'http://portal.invalid');
  const query = new URLSearchParams(search);
  query.set('sign-in', outcome);
  return `${pathname}?${query.toString()}${hash}`;
}

/**
 * The sign-in page at the public URL, if the browser uses another host name: the issuer redirects to the public URL, where
 * the browser would not send the sign-in cookie of the other host. At most once, since a proxy may rewrite the host name.
 */
function toPublicUrl(request: Request, query: URLSearchParams, publicUrl: string): string | undefined {
  const [host] = headerValues(request.rawHeaders, 'host');
  const known = new URL(publicUrl).hostname;
  const requested = `http://${host ?? ''}`;
  if (query.has('moved') || !URL.canParse(requested) || new URL(requested).hostname === known) return undefined;
  return `${publicUrl}/portal/sign-in?${new URLSearchParams([...query, ['moved', '1']]).toString()}`;
}

function requireSessions(sessions: PortalSessions | undefined): PortalSessions {
  if (sessions === undefined)
    throw new Problem('not-found', 'Sign-in is not available: no identity provider is configured (see OIDC_ISSUER).');
  return sessions;
}

function readLoginHint(query: URLSearchParams): string | undefined {
  const hint = query.get('user') ?? '';
  return hint === '' || hint.length > MAX_HINT_CHARS ? undefined : hint;
}

function parseQuery(request: Request): URLSearchParams {
  return new URLSearchParams(splitTarget(request.originalUrl).query);
}

/** A handler that throws 405 with Allow. */
export function createMethodNotAllowedHandler(methods: string): () => never {
  return () => {
    throw new Problem('method-not-allowed', `This path supports only ${methods}.`, { headers: { Allow: methods } });
  };
}

/**
 * Responds to the sign-out form. The content policy restricts form targets to this origin, also for redirects, so the sign-out
 * at the issuer goes through a page that redirects. If the sign-out could not be recorded, the page stays and explains it.
 */
function sendSignOutResponse(response: Response, step: SignOutResult): void {
  const { location, cookies, isRecorded } = step;
  const isLocal = location.startsWith('/');
  if (isRecorded && isLocal) return sendRedirect(response, step);
  response.appendHeader('Set-Cookie', cookies);
  if (isRecorded) response.setHeader('Refresh', `0; url=${location}`);
  response.setHeader('Content-Security-Policy', plainContentPolicy());
  const page = isRecorded ? renderSigningOut(location) : renderUnrecordedSignOut(location, isLocal);
  sendText(response, isRecorded ? 200 : 503, 'text/html; charset=utf-8', page.text);
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

function renderUnrecordedSignOut(location: string, isLocal: boolean): Html {
  const link = html`<a href="${location}">${isLocal ? 'Back to the portal' : 'Sign out at your identity provider, too'}</a>`;
  return renderPlainPage(
    'Signed out in this browser',
    html`
    <h1>You are signed out in this browser, but not yet everywhere</h1>
    <p>Hindsight cannot write the sign-out to its event log at the moment and keeps retrying. Until it succeeds, or if the service restarts first, anyone with a copy of this session's cookie could use it for up to 7 days. Please inform the operator of this service: setting a new <code>PORTAL_SESSION_SECRET</code> ends all sessions.</p>
    <p>${link}</p>`,
  );
}

const PLAIN_PAGE_STYLE = `
:root{color-scheme:light dark}
body{max-width:42rem;margin:12vh auto 0;padding:0 1.25rem;background:light-dark(#f6f8fa,#0d1117);color:light-dark(#16202a,#e8eef4);font:16px/1.55 Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
h1{font-size:1.4rem;line-height:1.3}
a{color:light-dark(#0067a8,#4cc2ff)}
button{font:inherit;font-weight:600;padding:.5rem 1rem;border:0;border-radius:6px;background:light-dark(#0067a8,#4cc2ff);color:light-dark(#fff,#0d1117)}
code{font-size:.9em;overflow-wrap:anywhere}
`.trim();

/** Content policy of the page: permits its inline style only, and forms that are sent to `formTarget`. */
export const plainContentPolicy = (formTarget = "'none'"): string =>
  `default-src 'none';style-src 'sha256-${createHash('sha256').update(PLAIN_PAGE_STYLE).digest('base64')}';base-uri 'none';form-action ${formTarget};frame-ancestors 'none'`;

/** A self-contained page that does not need the portal files; light or dark, also for small screens. */
export function renderPlainPage(title: string, content: Html): Html {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${new Html(PLAIN_PAGE_STYLE)}</style></head><body><main>${content}</main></body></html>`;
}
