import type { Request, Response } from 'express';
import type { PortalSessions } from '../../auth/portal/portal-sessions.js';
import { headerValues } from '../headers.js';
import type { Route } from '../route.js';
import { CREDENTIAL_HEADERS } from '../steps/credentials.js';
import { isFromOwnPage } from './own-page.js';

export interface SessionChecks {
  readonly publicUrl: string;
  /** Absent: nobody can sign in here. */
  readonly sessions?: Pick<PortalSessions, 'current'> | undefined;
}

/**
 * The headers that say who calls: those of the request or, of an operation that an EventSource asks, with the token of the portal's
 * session, since such a one cannot send headers. For every other operation a cookie says nothing: no page of others can act by it.
 */
export async function presentedHeaders(route: Pick<Route, 'portalSession'>, request: Request, response: Response, { publicUrl, sessions }: SessionChecks): Promise<readonly string[]> {
  const { rawHeaders, method, headers: { cookie } } = request;
  if (route.portalSession !== true || method !== 'GET' || sessions === undefined || cookie === undefined) return rawHeaders;
  if (CREDENTIAL_HEADERS.some((name) => headerValues(rawHeaders, name.toLowerCase()).length > 0)) return rawHeaders;
  if (!isFromOwnPage(rawHeaders, publicUrl, true)) return rawHeaders;
  const { session, cookies } = await sessions.current(cookie);
  response.appendHeader('Set-Cookie', cookies);
  return session === undefined ? rawHeaders : [...rawHeaders, 'Authorization', `Bearer ${session.accessToken}`];
}
