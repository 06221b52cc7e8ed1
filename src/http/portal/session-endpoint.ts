import { Router as ExpressRouter, type Request, type Response } from 'express';
import type { AccessControl } from '../../auth/access-control.js';
import type { PortalSession } from '../../auth/portal/portal-session.js';
import type { PortalSessions } from '../../auth/portal/portal-sessions.js';
import type { VerifyBearer } from '../../auth/tokens/token-verifier.js';
import type { AdministrationQueries } from '../../queries/administration/administration-query-types.js';
import type { ClientResolver } from '../connection/client-resolver.js';
import { readRequestId } from '../steps/request-tracing.js';
import { headerValues } from '../requests/request-head.js';
import { Problem, toProblemDocument } from '../problems/problem-details.js';
import { sendJson, sendText } from '../responses/send-response.js';
import type { SignInRefusalLog } from './sign-in-refusals.js';
import { createMethodNotAllowedHandler } from './sign-in-pages.js';
import type { Route } from '../route.js';
import { CREDENTIAL_HEADERS } from '../steps/authentication.js';
import { isSameOrigin } from '../steps/same-origin.js';

/** No page of another origin can send it without being asked for permission first, which nobody gets. */
const PORTAL_HEADER = 'x-hindsight-portal';

export interface SessionEndpointSettings {
  readonly publicUrl: string;
  /** Absent: nobody can sign in. */
  readonly sessions?: PortalSessions | undefined;
  readonly verifyBearer: VerifyBearer;
  readonly access: Pick<AccessControl, 'role'>;
  readonly administration: Pick<AdministrationQueries, 'gridRecordsForMember'>;
  readonly refusals: SignInRefusalLog;
  readonly clients: ClientResolver;
}

/** `/session`: who is signed in, with a token for the API; 401 with whether anybody can, who may without a password, and why the token does not count. */
export function createSessionRouter(settings: SessionEndpointSettings): ExpressRouter {
  const { sessions, publicUrl, refusals, clients } = settings;
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  pages
    .route('/session')
    .get(async (request, response) => {
      if (headerValues(request.rawHeaders, PORTAL_HEADER)[0] !== '1')
        throw new Problem('forbidden', 'Only the portal itself can ask for its session.');
      const { session, cookies } = (await sessions?.readCurrent(request.headers.cookie)) ?? {
        session: undefined,
        cookies: [],
      };
      response.appendHeader('Set-Cookie', cookies);
      const seen = session === undefined ? undefined : await describeSession(session, settings);
      if (seen?.answer !== undefined) return sendJson(response, 200, seen.answer);
      if (seen?.refused !== undefined)
        refusals.record('token', {
          requestId: readRequestId(response),
          client: clients.resolve(request.socket, request.headers).address,
          reason: seen.refused,
        });
      const problem = toProblemDocument(
        new Problem('unauthenticated', 'Nobody is signed in.'),
        publicUrl,
        '/portal/session',
      );
      sendText(
        response,
        401,
        'application/problem+json',
        JSON.stringify({
          ...problem,
          canSignIn: sessions !== undefined,
          users: sessions?.users ?? [],
          refused: seen?.refused,
        }),
      );
    })
    .all(createMethodNotAllowedHandler('GET'));
  return pages;
}

interface SessionDescription {
  readonly answer?: object;
  /** Why the token is not one that the API would take: without it one would sign in again and again. */
  readonly refused?: string;
}

/** Who the user is, the token says, as for every call. */
async function describeSession(
  { user, accessToken, accessEndsAt }: PortalSession,
  { verifyBearer, access, administration }: SessionEndpointSettings,
): Promise<SessionDescription> {
  const proof = await verifyBearer(accessToken);
  if (!proof.ok) return { refused: proof.detail };
  if (proof.principal.kind !== 'user') return { refused: 'The access token is that of an application.' };
  const { id } = proof.principal;
  const records = await administration.gridRecordsForMember(id, 'user');
  const grids = await Promise.all(
    records.map(async ({ gridId, name, subscriptionActive }) => ({
      gridSecondaryId: gridId,
      name,
      subscriptionActive,
      role: await access.role(gridId, id, 'user'),
    })),
  );
  return {
    answer: {
      user: { id, name: user.name },
      grids: grids.filter(({ role }) => role !== undefined),
      accessToken,
      expiresAt: new Date(accessEndsAt).toISOString(),
    },
  };
}

export interface SessionCredentialSettings {
  readonly publicUrl: string;
  /** Absent: nobody can sign in here. */
  readonly sessions?: Pick<PortalSessions, 'readCurrent'> | undefined;
}

/**
 * The headers that say who calls: those of the request or, of an operation that an EventSource asks, with the token of the portal's
 * session, since such a one cannot send headers. For every other operation a cookie says nothing: no page of others can act by it.
 */
export async function addSessionCredentials(
  route: Pick<Route, 'portalSession'>,
  request: Request,
  response: Response,
  { publicUrl, sessions }: SessionCredentialSettings,
): Promise<readonly string[]> {
  const {
    rawHeaders,
    method,
    headers: { cookie },
  } = request;
  if (route.portalSession !== true || method !== 'GET' || sessions === undefined || cookie === undefined)
    return rawHeaders;
  if (CREDENTIAL_HEADERS.some((name) => headerValues(rawHeaders, name.toLowerCase()).length > 0)) return rawHeaders;
  if (!isSameOrigin(rawHeaders, publicUrl, true)) return rawHeaders;
  const { session, cookies } = await sessions.readCurrent(cookie);
  response.appendHeader('Set-Cookie', cookies);
  return session === undefined ? rawHeaders : [...rawHeaders, 'Authorization', `Bearer ${session.accessToken}`];
}
