import type { Response } from 'express';
import type { SignedOut, Step } from '../../auth/portal/portal-sessions.js';
import { html, type Html } from '../docs/html.js';
import { sendBytes } from '../send.js';
import { plainContentPolicy, plainPage } from './plain-page.js';

/**
 * Where the form of a page of ours leads. To another origin by a page of its own: the content policy lets forms go nowhere else, and
 * browsers hold it against redirects of them, too. What did not go well is a page that stays.
 */
export function leaveForm(response: Response, step: SignedOut): void {
  const { location, cookies, isRecorded } = step;
  const isHere = location.startsWith('/');
  if (isRecorded && isHere) return redirect(response, step);
  response.appendHeader('Set-Cookie', cookies);
  if (isRecorded) response.setHeader('Refresh', `0; url=${location}`);
  response.setHeader('Content-Security-Policy', plainContentPolicy);
  const told = isRecorded ? leaving(location) : unrecorded(location, isHere);
  sendBytes(response, isRecorded ? 200 : 503, 'text/html; charset=utf-8', told.text);
}

export function redirect(response: Response, { location, cookies }: Step): void {
  response.appendHeader('Set-Cookie', cookies);
  response.setHeader('Location', location);
  response.statusCode = 303;
  response.end();
}

function leaving(location: string): Html {
  return plainPage('Signing out', html`<p>You are signed out of Hindsight. <a href="${location}">Sign out at your identity provider, too</a> …</p>`);
}

function unrecorded(location: string, isHere: boolean): Html {
  const on = html`<a href="${location}">${isHere ? 'Back to the portal' : 'Sign out at your identity provider, too'}</a>`;
  return plainPage('Signed out in this browser', html`
    <h1>You are signed out in this browser, but not yet everywhere</h1>
    <p>Hindsight cannot write to its log now, and goes on trying. Until it can, or should it be restarted first, somebody who has a copy of this session's cookie could use it elsewhere, for up to 7 days. Please tell whoever runs this service: a new <code>PORTAL_SESSION_SECRET</code> ends all sessions.</p>
    <p>${on}</p>`);
}
